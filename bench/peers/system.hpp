// Mechanical systems  M(q) a + G(q)^T lam = f(q, v),  g(q) = 0,  and those with constant mass and
// quadratic constraints.
#pragma once
#include <cstdlib>
#include <functional>
#include <vector>
#include "lu.hpp"

constexpr double GRAV = 9.81;

template <class T> struct Sys {
    int nq = 0, ng = 0;
    std::vector<double> q0, v0;
    std::vector<int> pos; // position in the ordered KKT matrix
    int bw = 0;
    LU<T> lu;
    std::vector<T> r, w;
    virtual ~Sys() {}
    virtual void kkt(const T *q, LU<T> &K) = 0; // [M G^T; G 0] into K (ordered by pos)
    virtual void force(const T *q, const T *v, T *f) = 0;
    virtual void gamma(const T *q, const T *v, T *c) = 0; // d(Gv)/dt = G a + gamma
    virtual void g(const T *q, T *c) = 0;
    virtual void Mmul(const T *q, const T *a, T *out) = 0; // out  = M a
    virtual void GT(const T *q, const T *lam, T *out) = 0; // out += G^T lam
    virtual void Gmul(const T *q, const T *v, T *out) = 0; // out  = G v
    void finish() {
        int n = nq + ng;
        if (pos.empty()) {
            pos.resize(n);
            for (int i = 0; i < n; i++) pos[i] = i;
            bw = n - 1;
        }
        lu.init(n, bw);
        r.resize(n);
        w.resize(n);
    }
    double reg = 0; // regularisation of the KKT matrix, where G loses rank (P2)
    void factor(const T *q) {
        lu.zero();
        kkt(q, lu);
        if (reg > 0)
            for (int k = 0; k < ng; k++) lu.at(pos[nq + k], pos[nq + k]) -= T(reg);
        lu.factor();
    }
    void solve(T *x) {
        int n = nq + ng;
        for (int i = 0; i < n; i++) w[pos[i]] = x[i];
        lu.solve(w.data());
        for (int i = 0; i < n; i++) x[i] = w[pos[i]];
    }
    // index 1: accelerations and multipliers
    void accel(const T *q, const T *v, T *a, T *lam = nullptr) {
        factor(q);
        force(q, v, r.data());
        gamma(q, v, r.data() + nq);
        for (int k = 0; k < ng; k++) r[nq + k] = -r[nq + k];
        solve(r.data());
        for (int i = 0; i < nq; i++) a[i] = r[i];
        if (lam)
            for (int k = 0; k < ng; k++) lam[k] = r[nq + k];
    }
    // mass-orthogonal projection of q and v
    int project(T *q, T *v, double tol, int maxit = 10) {
        int it = 0;
        for (; it < maxit; it++) {
            for (int i = 0; i < nq; i++) r[i] = T(0);
            g(q, r.data() + nq);
            double m = 0;
            for (int k = 0; k < ng; k++) {
                m = std::max(m, fn::mag(r[nq + k]));
                r[nq + k] = -r[nq + k];
            }
            if (m < tol) break;
            if (it == 0) factor(q);
            solve(r.data());
            for (int i = 0; i < nq; i++) q[i] += r[i];
        }
        for (int i = 0; i < nq; i++) r[i] = T(0);
        Gmul(q, v, r.data() + nq);
        double m = 0;
        for (int k = 0; k < ng; k++) {
            m = std::max(m, fn::mag(r[nq + k]));
            r[nq + k] = -r[nq + k];
        }
        if (m > tol) {
            if (it == 0) factor(q);
            solve(r.data());
            for (int i = 0; i < nq; i++) v[i] += r[i];
        }
        return it < maxit ? 0 : 1;
    }
};

