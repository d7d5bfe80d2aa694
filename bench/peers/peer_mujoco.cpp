// The problems by MuJoCo 2.2: joint coordinates, loops closed by stiff constraints, fixed steps.
// usage: peer_mujoco INTEGRATOR CASE [STEP ...]     INTEGRATOR: RK4 implicit Euler
#include <mujoco/mujoco.h>
#include <sstream>
#include <cstring>
#include "cases.hpp"
typedef ::P3<double> A;
static std::string in(double m, double x, double y, double z, double a, double b, double c) {
    char s[300];
    snprintf(s, 300,
             "<inertial mass='%.17g' pos='%.17g %.17g %.17g' diaginertia='%.17g %.17g %.17g'/>", m,
             x, y, z, a, b, c);
    return s;
}
static std::string body(const char *name, double x, double y, double z, const char *axis,
                        double ref) {
    char s[300];
    snprintf(s, 300,
             "<body name='%s' pos='%.17g %.17g %.17g'><joint type='hinge' axis='%s' ref='%.17g'/>",
             name, x, y, z, axis, ref);
    return s;
}
static const double TINY = 2e-15; // MuJoCo needs positive inertia; only about axes that do not move
                                  // (rods: about their own axis)
static std::string rod() { return in(1, .5, 0, 0, TINY, 1 / 12. + TINY, 1 / 12. + TINY); }
static std::string pl(double m, double x, double y, double I) { return in(m, x, y, 0, I, I, I); }
static std::string site(const char *n, double x, double y, double z) {
    char s[200];
    snprintf(s, 200, "<site name='%s' pos='%.17g %.17g %.17g'/>", n, x, y, z);
    return s;
}
static std::string model(const Case &c, const std::string &integ, double dt) {
    std::ostringstream o;
    const char *grav = c.kind == 3 ? "0 0 0" : c.kind == 5 ? "0 0 -9.81" : "0 -9.81 0";
    char sr[100];
    snprintf(sr, 100, "solref='%.17g 1' solimp='0.9999 0.9999 0.001 0.5 2'", 2.01 * dt);
    o.precision(17);
    o << "<mujoco><compiler angle='radian' boundmass='0' balanceinertia='false' "
         "coordinate='local'/><option timestep='"
      << dt << "' gravity='" << grav << "' integrator='" << integ
      << "' tolerance='1e-14' iterations='200' solver='Newton'/><size njmax='4000' "
         "nconmax='10'/><worldbody>";
    std::ostringstream eq, td;
    const char *Z = "0 0 1";
    if (c.kind == 1)
        o << body("b0", 0, 0, 0, Z, 0) << in(1, 1, 0, 0, TINY, TINY, TINY) << "</body>";
    if (c.kind == 2) {
        for (int i = 0; i <= c.N; i++) {
            std::string n = "b" + std::to_string(i), k = "c" + std::to_string(i);
            o << body(n.c_str(), i, 0, 0, Z, 0) << rod();
            if (i < c.N) {
                o << body(k.c_str(), 1, 0, 0, Z, 0) << rod() << "</body>";
                eq << "<connect body1='" << k << "' body2='b" << i + 1 << "' anchor='1 0 0' " << sr
                   << "/>";
            }
            o << "</body>";
        }
    }
    if (c.kind == 3) {
        o << body("k1", 0, 0, 0, Z, 0) << pl(A::m1, A::ra, 0, A::I1)
          << body("k2", A::rr, 0, 0, Z, 0) << pl(A::m2, -A::da, 0, A::I2) << "</body></body>"
          << body("k3", A::xb, A::yb, 0, Z, 0) << pl(A::m3, A::sb, -A::sa, A::I3)
          << site("D", A::sd, -A::sc, 0) << "</body>" << body("k5", A::xa, A::ya, 0, Z, 0)
          << pl(A::m5, A::ta, A::tb, A::I5) << body("k4", A::zt, 0, 0, Z, 0)
          << pl(A::m4, 0, -(A::e - A::ea), A::I4) << "</body></body>"
          << body("k7", A::xa, A::ya, 0, Z, 0) << pl(A::m7, -A::ub, -A::ua, A::I7)
          << body("k6", 0, -A::u, 0, Z, 0) << pl(A::m6, A::zf - A::fa, 0, A::I6) << "</body></body>"
          << site("C", A::xc, A::yc, 0);
        for (const char *k : {"k3", "k4", "k6"})
            eq << "<connect body1='k2' body2='" << k << "' anchor='" << -A::d << " 0 0' " << sr
               << "/>";
        td << "<tendon><spatial stiffness='" << A::c0 << "' springlength='" << A::l0
           << "'><site site='C'/><site site='D'/></spatial></tendon>";
    }
    if (c.kind == 4) {
        for (int i = 0; i < c.N; i++)
            o << body(("b" + std::to_string(i)).c_str(), i ? 1 : 0, 0, 0, Z, 0)
              << in(1, 1, 0, 0, TINY, TINY, TINY);
        for (int i = 0; i < c.N; i++) o << "</body>";
    }
    if (c.kind == 5) {
        double h = Gov::h, Ia = Gov::mr * h * h / 6, It = Gov::mr * (1 + h * h) / 12, Js = Gov::Jz;
        double mt = Gov::mr + Gov::mg, x = (Gov::mr * .5 + Gov::mg) / mt,
               Ic = It + Gov::mr * (x - .5) * (x - .5) + Gov::mg * (1 - x) * (1 - x);
        o << body("s", 0, 0, 0, Z, 0) << in(Gov::ms, 0, 0, 0, Js, Js, Js)
          << body("r1", Gov::R, 0, 1, "0 1 0", 0) << in(mt, x, 0, 0, Ia, Ic, Ic)
          << site("m1", .5, 0, 0) << "</body>" << body("r2", -Gov::R, 0, 1, "0 -1 0", 0)
          << in(mt, -x, 0, 0, Ia, Ic, Ic) << site("m2", -.5, 0, 0) << "</body>"
          << "<body name='sl'><joint type='slide' axis='0 0 1'/>"
          << in(Gov::msl, 0, 0, 0, TINY, TINY, TINY) << site("f1", Gov::R, 0, 0)
          << site("f2", -Gov::R, 0, 0) << "</body></body><site name='w' pos='0 0 0'/>";
        td << "<tendon>";
        for (int s = 1; s <= 2; s++)
            td << "<spatial stiffness='" << Gov::k << "' damping='" << Gov::c << "' springlength='"
               << Gov::d0 << "'><site site='m" << s << "'/><site site='f" << s << "'/></spatial>";
        td << "</tendon>";
    }
    if (c.kind == 6) {
        double P[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
        const char *ax[5] = {"0 1 0", "0 0 1", "1 0 0", "0 1 0", "0 0 1"};
        for (int i = 1; i <= 5; i++) {
            double u[3], D[3];
            for (int d = 0; d < 3; d++) {
                u[d] = P[i][d] - P[i - 1][d];
                D[d] = std::fabs(u[d]) > .5 ? .01 / 6 : 1.01 / 12;
            }
            double *w = P[i - 1], *pw = P[i > 1 ? i - 2 : 0];
            o << body(("b" + std::to_string(i)).c_str(), w[0] - pw[0], w[1] - pw[1], w[2] - pw[2],
                      ax[i - 1], 0)
              << in(1, u[0] / 2, u[1] / 2, u[2] / 2, D[0], D[1], D[2]);
        }
        for (int i = 0; i < 5; i++) o << "</body>";
        eq << "<connect body1='b5' anchor='0 1 0' " << sr
           << "/><connect body1='b5' anchor='.5 1 0' " << sr << "/>";
    }
    o << "</worldbody>" << td.str();
    if (eq.str().size()) o << "<equality>" << eq.str() << "</equality>";
    o << "</mujoco>";
    return o.str();
}
// The model of an XML text, by way of a file in MuJoCo's own virtual file system.
static mjModel *load(const std::string &text) {
    auto files = std::make_unique<mjVFS>();
    char message[1000] = "";
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "peer.xml", (int)text.size());
    memcpy(files->filedata[0], text.data(), text.size());
    mjModel *m = mj_loadXML("peer.xml", files.get(), message, sizeof message);
    if (!m) fprintf(stderr, "%s\n", message);
    mj_deleteVFS(files.get());
    return m;
}

