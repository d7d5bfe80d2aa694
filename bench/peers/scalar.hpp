// The scalars that the problems are written for: double, dual numbers (a value and one derivative)
// and quadruple precision.
#pragma once
#include <cmath>
#include <quadmath.h>
typedef __float128 quad;

struct Dual {
    double v, d;
    Dual(double a = 0, double b = 0) : v(a), d(b) {}
};
inline Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
inline Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
inline Dual operator-(Dual a) { return {-a.v, -a.d}; }
inline Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
inline Dual operator/(Dual a, Dual b) {
    double r = 1 / b.v, q = a.v * r;
    return {q, (a.d - q * b.d) * r};
}
inline Dual &operator+=(Dual &a, Dual b) {
    a.v += b.v;
    a.d += b.d;
    return a;
}
inline Dual &operator-=(Dual &a, Dual b) {
    a.v -= b.v;
    a.d -= b.d;
    return a;
}
namespace fn {
inline double sin(double x) { return std::sin(x); }
inline double cos(double x) { return std::cos(x); }
inline double sqrt(double x) { return std::sqrt(x); }
inline quad sin(quad x) { return sinq(x); }
inline quad cos(quad x) { return cosq(x); }
inline quad sqrt(quad x) { return sqrtq(x); }
inline Dual sin(Dual x) { return {std::sin(x.v), std::cos(x.v) * x.d}; }
inline Dual cos(Dual x) { return {std::cos(x.v), -std::sin(x.v) * x.d}; }
inline Dual sqrt(Dual x) {
    double r = std::sqrt(x.v);
    return {r, x.d / (2 * r)};
}
inline double mag(double x) { return std::fabs(x); }
inline double mag(quad x) { return (double)fabsq(x); }
inline double mag(Dual x) { return std::fabs(x.v); }
} // namespace fn
