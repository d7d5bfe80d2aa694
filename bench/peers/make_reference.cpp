// Reference solutions: quadruple precision, Gragg-Bulirsch-Stoer extrapolation.
// usage: make_reference CASE [TOLERANCE [natural]]     (1e-22; P1, P2 and P5 in minimal coordinates
// unless "natural", the others always in natural ones: index-1 equations with projection)
#include "cases.hpp"
typedef std::function<void(const quad *, quad *)> RHS;

// From t0 to t1 with a first step h (updated); proj after each step; nev counts evaluations.
static void gbs(int n, const RHS &F, std::vector<quad> &y, double t0, double t1, double tol,
                double &h, const std::function<void(quad *)> &proj, long &nev) {
    const int K = 13;
    std::vector<std::vector<quad>> Tb(K, std::vector<quad>(n));
    std::vector<quad> f0(n), a(n), b(n), f(n);
    quad t = t0;
    while (t < (quad)t1) {
        quad H = (quad)h;
        bool last = t + H * (quad)1.0001 >= (quad)t1;
        if (last) {
            H = (quad)t1 - t;
            h = (double)H;
        }
        F(y.data(), f0.data());
        nev++;
        double err = 0;
        for (int j = 0; j < K; j++) {
            int m = 2 * (j + 1);
            quad s = H / m;
            for (int i = 0; i < n; i++) {
                a[i] = y[i];
                b[i] = y[i] + s * f0[i];
            }
            for (int k = 1; k < m; k++) {
                F(b.data(), f.data());
                nev++;
                for (int i = 0; i < n; i++) {
                    quad c = a[i] + 2 * s * f[i];
                    a[i] = b[i];
                    b[i] = c;
                }
            }
            F(b.data(), f.data());
            nev++;
            std::vector<quad> cur(n);
            for (int i = 0; i < n; i++) cur[i] = (b[i] + a[i] + s * f[i]) / 2;
            for (int k = 1; k <= j; k++) {
                quad r = (quad)(j + 1) / (quad)(j + 1 - k);
                r = r * r - 1;
                std::vector<quad> nx(n);
                for (int i = 0; i < n; i++) nx[i] = cur[i] + (cur[i] - Tb[k - 1][i]) / r;
                Tb[k - 1] = cur;
                cur = nx;
            }
            if (j == K - 1) {
                for (int i = 0; i < n; i++)
                    err = std::max(err, fn::mag(cur[i] - Tb[j - 1][i]) / (1 + fn::mag(y[i])));
            }
            Tb[j] = cur;
        }
        double fac = 0.9 * std::pow(tol / (err + 1e-40), 1.0 / (2 * K - 1));
        if (err <= tol || err != err) {
            if (err != err) {
                h *= 0.2;
                continue;
            }
            y = Tb[K - 1];
            t = last ? (quad)t1 : t + H;
            if (proj) proj(y.data());
        }
        h *= std::min(2.0, std::max(0.3, fac));
    }
}

int main(int argc, char **argv) {
    const Case *c = argc > 1 ? findCase(argv[1]) : nullptr;
    if (!c) return 1;
    double tol = argc > 2 ? atof(argv[2]) : 1e-22;
    bool nat = argc > 3;
    std::vector<quad> y;
    RHS F;
    std::function<void(quad *)> proj;
    std::unique_ptr<Sys<quad>> S;
    std::function<void(const quad *, double *)> obs;
    bool min = !nat && (c->kind == 1 || c->kind == 2 || c->kind == 5);
    if (min && c->kind == 1) {
        y = {M_PI_2q, 0};
        F = [](const quad *y, quad *f) {
            f[0] = y[1];
            minP1(y, y + 1, f + 1);
        };
        obs = [](const quad *y, double *o) {
            o[0] = (double)sinq(y[0]);
            o[1] = -(double)cosq(y[0]);
        };
    } else if (min && c->kind == 2) {
        y = {M_PI_2q, -1};
        int N = c->N;
        F = [N](const quad *y, quad *f) {
            f[0] = y[1];
            minP2(N, y, f + 1);
        };
        obs = [](const quad *y, double *o) {
            o[0] = o[2] = (double)cosq(y[0]);
            o[1] = o[3] = (double)sinq(y[0]);
        };
    } else if (min) {
        y = {0, M_PIq / 6, (quad)Gov::Ez0, (quad)(2 * M_PI), 0, 0};
        F = [](const quad *y, quad *f) {
            for (int i = 0; i < 3; i++) f[i] = y[3 + i];
            minP5(y, y + 3, f + 3);
        };
        obs = [](const quad *y, double *o) {
            quad r = (quad)Gov::R + cosq(y[1]);
            o[0] = (double)(r * cosq(y[0]));
            o[1] = (double)(r * sinq(y[0]));
            o[2] = (double)(1 - sinq(y[1]));
            o[3] = (double)y[2];
        };
    } else {
        S = makeSys<quad>(*c);
        int n = S->nq;
        y.resize(2 * n);
        for (int i = 0; i < n; i++) {
            y[i] = S->q0[i];
            y[n + i] = S->v0[i];
        }
        auto *s = S.get();
        s->project(y.data(), y.data() + n, 1e-30);
        F = [s, n](const quad *y, quad *f) {
            for (int i = 0; i < n; i++) f[i] = y[n + i];
            s->accel(y, y + n, f + n);
        };
        proj = [s, n](quad *y) { s->project(y, y + n, 1e-30); };
        const Case *cc = c;
        obs = [cc](const quad *y, double *o) { observe(*cc, y, o); };
    }
    double h = c->tend / 2000;
    long nev = 0;
    double o[16], t = 0;
    for (int k = 1; k <= NCHK; k++) {
        double t1 = c->tend * k / NCHK;
        gbs((int)y.size(), F, y, t, t1, tol, h, proj, nev);
        t = t1;
        if (h < 1e-6 * c->tend) h = 1e-6 * c->tend;
        obs(y.data(), o);
        printf("%.17g", t1);
        for (int i = 0; i < nobs(*c); i++) printf(" %.17g", o[i]);
        printf("\n");
        fflush(stdout);
    }
    fprintf(stderr, "%s: %ld rhs\n", c->name, nev);
    return 0;
}
