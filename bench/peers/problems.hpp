// The six problems, each written once as a template over its scalar: in natural coordinates (points
// and unit vectors, constant mass matrix, quadratic constraints), Andrews' mechanism in its seven
// angles; and the ordinary differential equations in minimal coordinates of three of them.
#pragma once
#include <memory>
#include "system.hpp"

// P1 point-mass pendulum (x,y)
template <class T> std::unique_ptr<QSys<T>> makeP1() {
    auto s = std::make_unique<QSys<T>>();
    s->alloc(2, 1);
    s->mass3(0, 0, T(1), 2);
    s->f0[1] = T(-GRAV);
    s->setpt(0, 1, 0);
    s->bilin(0, {{0, 1}}, {{0, 1}}, 1, 2, 0.5);
    s->merge();
    s->finish();
    return s;
}
// P2 N four-bar loops: A_0..A_N, O_i=(i,0)
template <class T> std::unique_ptr<QSys<T>> makeP2(int N) {
    auto s = std::make_unique<QSys<T>>();
    s->alloc(2 * (N + 1), 2 * N + 1);
    int n = s->nq;
    s->pos.resize(n + s->ng);
    for (int i = 0; i <= N; i++) {
        s->setpt(2 * i, i, 1);
        s->v0[2 * i] = 1;
        s->rod(-1, 2 * i, 1, 2, 1);
        s->fixedp[0][0] = i;
        s->fixedp[0][1] = 0;
        s->dist(i, 2 * i, -1, 1, 2);
        if (i < N) {
            s->rod(2 * i, 2 * i + 2, 1, 2, 1);
            s->dist(N + 1 + i, 2 * i + 2, 2 * i, 1, 2);
        }
        s->pos[2 * i] = 4 * i;
        s->pos[2 * i + 1] = 4 * i + 1;
        s->pos[n + i] = 4 * i + 2;
        if (i < N) s->pos[n + N + 1 + i] = 4 * i + 3;
    }
    s->merge();
    s->bandwidth();
    s->finish();
    return s;
}
// P4 chain of n point masses (m=1) on massless rods (l=1) from the origin, released from horizontal
template <class T> std::unique_ptr<QSys<T>> makeP4(int N) {
    auto s = std::make_unique<QSys<T>>();
    s->alloc(2 * N, N);
    int n = s->nq;
    s->pos.resize(n + N);
    for (int i = 0; i < N; i++) {
        s->setpt(2 * i, i + 1, 0);
        int a = i ? 2 * i - 2 : -1;
        s->mass3(2 * i, 2 * i, T(1), 2);
        s->f0[2 * i + 1] = T(-GRAV);
        s->dist(i, 2 * i, a, 1, 2);
        s->pos[2 * i] = 3 * i;
        s->pos[2 * i + 1] = 3 * i + 1;
        s->pos[n + i] = 3 * i + 2;
    }
    s->merge();
    s->bandwidth();
    s->finish();
    return s;
}
// P5 flyball governor: q = (Ax,Ay, B, Ez, e): e = spine x rod direction (gives the rod's small
// cross-section inertia exactly)
struct Gov {
    static constexpr double R = 0.05, ls = 1, l = 1, h = 0.01, ms = 0.3, mr = 0.3, msl = 3, mg = 5,
                            d0 = 0.5, k = 8e5, c = 4e4, Ez0 = 0.5;
    static constexpr double Jz = ms * (h * h + h * h) / 12 +
                                 msl * 0.02 / 12 /* shaft + slider about the shaft axis */,
                            J2 = mr * h * h / 12;
};
template <class T> std::unique_ptr<QSys<T>> makeP5() {
    auto s = std::make_unique<QSys<T>>();
    s->alloc(9, 6);
    const int A = 0, B = 2, E = 5, e = 6;
    T R(Gov::R);
    double w = 2 * M_PI, CB = std::sqrt(0.75);
    s->q0 = {Gov::R, 0, Gov::R + CB, 0, 0.5, Gov::Ez0, 0.5, 0, CB};
    s->v0 = {0, w * Gov::R, 0, w * (Gov::R + CB), 0, 0, 0, w * 0.5, 0};
    // two rods (mirror images) = rod of double mass; globes; slider; shaft + |spine'|^2 part of
    // both rods
    T m2(2 * Gov::mr), J2 = T(Gov::mr) * T(Gov::h) * T(Gov::h) / T(12), Js = T(Gov::Jz);
    for (int d = 0; d < 2; d++) {
        s->mass(A + d, A + d, m2 / T(3) + (Js + T(2) * J2) / (R * R));
        s->mass(A + d, B + d, m2 / T(6));
        s->mass(B + d, A + d, m2 / T(6));
    }
    for (int d = 0; d < 3; d++) {
        s->mass(B + d, B + d, m2 / T(3) + T(2 * Gov::mg));
        s->mass(e + d, e + d, T(2) * J2);
    }
    s->mass(E, E, T(Gov::msl));
    s->f0[B + 2] = -T(GRAV) * (T(Gov::mr) + T(2 * Gov::mg));
    s->f0[E] = -T(GRAV) * T(Gov::msl);
    auto q = [&](int k, int i, int j, double c) { s->Q.push_back({k, i, j, T(c)}); };
    auto lin = [&](int k, int i, double c) { s->L.push_back({k, i, T(c)}); };
    // |A|^2 = R^2, scaled by 1/R
    q(0, 0, 0, 1 / Gov::R);
    q(0, 1, 1, 1 / Gov::R);
    s->c0[0] = -R * R * T(1 / Gov::R);
    // |B - A|^2 = l^2
    for (int d = 0; d < 2; d++) {
        q(1, B + d, B + d, 0.5);
        q(1, A + d, B + d, -1);
        q(1, A + d, A + d, 0.5);
    }
    q(1, B + 2, B + 2, 0.5);
    lin(1, B + 2, -Gov::ls);
    s->c0[1] = T(0.5) * (T(Gov::ls * Gov::ls) - T(Gov::l * Gov::l));
    // (B - A) . (Ay, -Ax) / R = 0
    q(2, B, A + 1, 1 / Gov::R);
    q(2, B + 1, A, -1 / Gov::R);
    // e . (B - A) = 0, |e| = 1, e . (Ay, -Ax) / R = 0
    for (int d = 0; d < 2; d++) {
        q(3, e + d, B + d, 1);
        q(3, e + d, A + d, -1);
    }
    q(3, e + 2, B + 2, 1);
    lin(3, e + 2, -Gov::ls);
    for (int d = 0; d < 3; d++) q(4, e + d, e + d, 0.5);
    s->c0[4] = T(-0.5);
    q(5, e, A + 1, 1 / Gov::R);
    q(5, e + 1, A, -1 / Gov::R);
    // two identical spring-dampers between M = (A + B) / 2 and F = E + A
    s->extra = [](const T *q, const T *v, T *f) {
        T D[3], W[3];
        for (int d = 0; d < 2; d++) {
            D[d] = T(0.5) * (q[2 + d] - q[d]);
            W[d] = T(0.5) * (v[2 + d] - v[d]);
        }
        D[2] = T(0.5) * (T(Gov::ls) + q[4]) - q[5];
        W[2] = T(0.5) * v[4] - v[5];
        T r = fn::sqrt(D[0] * D[0] + D[1] * D[1] + D[2] * D[2]),
          rd = (D[0] * W[0] + D[1] * W[1] + D[2] * W[2]) / r;
        T F = -T(2) * (T(Gov::k) * (r - T(Gov::d0)) + T(Gov::c) * rd) / r;
        for (int d = 0; d < 2; d++) {
            f[2 + d] += T(0.5) * F * D[d];
            f[d] -= T(0.5) * F * D[d];
        }
        f[4] += T(0.5) * F * D[2];
        f[5] -= F * D[2];
    };
    s->finish();
    return s;
}
// P6 Bricard: P1..P4 and spines a1..a4 (a0=y, a5=x fixed), gravity -y; one redundant equation
// (a5.a4) left out
template <class T> std::unique_ptr<QSys<T>> makeP6() {
    auto s = std::make_unique<QSys<T>>();
    s->alloc(24, 23);
    double P[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}},
           a[6][3] = {{0, 1, 0}};
    for (int i = 1; i <= 5; i++) {
        double u[3];
        for (int d = 0; d < 3; d++) u[d] = P[i][d] - P[i - 1][d];
        double *x = a[i - 1];
        a[i][0] = u[1] * x[2] - u[2] * x[1];
        a[i][1] = u[2] * x[0] - u[0] * x[2];
        a[i][2] = u[0] * x[1] - u[1] * x[0];
    }
    auto ip = [](int i) { return i == 0 ? -1 : i == 5 ? -2 : 3 * (i - 1); };
    auto ia = [](int i) { return i == 0 ? -3 : i == 5 ? -4 : 12 + 3 * (i - 1); };
    for (int d = 0; d < 3; d++) {
        s->fixedp[0][d] = P[0][d];
        s->fixedp[1][d] = P[5][d];
        s->fixedp[2][d] = a[0][d];
        s->fixedp[3][d] = a[5][d];
    }
    for (int i = 1; i <= 4; i++) {
        s->setpt(ip(i), P[i][0], P[i][1], P[i][2], 3);
        s->setpt(ia(i), a[i][0], a[i][1], a[i][2], 3);
    }
    int k = 0;
    T J2 = T(0.1) * T(0.1) / T(12);
    for (int i = 1; i <= 5; i++) {
        int p = ip(i - 1), q = ip(i), b = ia(i - 1), c = ia(i);
        s->rod(p, q, 1, 3, 1);
        if (b >= 0) s->mass3(b, b, J2, 3);
        if (c >= 0) s->mass3(c, c, J2, 3);
        s->bilin(k++, {{q, 1}, {p, -1}}, {{q, 1}, {p, -1}}, 1, 3, 0.5);
        s->bilin(k++, {{b, 1}}, {{q, 1}, {p, -1}}, 0, 3);
        s->bilin(k++, {{c, 1}}, {{q, 1}, {p, -1}}, 0, 3);
        if (i < 5) {
            s->bilin(k++, {{c, 1}}, {{b, 1}}, 0, 3);
            s->bilin(k++, {{c, 1}}, {{c, 1}}, 1, 3, 0.5);
        }
    }
    s->merge();
    s->finish();
    return s;
}
// P3 Andrews' squeezing mechanism in the seven angles of the IVP test set
template <class T> struct P3 : Sys<T> {
    P3() {
        this->nq = 7;
        this->ng = 6;
        this->v0.assign(7, 0);
        this->q0 = {-0.0617138900142764496358948458001, 0,
                    0.455279819163070380255912382449,   0.222668390165885884674473185609,
                    0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                    1.23054744454982119249735015568};
        this->finish();
    }
    static constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050,
                            m6 = .00706, m7 = .05498, I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6,
                            I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5,
                            xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014,
                            yc = .072, c0 = 4530, l0 = .07785, d = 28e-3, da = 115e-4, e = 2e-2,
                            ea = 1421e-5, rr = 7e-3, ra = 92e-5, ss = 35e-3, sa = 1874e-5,
                            sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5,
                            u = 4e-2, ua = 1228e-5, ub = 449e-5, zf = 2e-2, zt = 4e-2, fa = 1421e-5,
                            mom = 33e-3;
    T s[7], c[7], sbt, cbt, spd, cpd, soe, coe;
    void trig(const T *q) {
        using fn::cos;
        using fn::sin;
        for (int i = 0; i < 7; i++) {
            s[i] = sin(q[i]);
            c[i] = cos(q[i]);
        }
        sbt = s[0] * c[1] + c[0] * s[1];
        cbt = c[0] * c[1] - s[0] * s[1];
        spd = s[3] * c[4] + c[3] * s[4];
        cpd = c[3] * c[4] - s[3] * s[4];
        soe = s[5] * c[6] + c[5] * s[6];
        coe = c[5] * c[6] - s[5] * s[6];
    }
    struct Ent {
        int i, j;
        T v;
    };
    int mass(Ent *E) {
        int n = 0;
        auto add = [&](int i, int j, T v) {
            E[n++] = {i, j, v};
            if (i != j) E[n++] = {j, i, v};
        };
        T z(zt * (e - ea)), w(u * (zf - fa));
        add(0, 0,
            T(m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2) - T(2 * m2 * da * rr) * c[1]);
        add(0, 1, T(m2 * da * da + I2) - T(m2 * da * rr) * c[1]);
        add(1, 1, T(m2 * da * da + I2));
        add(2, 2, T(m3 * (sa * sa + sb * sb) + I3));
        add(3, 3, T(m4 * (e - ea) * (e - ea) + I4));
        add(3, 4, T(m4 * (e - ea) * (e - ea) + I4) + T(m4) * z * s[3]);
        add(4, 4,
            T(m4 * (zt * zt + (e - ea) * (e - ea)) + m5 * (ta * ta + tb * tb) + I4 + I5) +
                T(2 * m4) * z * s[3]);
        add(5, 5, T(m6 * (zf - fa) * (zf - fa) + I6));
        add(5, 6, T(m6 * (zf - fa) * (zf - fa) + I6) - T(m6) * w * s[5]);
        add(6, 6,
            T(m6 * ((zf - fa) * (zf - fa) + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7) -
                T(2 * m6) * w * s[5]);
        return n;
    }
    int jac(Ent *E) {
        int n = 0;
        auto add = [&](int i, int j, T v) { E[n++] = {i, j, v}; };
        T gx0 = T(-rr) * s[0] + T(d) * sbt, gx1 = T(d) * sbt, gy0 = T(rr) * c[0] - T(d) * cbt,
          gy1 = T(-d) * cbt;
        for (int k = 0; k < 6; k += 2) {
            add(k, 0, gx0);
            add(k, 1, gx1);
            add(k + 1, 0, gy0);
            add(k + 1, 1, gy1);
        }
        add(0, 2, T(-ss) * c[2]);
        add(1, 2, T(-ss) * s[2]);
        add(2, 3, T(-e) * cpd);
        add(2, 4, T(-e) * cpd + T(zt) * s[4]);
        add(3, 3, T(-e) * spd);
        add(3, 4, T(-e) * spd - T(zt) * c[4]);
        add(4, 5, T(zf) * soe);
        add(4, 6, T(zf) * soe - T(u) * c[6]);
        add(5, 5, T(-zf) * coe);
        add(5, 6, T(-zf) * coe - T(u) * s[6]);
        return n;
    }
    void kkt(const T *q, LU<T> &K) override {
        trig(q);
        Ent E[32];
        int n = mass(E);
        for (int i = 0; i < n; i++) K.at(E[i].i, E[i].j) = E[i].v;
        n = jac(E);
        for (int i = 0; i < n; i++) {
            K.at(7 + E[i].i, E[i].j) = E[i].v;
            K.at(E[i].j, 7 + E[i].i) = E[i].v;
        }
    }
    void force(const T *q, const T *v, T *f) override {
        trig(q);
        T xd = T(sd) * c[2] + T(sc) * s[2] + T(xb), yd = T(sd) * s[2] - T(sc) * c[2] + T(yb),
          X = xd - T(xc), Y = yd - T(yc), L = fn::sqrt(X * X + Y * Y), F = T(-c0) * (L - T(l0)) / L;
        f[0] = T(mom) - T(m2 * da * rr) * v[1] * (v[1] + T(2) * v[0]) * s[1];
        f[1] = T(m2 * da * rr) * v[0] * v[0] * s[1];
        f[2] = F * X * (T(sc) * c[2] - T(sd) * s[2]) + F * Y * (T(sd) * c[2] + T(sc) * s[2]);
        T z(m4 * zt * (e - ea)), w(m6 * u * (zf - fa));
        f[3] = z * v[4] * v[4] * c[3];
        f[4] = -z * v[3] * (v[3] + T(2) * v[4]) * c[3];
        f[5] = -w * v[6] * v[6] * c[5];
        f[6] = w * v[5] * (v[5] + T(2) * v[6]) * c[5];
    }
    void gamma(const T *q, const T *v, T *o) override {
        trig(q);
        T b = v[0] * v[0], bt = (v[0] + v[1]) * (v[0] + v[1]), pd = (v[3] + v[4]) * (v[3] + v[4]),
          oe = (v[5] + v[6]) * (v[5] + v[6]);
        T X = T(-rr) * c[0] * b + T(d) * cbt * bt, Y = T(-rr) * s[0] * b + T(d) * sbt * bt;
        o[0] = X + T(ss) * s[2] * v[2] * v[2];
        o[1] = Y - T(ss) * c[2] * v[2] * v[2];
        o[2] = X + T(e) * spd * pd + T(zt) * c[4] * v[4] * v[4];
        o[3] = Y - T(e) * cpd * pd + T(zt) * s[4] * v[4] * v[4];
        o[4] = X + T(zf) * coe * oe + T(u) * s[6] * v[6] * v[6];
        o[5] = Y + T(zf) * soe * oe - T(u) * c[6] * v[6] * v[6];
    }
    void g(const T *q, T *o) override {
        trig(q);
        T X = T(rr) * c[0] - T(d) * cbt, Y = T(rr) * s[0] - T(d) * sbt;
        o[0] = X - T(ss) * s[2] - T(xb);
        o[1] = Y + T(ss) * c[2] - T(yb);
        o[2] = X - T(e) * spd - T(zt) * c[4] - T(xa);
        o[3] = Y + T(e) * cpd - T(zt) * s[4] - T(ya);
        o[4] = X - T(zf) * coe - T(u) * s[6] - T(xa);
        o[5] = Y - T(zf) * soe + T(u) * c[6] - T(ya);
    }
    void Mmul(const T *q, const T *a, T *o) override {
        trig(q);
        Ent E[32];
        int n = mass(E);
        for (int i = 0; i < 7; i++) o[i] = T(0);
        for (int i = 0; i < n; i++) o[E[i].i] += E[i].v * a[E[i].j];
    }
    void GT(const T *q, const T *l, T *o) override {
        trig(q);
        Ent E[32];
        int n = jac(E);
        for (int i = 0; i < n; i++) o[E[i].j] += E[i].v * l[E[i].i];
    }
    void Gmul(const T *q, const T *v, T *o) override {
        trig(q);
        Ent E[32];
        int n = jac(E);
        for (int i = 0; i < 6; i++) o[i] = T(0);
        for (int i = 0; i < n; i++) o[E[i].i] += E[i].v * v[E[i].j];
    }
};

// P4 by hand: G M^-1 G^T is tridiagonal for point masses, so accelerations cost O(n)
inline void accelP4(int n, const double *q, const double *v, double *a, std::vector<double> &w) {
    w.resize(4 * n);
    double *cp = w.data(), *l = cp + n, *ex = l + n, *ey = ex + n, px = 0, py = 0;
    for (int i = 0; i < n; i++) {
        ex[i] = q[2 * i] - px;
        ey[i] = q[2 * i + 1] - py;
        px = q[2 * i];
        py = q[2 * i + 1];
    }
    double pvx = 0, pvy = 0, prev = 0;
    for (int i = 0; i < n; i++) {
        double rx = v[2 * i] - pvx, ry = v[2 * i + 1] - pvy;
        pvx = v[2 * i];
        pvy = v[2 * i + 1];
        double b = (i ? 2 : 1) * (ex[i] * ex[i] + ey[i] * ey[i]),
               r = rx * rx + ry * ry + (i ? 0 : -GRAV * ey[0]),
               lo = i ? -(ex[i] * ex[i - 1] + ey[i] * ey[i - 1]) : 0,
               up = i + 1 < n ? -(ex[i] * ex[i + 1] + ey[i] * ey[i + 1]) : 0;
        double m = 1 / (b - lo * (i ? cp[i - 1] : 0));
        cp[i] = up * m;
        l[i] = (r - lo * prev) * m;
        prev = l[i];
    }
    for (int i = n - 2; i >= 0; i--) l[i] -= cp[i] * l[i + 1];
    for (int i = 0; i < n; i++) {
        double m = i + 1 < n ? l[i + 1] : 0;
        int j = i + 1 < n ? i + 1 : i;
        a[2 * i] = -l[i] * ex[i] + m * ex[j];
        a[2 * i + 1] = -GRAV - l[i] * ey[i] + m * ey[j];
    }
}

// ---- minimal coordinates: accelerations a from q and v ----

// The angle from the downward vertical.
template <class T> void minP1(const T *q, const T *, T *a) { a[0] = T(-GRAV) * fn::sin(q[0]); }

// The angle of every crank from the x axis.
template <class T> void minP2(int N, const T *q, T *a) {
    a[0] = T(-GRAV) * (T(N + 1) / T(2) + T(N)) / (T(N + 1) / T(3) + T(N)) * fn::cos(q[0]);
}

// Turn of the shaft, angle of the rods below the horizontal, height of the slider.
template <class T> void minP5(const T *q, const T *v, T *a) {
    T c = fn::cos(q[1]), s = fn::sin(q[1]), R(Gov::R), l(Gov::l), mr(Gov::mr), mg(Gov::mg),
      h(Gov::h);
    T Ia = mr * h * h / T(6), It = mr * (l * l + h * h) / T(12), Js = T(Gov::Jz),
      r1 = R + l * c / T(2), r2 = R + l * c;
    T J = Js + T(2) * (mr * r1 * r1 + Ia * s * s + It * c * c + mg * r2 * r2);
    T dJ = T(2) * (-mr * r1 * l * s + T(2) * (Ia - It) * s * c - T(2) * mg * r2 * l * s);
    T Ib = T(2) * (mr * l * l / T(4) + It + mg * l * l);
    T X = l * c / T(2), Z = T(Gov::ls) - l * s / T(2) - q[2], d = fn::sqrt(X * X + Z * Z),
      db = (-X * l * s / T(2) - Z * l * c / T(2)) / d, dz = -Z / d;
    T F = -T(2) * (T(Gov::k) * (d - T(Gov::d0)) + T(Gov::c) * (db * v[1] + dz * v[2]));
    a[0] = -dJ * v[0] * v[1] / J;
    a[1] = (dJ * v[0] * v[0] / T(2) + F * db + T(GRAV) * l * (mr + T(2) * mg) * c) / Ib;
    a[2] = F * dz / T(Gov::msl) - T(GRAV);
}
