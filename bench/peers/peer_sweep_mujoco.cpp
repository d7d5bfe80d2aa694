// A sweep by MuJoCo in a loop: slider-cranks with other crank lengths and masses of the rod.
// usage: peer_sweep_mujoco TABLE TEND [STEP ...]  TABLE: CSV with l1, m2 and the true s at the end
// Prints mujoco-RK4,STEP,error,runs a second of processor time; compiling models is not counted.
#include <mujoco/mujoco.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include "sweep.hpp"

// examples/slider-crank.yaml: crank at 45 degrees. The slider without mass carries the rod, so that
// no body has less mass than MuJoCo accepts; the loop is closed where rod and crank meet, by a
// constraint as stiff as the step allows.
static mjModel *load(const Run &r, double dt) {
    const double l2 = 1, a = M_PI / 4, y = r.l1 * std::sin(a), x = std::sqrt(l2 * l2 - y * y);
    const double tiny = 2e-15, i1 = r.l1 * r.l1 / 12, i2 = r.m2 * l2 * l2 / 12;
    char text[4000], message[1000] = "";
    snprintf(
        text, sizeof text,
        "<mujoco><compiler angle='radian' boundmass='0' balanceinertia='false' coordinate='local'/>"
        "<option timestep='%.17g' gravity='0 -9.81 0' integrator='RK4' tolerance='1e-14' "
        "iterations='200' solver='Newton'/><worldbody>"
        "<body name='crank' euler='0 0 %.17g'><joint type='hinge' axis='0 0 1'/>"
        "<inertial mass='1' pos='%.17g 0 0' diaginertia='%.17g %.17g %.17g'/></body>"
        "<body name='slider' pos='%.17g 0 0'><joint type='slide' axis='1 0 0'/>"
        "<inertial mass='%g' pos='0 0 0' diaginertia='%g %g %g'/>"
        "<body name='rod' euler='0 0 %.17g'><joint type='hinge' axis='0 0 1'/>"
        "<inertial mass='%.17g' pos='%.17g 0 0' diaginertia='%.17g %.17g %.17g'/></body></body>"
        "</worldbody><equality><connect body1='crank' body2='rod' anchor='%.17g 0 0' "
        "solref='%.17g 1' solimp='0.9999 0.9999 0.001 0.5 2'/></equality></mujoco>",
        dt, a, r.l1 / 2, tiny, i1 + tiny, i1 + tiny, r.l1 * std::cos(a) + x, tiny, tiny, tiny, tiny,
        std::atan2(y, -x), r.m2, l2 / 2, tiny, i2 + tiny, i2 + tiny, r.l1, 2.01 * dt);
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "peer.xml", (int)strlen(text));
    memcpy(files->filedata[0], text, strlen(text));
    mjModel *m = mj_loadXML("peer.xml", files.get(), message, sizeof message);
    if (!m) fprintf(stderr, "%s\n", message);
    mj_deleteVFS(files.get());
    return m;
}

// Where the slider is at the end; it begins with -4.
static double go(const Run &r, const mjModel *m, mjData *d, long steps) {
    const double a = M_PI / 4, y = r.l1 * std::sin(a), x = std::sqrt(1 - y * y);
    const double turn = -4 / (-y - y * r.l1 * std::cos(a) / x);
    mj_resetData(m, d);
    d->qvel[0] = turn;
    d->qvel[1] = -4;
    d->qvel[2] = -r.l1 * std::cos(a) * turn / x;
    for (long i = 0; i < steps; i++) mj_step(m, d);
    return r.l1 * std::cos(a) + x + d->qpos[1];
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    const std::vector<Run> runs = read(argv[1]);
    const double tend = atof(argv[2]);
    for (int k = 3; k < argc; k++) {
        const long steps = lround(tend / atof(argv[k]));
        double error = 0, seconds = 0;
        for (const Run &r : runs) {
            mjModel *m = load(r, tend / (double)steps);
            if (!m) return 1;
            mjData *d = mj_makeData(m);
            const double begin = now();
            const double s = go(r, m, d, steps);
            seconds += now() - begin;
            error = std::fmax(error, std::fabs(s - r.s));
            mj_deleteData(d);
            mj_deleteModel(m);
        }
        printf("mujoco-RK4,%s,%.3g,%.5g\n", argv[k], error, (double)runs.size() / seconds);
        fflush(stdout);
    }
    return 0;
}
