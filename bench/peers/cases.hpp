// The cases: time spans, the coordinates that count, and their reference values.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include "problems.hpp"

struct Case {
    const char *name;
    int kind, N; // which problem, of which size
    double tend;
};
static const Case CASES[] = {{"P1", 1, 0, 100},      {"P2_N2", 2, 2, 10},     {"P2_N40", 2, 40, 1},
                             {"P2_N200", 2, 200, 1}, {"P3_0.03", 3, 0, 0.03}, {"P3_0.3", 3, 0, 0.3},
                             {"P4_n10", 4, 10, 1},   {"P4_n200", 4, 200, 1},  {"P5", 5, 0, 10},
                             {"P6", 6, 0, 10}};

inline const Case *findCase(const std::string &s) {
    for (auto &c : CASES)
        if (s == c.name) return &c;
    return nullptr;
}

template <class T> std::unique_ptr<Sys<T>> makeSys(const Case &c) {
    switch (c.kind) {
    case 1: return makeP1<T>();
    case 2: return makeP2<T>(c.N);
    case 3: return std::make_unique<P3<T>>();
    case 4: return makeP4<T>(c.N);
    case 5: return makeP5<T>();
    default: return makeP6<T>();
    }
}

// How many coordinates count, and what they are in terms of natural ones (Andrews: angles).
inline int nobs(const Case &c) {
    switch (c.kind) {
    case 1: return 2;
    case 2: return 4;
    case 3: return 7;
    case 4: return 6;
    case 5: return 4;
    default: return 6;
    }
}
template <class T> void observe(const Case &c, const T *q, double *o) {
    auto g = [&](int i) { return (double)q[i]; };
    switch (c.kind) {
    case 1:
        o[0] = g(0);
        o[1] = g(1);
        break;
    case 2: // A_0 and A_N - O_N
        o[0] = g(0);
        o[1] = g(1);
        o[2] = (double)(q[2 * c.N] - T(c.N));
        o[3] = g(2 * c.N + 1);
        break;
    case 3:
        for (int i = 0; i < 7; i++) o[i] = g(i);
        break;
    case 4: { // first, middle, last
        int n = c.N, m = (n + 1) / 2;
        int id[3] = {0, m - 1, n - 1};
        for (int k = 0; k < 3; k++) {
            o[2 * k] = g(2 * id[k]);
            o[2 * k + 1] = g(2 * id[k] + 1);
        }
        break;
    }
    case 5: // B, Ez
        o[0] = g(2);
        o[1] = g(3);
        o[2] = g(4);
        o[3] = g(5);
        break;
    default: // P2, P3
        for (int i = 0; i < 6; i++) o[i] = g(3 + i);
    }
}

constexpr int NCHK = 10; // the error is taken at t = tend * k / NCHK

struct Ref {
    std::vector<double> y; // [NCHK * no]
    int no = 0;
    bool ok = false;
};

inline Ref loadRef(const Case &c) {
    Ref r;
    r.no = nobs(c);
    const char *dir = getenv("PEER_REF");
    std::string p = std::string(dir ? dir : "reference") + "/" + c.name + ".txt";
    FILE *f = fopen(p.c_str(), "r");
    if (!f) {
        fprintf(stderr, "no reference %s\n", p.c_str());
        return r;
    }
    double x;
    for (int k = 0; k < NCHK; k++) {
        if (fscanf(f, "%lf", &x) != 1) break;
        for (int i = 0; i < r.no && fscanf(f, "%lf", &x) == 1; i++) r.y.push_back(x);
    }
    fclose(f);
    r.ok = (int)r.y.size() == NCHK * r.no;
    return r;
}

// The largest error at checkpoint k = 1 .. NCHK.
inline double errAt(const Case &c, const Ref &r, int k, const double *o) {
    double m = 0;
    if (!r.ok) return NAN;
    for (int i = 0; i < r.no; i++) {
        double d = o[i] - r.y[(k - 1) * r.no + i];
        if (c.kind == 3) d = std::remainder(d, 2 * M_PI);
        if (!(std::fabs(d) <= m)) m = std::fabs(d);
    }
    return m;
}

// Seconds of processor time: on a busy machine the same as on an idle one.
inline double now() {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// A number from the environment.
inline double setting(const char *name, double otherwise) {
    const char *text = getenv(name);
    return text ? atof(text) : otherwise;
}
