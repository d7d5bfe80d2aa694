// The problems by Simbody 3.7: joint coordinates, loops closed by constraints.
// usage: peer_simbody METHOD CASE [ACCURACY ...]     METHOD: rkm rkf cpodes-bdf cpodes-adams
#include <Simbody.h>
#include "cases.hpp"
using namespace SimTK;
struct Model {
    MultibodySystem sys;
    SimbodyMatterSubsystem matter;
    GeneralForceSubsystem forces;
    std::vector<MobilizedBody> b;
    const Case *c;
    Model(const Case &cc) : matter(sys), forces(sys), c(&cc) {}
};
static MassProperties rodx(Real m = 1) {
    return MassProperties(m, Vec3(0.5, 0, 0), Inertia(0, m / 3, m / 3));
}
static MassProperties planar(Real m, Vec3 com, Real I) {
    return MassProperties(m, com, Inertia(I, I, I).shiftFromMassCenter(com, m));
}
static MobilizedBody pin(MobilizedBody &parent, Vec3 at, const MassProperties &mp) {
    return MobilizedBody::Pin(parent, Transform(at), Body::Rigid(mp), Transform());
}
static void closePlanar(MobilizedBody &a, Vec3 p, MobilizedBody &b,
                        Vec3 q) { // point q of b stays at point p of a (2 equations)
    Constraint::PointInPlane(a, UnitVec3(1, 0, 0), p[0], b, q);
    Constraint::PointInPlane(a, UnitVec3(0, 1, 0), p[1], b, q);
}
typedef ::P3<double> A; // data of Andrews' mechanism
static void build(Model &M) {
    auto &G = M.matter.Ground();
    auto &b = M.b;
    const Case &c = *M.c;
    Vec3 g(0, -GRAV, 0);
    if (c.kind == 1)
        b.push_back(pin(G, Vec3(0), MassProperties(1, Vec3(1, 0, 0), Inertia(0, 1, 1))));
    if (c.kind == 2) {
        for (int i = 0; i <= c.N; i++) {
            b.push_back(pin(G, Vec3(i, 0, 0), rodx()));
        }
        for (int i = 0; i < c.N; i++) b.push_back(pin(b[i], Vec3(1, 0, 0), rodx()));
        for (int i = 0; i < c.N; i++)
            closePlanar(b[i + 1], Vec3(1, 0, 0), b[c.N + 1 + i], Vec3(1, 0, 0));
    }
    if (c.kind == 3) {
        g = Vec3(0);
        b.resize(7);
        b[0] = pin(G, Vec3(0), planar(A::m1, Vec3(A::ra, 0, 0), A::I1));
        b[1] = pin(b[0], Vec3(A::rr, 0, 0), planar(A::m2, Vec3(-A::da, 0, 0), A::I2));
        b[2] = pin(G, Vec3(A::xb, A::yb, 0), planar(A::m3, Vec3(A::sb, -A::sa, 0), A::I3));
        b[4] = pin(G, Vec3(A::xa, A::ya, 0), planar(A::m5, Vec3(A::ta, A::tb, 0), A::I5));
        b[3] = pin(b[4], Vec3(A::zt, 0, 0), planar(A::m4, Vec3(0, -(A::e - A::ea), 0), A::I4));
        b[6] = pin(G, Vec3(A::xa, A::ya, 0), planar(A::m7, Vec3(-A::ub, -A::ua, 0), A::I7));
        b[5] = pin(b[6], Vec3(0, -A::u, 0), planar(A::m6, Vec3(A::zf - A::fa, 0, 0), A::I6));
        Vec3 E(-A::d, 0, 0);
        closePlanar(b[1], E, b[2], Vec3(0, -A::ss, 0));
        closePlanar(b[1], E, b[3], Vec3(0, -A::e, 0));
        closePlanar(b[1], E, b[5], Vec3(A::zf, 0, 0));
        Force::MobilityConstantForce(M.forces, b[0], MobilizerUIndex(0), A::mom);
        Force::TwoPointLinearSpring(M.forces, G, Vec3(A::xc, A::yc, 0), b[2],
                                    Vec3(A::sd, -A::sc, 0), A::c0, A::l0);
    }
    if (c.kind == 4)
        for (int i = 0; i < c.N; i++) {
            MobilizedBody p = i ? b[i - 1] : MobilizedBody(G);
            b.push_back(pin(p, i ? Vec3(1, 0, 0) : Vec3(0),
                            MassProperties(1, Vec3(1, 0, 0), Inertia(0, 1, 1))));
        }
    if (c.kind == 5) {
        g = Vec3(0, 0, -GRAV);
        Real h = Gov::h, Js = Gov::Jz;
        b.push_back(MobilizedBody::Pin(
            G, Transform(), Body::Rigid(MassProperties(Gov::ms, Vec3(0), Inertia(Js, Js, Js))),
            Transform()));
        Inertia Ic(Gov::mr * h * h / 6, Gov::mr * (1 + h * h) / 12, Gov::mr * (1 + h * h) / 12);
        Inertia Io = Ic.shiftFromMassCenter(Vec3(.5, 0, 0), Gov::mr) + Inertia(0, Gov::mg, Gov::mg);
        Real mt = Gov::mr + Gov::mg;
        MassProperties rod(mt, Vec3((Gov::mr * .5 + Gov::mg) / mt, 0, 0), Io);
        Rotation RA(UnitVec3(1, 0, 0), XAxis, Vec3(0, 1, 0), ZAxis),
            RC(UnitVec3(-1, 0, 0), XAxis, Vec3(0, -1, 0), ZAxis),
            RS(UnitVec3(0, 0, 1), XAxis, Vec3(1, 0, 0), YAxis);
        b.push_back(MobilizedBody::Pin(b[0], Transform(RA, Vec3(Gov::R, 0, Gov::ls)),
                                       Body::Rigid(rod), Transform()));
        b.push_back(MobilizedBody::Pin(b[0], Transform(RC, Vec3(-Gov::R, 0, Gov::ls)),
                                       Body::Rigid(rod), Transform()));
        b.push_back(MobilizedBody::Slider(
            b[0], Transform(RS, Vec3(0)),
            Body::Rigid(MassProperties(Gov::msl, Vec3(0), Inertia(0))), Transform(RS, Vec3(0))));
        for (int s = 0; s < 2; s++) {
            Vec3 F(s ? -Gov::R : Gov::R, 0, 0);
            Force::TwoPointLinearSpring(M.forces, b[1 + s], Vec3(.5, 0, 0), b[3], F, Gov::k,
                                        Gov::d0);
            Force::TwoPointLinearDamper(M.forces, b[1 + s], Vec3(.5, 0, 0), b[3], F, Gov::c);
        }
    }
    if (c.kind == 6) {
        Vec3 P[6] = {Vec3(0, 0, 0),  Vec3(1, 0, 0),  Vec3(1, -1, 0),
                     Vec3(1, -1, 1), Vec3(0, -1, 1), Vec3(0, 0, 1)},
             a = Vec3(0, 1, 0);
        for (int i = 1; i <= 5; i++) {
            Vec3 u = P[i] - P[i - 1];
            Real ia = 0.01 / 6, it = 1.01 / 12;
            Vec3 D;
            for (int d = 0; d < 3; d++) D[d] = std::fabs(u[d]) > .5 ? ia : it;
            Rotation R(UnitVec3(a), ZAxis);
            MobilizedBody p = i > 1 ? b[i - 2] : MobilizedBody(G);
            b.push_back(MobilizedBody::Pin(
                p, Transform(R, i > 1 ? Vec3(P[i - 1] - P[i - 2]) : Vec3(0)),
                Body::Rigid(MassProperties(
                    1, u * .5, Inertia(D[0], D[1], D[2]).shiftFromMassCenter(u * .5, 1))),
                Transform(R, Vec3(0))));
            a = u % a;
        }
        Constraint::Ball(G, P[5], b[4], P[5] - P[4]);
        Constraint::ConstantAngle(G, UnitVec3(1, 0, 0), b[4], UnitVec3(P[5] - P[4]), Pi / 2);
    }
    if (g.norm() > 0) Force::UniformGravity(M.forces, M.matter, g);
}
static void init(Model &M, State &s) {
    auto &b = M.b;
    const Case &c = *M.c;
    auto Q = [&](int i, Real v) { b[i].setOneQ(s, 0, v); };
    auto U = [&](int i, Real v) { b[i].setOneU(s, 0, v); };
    if (c.kind == 2) {
        for (int i = 0; i <= c.N; i++) {
            Q(i, Pi / 2);
            U(i, -1);
        }
        for (int i = 0; i < c.N; i++) {
            Q(c.N + 1 + i, -Pi / 2);
            U(c.N + 1 + i, 1);
        }
    }
    if (c.kind == 3) {
        ::P3<double> d;
        for (int i = 0; i < 7; i++) Q(i, d.q0[i]);
    }
    if (c.kind == 5) {
        U(0, 2 * Pi);
        Q(1, Pi / 6);
        Q(2, Pi / 6);
        Q(3, Gov::Ez0);
    }
}
static void look(Model &M, const State &s, double *o) {
    auto &b = M.b;
    const Case &c = *M.c;
    auto pt = [&](int i, Vec3 p, double *o, int n) {
        Vec3 x = b[i].findStationLocationInGround(s, p);
        for (int d = 0; d < n; d++) o[d] = x[d];
    };
    Vec3 X(1, 0, 0);
    switch (c.kind) {
    case 1: pt(0, X, o, 2); break;
    case 2:
        pt(0, X, o, 2);
        pt(c.N, X, o + 2, 2);
        o[2] -= c.N;
        break;
    case 3:
        for (int i = 0; i < 7; i++) o[i] = b[i].getOneQ(s, 0);
        break;
    case 4:
        pt(0, X, o, 2);
        pt((c.N + 1) / 2 - 1, X, o + 2, 2);
        pt(c.N - 1, X, o + 4, 2);
        break;
    case 5:
        pt(1, X, o, 3);
        o[3] = b[3].getOneQ(s, 0);
        break;
    default: pt(1, Vec3(0, -1, 0), o, 3); pt(2, Vec3(0, 0, 1), o + 3, 3);
    }
}

