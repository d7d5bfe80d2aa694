// The runs of a sweep over slider-cranks, and what they should come to.
#pragma once
#include <cstdio>
#include <ctime>
#include <vector>

struct Run {
    double l1, m2, s;
};

static double now() {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static std::vector<Run> read(const char *path) {
    std::vector<Run> runs;
    Run r;
    FILE *f = fopen(path, "r");
    char line[400];
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%*d,%lf,%lf,%lf", &r.l1, &r.m2, &r.s) == 3) runs.push_back(r);
    if (f) fclose(f);
    return runs;
}
