// LU with partial pivoting, dense or banded, stored by rows.
#pragma once
#include <algorithm>
#include <vector>
#include "scalar.hpp"

template <class T> struct LU {
    int n = 0, b = 0, W = 0;
    bool band = false;
    std::vector<T> a;
    std::vector<int> piv;
    void init(int n_, int b_) {
        n = n_;
        b = b_;
        band = 3 * b + 1 < n;
        W = band ? 3 * b + 1 : n;
        a.resize((size_t)n * W);
        piv.resize(n);
    }
    void zero() { std::fill(a.begin(), a.end(), T(0)); }
    T &at(int i, int j) { return band ? a[(size_t)i * W + j - i + b] : a[(size_t)i * W + j]; }
    bool factor() {
        for (int k = 0; k < n; k++) {
            int hi = band ? std::min(n - 1, k + b) : n - 1,
                ce = band ? std::min(n - 1, k + 2 * b) : n - 1, p = k;
            double m = fn::mag(at(k, k));
            for (int i = k + 1; i <= hi; i++) {
                double c = fn::mag(at(i, k));
                if (c > m) m = c, p = i;
            }
            piv[k] = p;
            if (m == 0) return false;
            T *rk = &at(k, k);
            if (p != k) {
                T *rp = &at(p, k);
                for (int j = 0; j <= ce - k; j++) std::swap(rk[j], rp[j]);
            }
            T inv = T(1) / rk[0];
            for (int i = k + 1; i <= hi; i++) {
                T *ri = &at(i, k);
                if (fn::mag(ri[0]) == 0) continue;
                T l = ri[0] = ri[0] * inv;
                for (int j = 1; j <= ce - k; j++) ri[j] -= l * rk[j];
            }
        }
        return true;
    }
    void solve(T *x) {
        for (int k = 0; k < n; k++) {
            if (piv[k] != k) std::swap(x[k], x[piv[k]]);
            int hi = band ? std::min(n - 1, k + b) : n - 1;
            for (int i = k + 1; i <= hi; i++) x[i] -= at(i, k) * x[k];
        }
        for (int k = n - 1; k >= 0; k--) {
            int ce = band ? std::min(n - 1, k + 2 * b) : n - 1;
            T s = x[k];
            for (int j = k + 1; j <= ce; j++) s -= at(k, j) * x[j];
            x[k] = s / at(k, k);
        }
    }
};