// Constant mass, quadratic constraints g_k = sum c q_i q_j + sum c q_i + c0, optional extra force.
template <class T> struct QSys : Sys<T> {
    struct M3 {
        int i, j;
        T c;
    };
    struct Q4 {
        int k, i, j;
        T c;
    };
    struct L3 {
        int k, i;
        T c;
    };
    std::vector<M3> M;
    std::vector<Q4> Q;
    std::vector<L3> L;
    std::vector<T> c0, f0;
    std::function<void(const T *, const T *, T *)> extra;
    void alloc(int nq, int ng) {
        this->nq = nq;
        this->ng = ng;
        this->q0.assign(nq, 0);
        this->v0.assign(nq, 0);
        c0.assign(ng, T(0));
        f0.assign(nq, T(0));
    }
    void mass(int i, int j, T c) { M.push_back({i, j, c}); }
    void mass3(int i, int j, T c, int dim) {
        for (int d = 0; d < dim; d++) mass(i + d, j + d, c);
    }
    // a point/vector is an index of its first coordinate, or -1-id for a fixed one
    double fixedp[4][3] = {{0}};
    // thin rod of mass m between points a,b (dim coordinates), gravity along axis gax; index<0:
    // fixed point
    void rod(int a, int b, double m, int dim, int gax) {
        if (a >= 0) {
            mass3(a, a, T(m) / T(3), dim);
            f0[a + gax] += T(-m * GRAV / 2);
        }
        if (b >= 0) {
            mass3(b, b, T(m) / T(3), dim);
            f0[b + gax] += T(-m * GRAV / 2);
        }
        if (a >= 0 && b >= 0) {
            mass3(a, b, T(m) / T(6), dim);
            mass3(b, a, T(m) / T(6), dim);
        }
    }
    // generic bilinear constraint: (sum_s alpha_s X_s) . (sum_t beta_t Y_t) = rhs ; X,Y points by
    // index
    struct Term {
        int p;
        double c;
    };
    void bilin(int k, std::vector<Term> X, std::vector<Term> Y, double rhs, int dim,
               double scale = 1) {
        for (auto &x : X)
            for (auto &y : Y)
                for (int d = 0; d < dim; d++) {
                    double c = x.c * y.c * scale;
                    if (x.p >= 0 && y.p >= 0)
                        Q.push_back({k, x.p + d, y.p + d, T(c)});
                    else if (x.p >= 0) {
                        double z = fixedp[-1 - y.p][d];
                        if (z != 0) L.push_back({k, x.p + d, T(c * z)});
                    } else if (y.p >= 0) {
                        double z = fixedp[-1 - x.p][d];
                        if (z != 0) L.push_back({k, y.p + d, T(c * z)});
                    } else
                        c0[k] += T(c * fixedp[-1 - x.p][d] * fixedp[-1 - y.p][d]);
                }
        c0[k] -= T(rhs * scale);
    }
    // distance constraint (|a-b|^2 - l^2)/2: entered as quadratic terms, but evaluated by
    // differences (no cancellation far from the origin)
    struct Dist {
        int k, a, b, dim;
        T l2, fx[3];
    };
    std::vector<Dist> D;
    void dist(int k, int a, int b, double l, int dim) {
        bilin(k, {{a, 1}, {b, -1}}, {{a, 1}, {b, -1}}, l * l, dim, 0.5);
        Dist d{k, a, b, dim, T(l * l), {T(0), T(0), T(0)}};
        if (b < 0)
            for (int i = 0; i < dim; i++) d.fx[i] = T(fixedp[-1 - b][i]);
        D.push_back(d);
    }
    void setpt(int p, double x, double y, double z = 0, int dim = 2) {
        this->q0[p] = x;
        this->q0[p + 1] = y;
        if (dim == 3) this->q0[p + 2] = z;
    }
    // collects equal terms, drops zeros
    void merge() {
        std::vector<Q4> R;
        for (auto e : Q) {
            if (e.i > e.j) std::swap(e.i, e.j);
            bool f = false;
            for (size_t s = R.size(); s-- > 0 && R[s].k == e.k;)
                if (R[s].i == e.i && R[s].j == e.j) {
                    R[s].c += e.c;
                    f = true;
                    break;
                }
            if (!f) R.push_back(e);
        }
        Q.clear();
        for (auto &e : R)
            if (fn::mag(e.c) != 0) Q.push_back(e);
    }
    void bandwidth() {
        int b = 0;
        auto &p = this->pos;
        int n = this->nq;
        for (auto &e : M) b = std::max(b, std::abs(p[e.i] - p[e.j]));
        for (auto &e : Q)
            b = std::max({b, std::abs(p[n + e.k] - p[e.i]), std::abs(p[n + e.k] - p[e.j])});
        for (auto &e : L) b = std::max(b, std::abs(p[n + e.k] - p[e.i]));
        this->bw = b;
    }
    void kkt(const T *q, LU<T> &K) override {
        auto &p = this->pos;
        int n = this->nq;
        for (auto &e : M) K.at(p[e.i], p[e.j]) += e.c;
        for (auto &e : Q) {
            T a = e.c * q[e.j], b = e.c * q[e.i];
            int k = p[n + e.k], i = p[e.i], j = p[e.j];
            K.at(k, i) += a;
            K.at(i, k) += a;
            K.at(k, j) += b;
            K.at(j, k) += b;
        }
        for (auto &e : L) {
            K.at(p[n + e.k], p[e.i]) += e.c;
            K.at(p[e.i], p[n + e.k]) += e.c;
        }
    }
    void force(const T *q, const T *v, T *f) override {
        for (int i = 0; i < this->nq; i++) f[i] = f0[i];
        if (extra) extra(q, v, f);
    }
    void gamma(const T *q, const T *v, T *c) override {
        (void)q;
        for (int k = 0; k < this->ng; k++) c[k] = T(0);
        for (auto &e : Q) c[e.k] += T(2) * e.c * v[e.i] * v[e.j];
        gammaDist(v, c);
    }
    void g(const T *q, T *c) override {
        for (int k = 0; k < this->ng; k++) c[k] = c0[k];
        for (auto &e : Q) c[e.k] += e.c * q[e.i] * q[e.j];
        for (auto &e : L) c[e.k] += e.c * q[e.i];
        for (auto &d : D) {
            T r = -d.l2;
            for (int i = 0; i < d.dim; i++) {
                T x = q[d.a + i] - (d.b >= 0 ? q[d.b + i] : d.fx[i]);
                r += x * x;
            }
            c[d.k] = T(0.5) * r;
        }
    }
    void Mmul(const T *, const T *a, T *o) override {
        for (int i = 0; i < this->nq; i++) o[i] = T(0);
        for (auto &e : M) o[e.i] += e.c * a[e.j];
    }
    void GT(const T *q, const T *l, T *o) override {
        for (auto &e : Q) {
            T s = e.c * l[e.k];
            o[e.i] += s * q[e.j];
            o[e.j] += s * q[e.i];
        }
        for (auto &e : L) o[e.i] += e.c * l[e.k];
    }
    void Gmul(const T *q, const T *v, T *o) override {
        for (int k = 0; k < this->ng; k++) o[k] = T(0);
        for (auto &e : Q) o[e.k] += e.c * (v[e.i] * q[e.j] + q[e.i] * v[e.j]);
        for (auto &e : L) o[e.k] += e.c * v[e.i];
        for (auto &d : D) {
            T r = T(0);
            for (int i = 0; i < d.dim; i++)
                r += (q[d.a + i] - (d.b >= 0 ? q[d.b + i] : d.fx[i])) *
                     (d.b >= 0 ? v[d.a + i] - v[d.b + i] : v[d.a + i]);
            o[d.k] = r;
        }
    }
    // accelerations by the Schur complement S = G M^-1 G^T (Cholesky); M is constant, its inverse
    // is kept as a sparse list
    std::vector<M3> Mi;
    std::vector<T> Gd, Wd, Sd, y;
    bool schurReady = false;
    void schurInit() {
        int n = this->nq;
        LU<T> A;
        A.init(n, n - 1);
        A.zero();
        for (auto &e : M) A.at(e.i, e.j) += e.c;
        A.factor();
        std::vector<T> x(n);
        for (int j = 0; j < n; j++) {
            for (auto &z : x) z = T(0);
            x[j] = T(1);
            A.solve(x.data());
            for (int i = 0; i < n; i++)
                if (fn::mag(x[i]) > 1e-14) Mi.push_back({i, j, x[i]});
        }
        Gd.resize(n * this->ng);
        Wd.resize(n * this->ng);
        Sd.resize(this->ng * this->ng);
        y.resize(n + this->ng);
        schurReady = true;
    }
    void accelSchur(const T *q, const T *v, T *a) {
        if (!schurReady) schurInit();
        int n = this->nq, m = this->ng;
        T *G = Gd.data(), *W = Wd.data(), *S = Sd.data(), *f = this->r.data(), *c = f + n;
        std::fill(Gd.begin(), Gd.end(), T(0));
        std::fill(Wd.begin(), Wd.end(), T(0));
        for (auto &e : Q) {
            G[e.k * n + e.i] += e.c * q[e.j];
            G[e.k * n + e.j] += e.c * q[e.i];
        }
        for (auto &e : L) G[e.k * n + e.i] += e.c;
        for (int k = 0; k < m; k++)
            for (auto &e : Mi) W[k * n + e.j] += G[k * n + e.i] * e.c;
        force(q, v, f);
        gamma(q, v, c);
        for (int k = 0; k < m; k++) {
            T s = c[k];
            for (int i = 0; i < n; i++) s += W[k * n + i] * f[i];
            c[k] = s;
            for (int l = 0; l <= k; l++) {
                T t = T(0);
                for (int i = 0; i < n; i++) t += W[k * n + i] * G[l * n + i];
                S[k * m + l] = t;
            }
        }
        for (int k = 0; k < m; k++) {
            T *Sk = S + k * m;
            for (int l = 0; l < k; l++) {
                T *Sl = S + l * m;
                T t = Sk[l];
                for (int i = 0; i < l; i++) t -= Sk[i] * Sl[i];
                Sk[l] = t * Sl[l];
            }
            T t = Sk[k];
            for (int i = 0; i < k; i++) t -= Sk[i] * Sk[i];
            Sk[k] = T(1) / fn::sqrt(t);
        }
        for (int k = 0; k < m; k++) {
            T t = c[k];
            for (int i = 0; i < k; i++) t -= S[k * m + i] * c[i];
            c[k] = t * S[k * m + k];
        }
        for (int k = m - 1; k >= 0; k--) {
            T t = c[k] * S[k * m + k];
            c[k] = t;
            for (int i = 0; i < k; i++) c[i] -= S[k * m + i] * t;
        }
        for (int i = 0; i < n; i++) a[i] = T(0);
        for (auto &e : Mi) a[e.i] += e.c * f[e.j];
        for (int k = 0; k < m; k++)
            for (int i = 0; i < n; i++) a[i] -= W[k * n + i] * c[k];
    }
    void gammaDist(const T *v, T *c) {
        for (auto &d : D) {
            T r = T(0);
            for (int i = 0; i < d.dim; i++) {
                T x = d.b >= 0 ? v[d.a + i] - v[d.b + i] : v[d.a + i];
                r += x * x;
            }
            c[d.k] = r;
        }
    }
};
