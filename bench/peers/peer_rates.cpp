// How long Simbody takes for one evaluation of accelerations on chains of pendulums, as bench_recursion.
// usage: peer_rates BODIES ...     prints bodies, seconds, the first and the last acceleration
#include <Simbody.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
using namespace SimTK;

static double seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    for (int k = 1; k < argc; k++) {
        const int n = atoi(argv[k]);
        MultibodySystem sys;
        SimbodyMatterSubsystem matter(sys);
        GeneralForceSubsystem forces(sys);
        Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
        const MassProperties mass(1, Vec3(1, 0, 0), Inertia(0, 1, 1));
        std::vector<MobilizedBody> b;
        for (int i = 0; i < n; i++) {
            MobilizedBody parent = i ? b[i - 1] : MobilizedBody(matter.Ground());
            b.push_back(MobilizedBody::Pin(parent, Transform(i ? Vec3(1, 0, 0) : Vec3(0)),
                                           Body::Rigid(mass), Transform()));
        }
        State s = sys.realizeTopology();
        auto place = [&]() {
            for (int i = 0; i < n; i++) {
                s.updQ()[i] = 0.1 * std::sin(i + 1.0);
                s.updU()[i] = 0.1 * std::cos(i + 1.0);
            }
        };
        double best = 1e300, first = 0, last = 0;
        for (int round = 0; round < 15; round++) {
            const double begin = seconds();
            double spent = 0;
            long times = 0;
            while (spent < 0.02) {
                for (int j = 0; j < 1 + 2000 / n; j++, times++) {
                    if (j % 64 == 0) place();
                    s.updQ(); // all that depends on it is found anew
                    sys.realize(s, Stage::Acceleration);
                }
                spent = seconds() - begin;
            }
            best = std::min(best, spent / (double)times);
        }
        first = s.getUDot()[0];
        last = s.getUDot()[n - 1];
        printf("%d,%.4g,%.12g,%.12g\n", n, best, first, last);
        fflush(stdout);
    }
    return 0;
}