struct Sim {
    const Case *c;
    mjModel *m;
    mjData *d;
    int body(const std::string &name) const { return mj_name2id(m, mjOBJ_BODY, name.c_str()); }
    int joint(const std::string &name) const { return m->body_jntadr[body(name)]; }
    void set(const std::string &name, double q, double v) {
        d->qpos[joint(name)] = q;
        d->qvel[joint(name)] = v;
    }
    // n coordinates of a point of a body
    void point(const std::string &name, double x, double y, double z, double *o, int n) const {
        int b = body(name);
        double p[3] = {x, y, z}, r[3];
        mju_rotVecMat(r, p, d->xmat + 9 * b);
        for (int i = 0; i < n; i++) o[i] = r[i] + d->xpos[3 * b + i];
    }
};

static std::string number(const char *name, int i) { return name + std::to_string(i); }

// MuJoCo takes the anchors of a loop from the zero configuration, where the loops here are open:
// sets them in both bodies.
static void setAnchors(const Case &c, mjModel *m) {
    const double second[3][2] = {{0, -A::ss}, {0, -A::e}, {A::zf, 0}};
    for (int i = 0; i < m->neq && (c.kind == 2 || c.kind == 3); i++) {
        double *e = m->eq_data + i * mjNEQDATA;
        e[0] = c.kind == 2 ? 1 : -A::d;
        e[1] = e[2] = e[5] = 0;
        e[3] = c.kind == 2 ? 1 : second[i][0];
        e[4] = c.kind == 2 ? 0 : second[i][1];
    }
}