struct Result {
    double err = 0, time = 0;
    long steps = 0, evaluations = 0;
    bool failed = false;
};

static std::unique_ptr<Integrator> integrator(const std::string &method, MultibodySystem &sys) {
    if (method == "rkm") return std::make_unique<RungeKuttaMersonIntegrator>(sys);
    if (method == "rkf") return std::make_unique<RungeKuttaFeldbergIntegrator>(sys);
    if (method == "cpodes-bdf")
        return std::make_unique<CPodesIntegrator>(sys, CPodes::BDF, CPodes::Newton);
    return std::make_unique<CPodesIntegrator>(sys, CPodes::Adams, CPodes::Functional);
}

static Result run(const std::string &method, Model &M, const State &start, double tol,
                  const Ref &ref) {
    Result R;
    double o[16], limit = setting("PEER_LIMIT", 20);
    auto I = integrator(method, M.sys);
    I->setAccuracy(tol);
    I->setAllowInterpolation(false);
    I->setInternalStepLimit(50000000);
    try {
        I->initialize(start);
        double t0 = now();
        for (int k = 1; k <= NCHK && !R.failed; k++) {
            double to = M.c->tend * k / NCHK;
            while (I->getTime() < to * (1 - 1e-14) && !R.failed) {
                I->stepTo(to, to);
                R.failed = now() - t0 > limit;
            }
            M.sys.realize(I->getState(), Stage::Velocity);
            look(M, I->getState(), o);
            double e = errAt(*M.c, ref, k, o);
            if (!(e <= R.err)) R.err = e;
        }
        R.time = now() - t0;
        R.steps = I->getNumStepsTaken();
        R.evaluations = I->getNumRealizations();
    } catch (std::exception &x) {
        R.failed = true;
        fprintf(stderr, "%s\n", x.what());
    }
    return R;
}

int main(int argc, char **argv) {
    const Case *c = argc > 2 ? findCase(argv[2]) : nullptr;
    if (!c) return 1;
    std::string method = argv[1];
    Ref ref = loadRef(*c);
    double budget = setting("PEER_BUDGET", 1);
    Model M(*c);
    build(M);
    State start = M.sys.realizeTopology();
    init(M, start);
    M.sys.realize(start, Stage::Velocity);
    for (int a = 3; a < argc; a++) {
        double tol = atof(argv[a]), spent = 0;
        Result best;
        int k = 0;
        do {
            Result r = run(method, M, start, tol, ref);
            if (k == 0 || r.failed || r.time < best.time) best = r;
            spent += r.time;
            k++;
        } while (!best.failed && k < 200 && spent < budget);
        if (best.failed) break; // finer ones take longer still
        printf("simbody-%s,%s,%g,%.3g,%.4g,%ld,%ld\n", method.c_str(), c->name, tol, best.err,
               best.time, best.steps, best.evaluations);
        fflush(stdout);
    }
    return 0;
}
