// A sweep by Simbody in a loop: slider-cranks with other crank lengths and masses of the rod.
// usage: peer_sweep TABLE TEND [ACCURACY ...]     TABLE: CSV with l1, m2 and the true s at the end
// Prints simbody-rkm,ACCURACY,error,runs a second of processor time.
#include <Simbody.h>
#include <cstdlib>
#include "sweep.hpp"
using namespace SimTK;

// A rod along x from a pin at its beginning.
static MobilizedBody rod(MobilizedBody &parent, double at, double length, double mass) {
    const double I = mass * length * length / 3;
    return MobilizedBody::Pin(
        parent, Transform(Vec3(at, 0, 0)),
        Body::Rigid(MassProperties(mass, Vec3(length / 2, 0, 0), Inertia(0, I, I))), Transform());
}

// examples/slider-crank.yaml: crank at 45 degrees, the slider moves by -4.
static double go(const Run &r, double tend, double accuracy) {
    const double l2 = 1, a = Pi / 4, y = r.l1 * std::sin(a), x = std::sqrt(l2 * l2 - y * y);
    MultibodySystem sys;
    SimbodyMatterSubsystem matter(sys);
    GeneralForceSubsystem forces(sys);
    MobilizedBody crank = rod(matter.Ground(), 0, r.l1, 1), bar = rod(crank, r.l1, l2, r.m2);
    Constraint::PointInPlane(matter.Ground(), UnitVec3(0, 1, 0), 0, bar, Vec3(l2, 0, 0));
    Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
    State state = sys.realizeTopology();
    const double b = std::atan2(-y, x), turn = -4 / (-y - y * r.l1 * std::cos(a) / x);
    crank.setOneQ(state, 0, a);
    bar.setOneQ(state, 0, b - a);
    crank.setOneU(state, 0, turn);
    bar.setOneU(state, 0, -r.l1 * std::cos(a) * turn / x - turn);
    RungeKuttaMersonIntegrator integrator(sys);
    integrator.setAccuracy(accuracy);
    integrator.setConstraintTolerance(0.1 * accuracy);
    integrator.setAllowInterpolation(false);
    integrator.initialize(state);
    while (integrator.getTime() < tend * (1 - 1e-14)) integrator.stepTo(tend, tend);
    sys.realize(integrator.getState(), Stage::Position);
    return bar.findStationLocationInGround(integrator.getState(), Vec3(l2, 0, 0))[0];
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    const std::vector<Run> runs = read(argv[1]);
    for (int k = 3; k < argc; k++) {
        double error = 0, begin = now();
        for (const Run &r : runs)
            error = std::max(error, std::fabs(go(r, atof(argv[2]), atof(argv[k])) - r.s));
        printf("simbody-rkm,%s,%.3g,%.5g\n", argv[k], error, (double)runs.size() / (now() - begin));
        fflush(stdout);
    }
    return 0;
}