static void init(Sim &s) {
    mj_resetData(s.m, s.d);
    if (s.c->kind == 2)
        for (int i = 0; i <= s.c->N; i++) {
            s.set(number("b", i), M_PI / 2, -1);
            if (i < s.c->N) s.set(number("c", i), -M_PI / 2, 1);
        }
    if (s.c->kind == 3) {
        ::P3<double> data;
        for (int i = 0; i < 7; i++) s.set(number("k", i + 1), data.q0[i], 0);
        s.d->qfrc_applied[s.joint("k1")] = A::mom;
    }
    if (s.c->kind == 5) {
        s.set("s", 0, 2 * M_PI);
        s.set("r1", M_PI / 6, 0);
        s.set("r2", M_PI / 6, 0);
        s.set("sl", .5, 0);
    }
}

static void look(const Sim &s, double *o) {
    int n = s.c->N;
    mj_kinematics(s.m, s.d);
    switch (s.c->kind) {
    case 1: s.point("b0", 1, 0, 0, o, 2); break;
    case 2:
        s.point("b0", 1, 0, 0, o, 2);
        s.point(number("b", n), 1, 0, 0, o + 2, 2);
        o[2] -= n;
        break;
    case 3:
        for (int i = 0; i < 7; i++) o[i] = s.d->qpos[s.joint(number("k", i + 1))];
        break;
    case 4:
        s.point("b0", 1, 0, 0, o, 2);
        s.point(number("b", (n + 1) / 2 - 1), 1, 0, 0, o + 2, 2);
        s.point(number("b", n - 1), 1, 0, 0, o + 4, 2);
        break;
    case 5:
        s.point("r1", 1, 0, 0, o, 3);
        o[3] = s.d->qpos[s.joint("sl")];
        break;
    default: s.point("b2", 0, -1, 0, o, 3); s.point("b3", 0, 0, 1, o + 3, 3);
    }
}

// Seconds of a run with so many steps between checkpoints, and its error.
static double run(Sim &s, long steps, const Ref &ref, double *error) {
    double seconds = 0, o[16];
    *error = 0;
    init(s);
    for (int k = 1; k <= NCHK; k++) {
        double t0 = now();
        for (long i = 0; i < steps; i++) mj_step(s.m, s.d);
        seconds += now() - t0;
        look(s, o);
        double e = errAt(*s.c, ref, k, o);
        if (!(e <= *error)) *error = e;
    }
    return seconds;
}

int main(int argc, char **argv) {
    const Case *c = argc > 2 ? findCase(argv[2]) : nullptr;
    if (!c) return 1;
    std::string integrator = argv[1];
    Ref ref = loadRef(*c);
    double budget = setting("PEER_BUDGET", 1);
    for (int a = 3; a < argc; a++) {
        long steps = lround(c->tend / NCHK / atof(argv[a])), all = steps * NCHK;
        double dt = c->tend / (double)all, best = INFINITY, spent = 0, error = 0;
        Sim s{c, load(model(*c, integrator, dt)), nullptr};
        if (!s.m) return 1;
        s.d = mj_makeData(s.m);
        setAnchors(*c, s.m);
        int k = 0;
        do {
            double seconds = run(s, steps, ref, &error);
            best = std::min(best, seconds);
            spent += seconds;
            k++;
        } while (k < 200 && spent < budget);
        printf("mujoco-%s,%s,%g,%.3g,%.4g,%ld,%ld\n", integrator.c_str(), c->name, dt, error, best,
               all, all * (integrator == "RK4" ? 4 : 1));
        fflush(stdout);
        mj_deleteData(s.d);
        mj_deleteModel(s.m);
    }
    return 0;
}
