/* The Taylor polynomial at the left end, and beyond it what the right end knows better. */
#include "solve/twopoint.h"

#include <string.h>

static int least(int a, int b) { return a < b ? a : b; }

double taut_twopoint_shifted(const double *c, int count, int k, double theta) {
    double sum = 0.0, binomial = 1.0, power = 1.0;
    for (int i = k; i < count; i++) {
        sum += binomial * c[i] * power;
        binomial *= (double)(i + 1) / (double)(i + 1 - k);
        power *= theta;
    }
    return sum;
}

void taut_twopoint_set(taut_twopoint *p, const double *left, int lefts, const double *right,
                       int rights) {
    double gap[TAUT_TWOPOINT_MOST];
    p->lefts = least(lefts, TAUT_TWOPOINT_MOST);
    p->rests = least(rights, TAUT_TWOPOINT_MOST);
    memcpy(p->left, left, (size_t)p->lefts * sizeof *left);
    for (int i = 0; i < p->rests; i++)
        gap[i] = right[i] - taut_twopoint_shifted(p->left, p->lefts, i, 1.0);
    /* the gap divided by theta^lefts = (1 + u)^lefts, as a series in u = theta - 1 */
    for (int i = 0; i < p->rests; i++) {
        double factor = 1.0;
        p->rest[i] = 0.0;
        for (int l = 0; l <= i; l++) {
            p->rest[i] += factor * gap[i - l];
            factor *= -(double)(p->lefts + l) / (double)(l + 1);
        }
    }
}

double taut_twopoint_value(const taut_twopoint *p, int k, double theta) {
    double sum = taut_twopoint_shifted(p->left, p->lefts, k, theta);
    double binomial =
        1.0; /* (theta + u)^lefts has the coefficients C(lefts, l) theta^(lefts - l) */
    for (int l = 0; l <= least(k, p->lefts); l++) {
        double factor = 1.0;
        for (int i = 0; i < p->lefts - l; i++) factor *= theta;
        sum += binomial * factor * taut_twopoint_shifted(p->rest, p->rests, k - l, theta - 1.0);
        binomial *= (double)(p->lefts - l) / (double)(l + 1);
    }
    return sum;
}
