"""Imported robots move as equations of motion say that are written down anew here: frames by products of matrices,
the kinetic energy by complex steps, Lagrange's equations by exact derivatives of a polynomial fit to none of taut's code."""
import linecache
import math
import xml.etree.ElementTree as xml

import numpy
import pytest

import taut

GRAVITY = numpy.array([0, 0, -9.81])


def skew(v):
    return numpy.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rotation(axis, angle):
    """Rodrigues."""
    k = skew(numpy.asarray(axis, float) / numpy.linalg.norm(axis))
    return numpy.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def numbers(node, name, default):
    text = node.get(name) if node is not None else None
    return numpy.array([float(x) for x in text.split()]) if text else numpy.array(default, float)


def origin(node):
    o = node.find("origin")
    r, p, y = numbers(o, "rpy", [0, 0, 0])
    return rotation([0, 0, 1], y) @ rotation([0, 1, 0], p) @ rotation([1, 0, 0], r), numbers(o, "xyz", [0, 0, 0])


class Urdf:
    """Forward dynamics of a URDF tree: M(q) q'' = f, from Jacobians of every link in the world's axes."""

    def __init__(self, path):
        root = xml.parse(path).getroot()
        self.joints = [j for j in root.findall("joint")]
        self.links = {link.get("name"): link for link in root.findall("link")}
        self.parent = {j.find("child").get("link"): j for j in self.joints}
        self.moving = [j.get("name") for j in self.joints if j.get("type") in ("revolute", "continuous", "prismatic")]
        self.damping = numpy.array([float(j.find("dynamics").get("damping", 0)) if j.find("dynamics") is not None else 0
                                    for j in self.joints if j.get("name") in self.moving])

    def chain(self, link):
        out = []
        while link in self.parent:
            out.append(self.parent[link])
            link = self.parent[link].find("parent").get("link")
        return out[::-1]

    def body(self, link, q, v):
        """Rotation, position, Jacobians, and the accelerations that velocities alone make."""
        n = len(self.moving)
        R, p = numpy.eye(3), numpy.zeros(3)
        Jw, Jv = numpy.zeros((3, n)), numpy.zeros((3, n))
        w, u = numpy.zeros(3), numpy.zeros(3)  # velocities
        dw, du = numpy.zeros(3), numpy.zeros(3)  # accelerations at q'' = 0

        def move(d):
            """To another point of the same body, d away."""
            nonlocal p, Jv, u, du
            p, Jv = p + d, Jv - skew(d) @ Jw
            du = du + numpy.cross(dw, d) + numpy.cross(w, numpy.cross(w, d))
            u = u + numpy.cross(w, d)

        for j in self.chain(link):
            Ro, po = origin(j)
            move(R @ po)
            R = R @ Ro
            if j.get("name") not in self.moving:
                continue
            k = self.moving.index(j.get("name"))
            axis = numbers(j.find("axis"), "xyz", [1, 0, 0])
            axis = R @ (axis / numpy.linalg.norm(axis))
            if j.get("type") == "prismatic":
                move(axis * q[k])
                du = du + 2 * numpy.cross(w, axis * v[k])
                Jv[:, k] += axis
                u = u + axis * v[k]
            else:
                dw = dw + numpy.cross(w, axis * v[k])
                Jw[:, k] += axis
                w = w + axis * v[k]
                R = rotation(axis, q[k]) @ R
        return R, move, lambda: (Jw, Jv, w, dw, du)

    def matrices(self, q, v):
        n = len(self.moving)
        M, f = numpy.zeros((n, n)), -self.damping * v
        for name, link in self.links.items():
            inertial = link.find("inertial")
            if inertial is None:
                continue
            R, move, get = self.body(name, q, v)
            Ri, c = origin(inertial)
            move(R @ c)
            Jw, Jv, w, dw, du = get()
            i = inertial.find("inertia")
            tensor = numpy.array([[float(i.get("i" + "".join(sorted(a + b)))) for b in "xyz"] for a in "xyz"])
            tensor = R @ Ri @ tensor @ Ri.T @ R.T
            m = float(inertial.find("mass").get("value"))
            M += m * Jv.T @ Jv + Jw.T @ tensor @ Jw
            f += Jv.T @ (m * (GRAVITY - du)) - Jw.T @ (tensor @ dw + numpy.cross(w, tensor @ w))
        return M, f

    def accelerations(self, q, v, ties=()):
        """With ties (slave, master, ratio): q'' = T y''."""
        M, f = self.matrices(q, v)
        keep = [k for k in range(len(self.moving)) if k not in {t[0] for t in ties}]
        T = numpy.zeros((len(self.moving), len(keep)))
        for column, k in enumerate(keep):
            T[k, column] = 1
        for slave, master, ratio in ties:
            T[slave, keep.index(master)] = ratio
        return T @ numpy.linalg.solve(T.T @ M @ T, T.T @ f)


@pytest.fixture
def arm(source):
    return source / "tests" / "models" / "import" / "arm.urdf"


def read(path, **options):
    with pytest.warns(taut.Warning, match="left out") as caught:
        model = taut.load(path, **options)
    assert all("taut.load(" in linecache.getline(w.filename, w.lineno) for w in caught)  # where it was called
    return model


NAMES = ["shoulder", "elbow", "slide", "left", "right"]


@pytest.mark.parametrize("formulation", ["natural", "relative"])
def test_accelerations_of_an_arm(arm, formulation):
    robot, m = Urdf(arm), read(arm)
    random = numpy.random.default_rng(1)
    s = m.simulation(formulation=formulation, derivatives=2, tol=1e-13)
    assert robot.moving == NAMES + ["tip"]
    for _ in range(100):
        q, v = random.uniform(-0.9, 0.9, 6), random.uniform(-2, 2, 6)
        q[4], v[4], q[5], v[5] = -1.5 * q[3] + 0.1, -1.5 * v[3], 0, 0
        for name, x, rate in zip(NAMES, q, v):
            s.initial(name, x)
            s.initial(name + "'", rate)
        s.start()
        M, f = robot.matrices(q, v)
        wanted = reduced(M, f)
        got = numpy.array([s.value(n + "''") for n in NAMES])
        numpy.testing.assert_allclose([s.value(n) for n in NAMES], q[:5], atol=1e-12)
        numpy.testing.assert_allclose([s.value(n + "'") for n in NAMES], v[:5], atol=1e-11)
        assert abs(got - wanted).max() < 1e-10 * max(1, abs(wanted).max())


def reduced(M, f):
    """Without the massless tip, and with right = -1.5 left + 0.1."""
    T = numpy.zeros((6, 4))
    for k in range(4):
        T[k, k] = 1
    T[4, 3] = -1.5
    return (T @ numpy.linalg.solve(T.T @ M @ T, T.T @ f))[:5]


def test_motion_of_an_arm(arm):
    """A second by Runge-Kutta of order 4 with the equations above, extrapolated, beside taut."""
    robot, m = Urdf(arm), read(arm)

    def rate(x):
        q, v = numpy.append(x[:5], 0), numpy.append(x[5:], 0)
        return numpy.concatenate([x[5:], reduced(*robot.matrices(q, v))])

    def march(steps):
        x, h = numpy.array([0, 0, 0, 0, 0.1] + [0.0] * 5), 0.2 / steps
        for _ in range(steps):
            a = rate(x)
            b = rate(x + h / 2 * a)
            c = rate(x + h / 2 * b)
            x = x + h / 6 * (a + 2 * b + 2 * c + rate(x + h * c))
        return x

    coarse, fine = march(40), march(80)
    best = fine + (fine - coarse) / 15
    r = m.run(tol=1e-13, at=[0.2])
    assert abs(fine - coarse).max() < 1e-4
    numpy.testing.assert_allclose([r[n][0] for n in NAMES], best[:5], atol=1e-8)
    relative = m.run(tol=1e-13, at=[0.2], formulation="relative")
    numpy.testing.assert_allclose([r[n][0] for n in NAMES], [relative[n][0] for n in NAMES], atol=1e-11)


FOUR_BAR = """<robot name="four-bar">
<link name="base"/>
<link name="crank"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<link name="coupler"><inertial><origin xyz="1 0 0"/><mass value="2"/>
<inertia ixx="0.02" ixy="0" ixz="0" iyy="0.7" iyz="0" izz="0.7"/></inertial></link>
<link name="rocker"><inertial><origin xyz="0.75 0 0"/><mass value="1.5"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.3" iyz="0" izz="0.3"/></inertial></link>
<joint name="a" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 -1 0"/></joint>
<joint name="b" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="1 0 0"/><axis xyz="0 -1 0"/></joint>
<joint name="d" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="2 0 0"/><axis xyz="0 -1 0"/></joint>
%s</robot>
"""
CLOSING = """<link name="closing_tip_1"/><link name="closing_tip_2"/>
<joint name="e" type="fixed"><parent link="coupler"/><child link="closing_tip_1"/><origin xyz="2 0 0"/></joint>
<joint name="f" type="fixed"><parent link="rocker"/><child link="closing_tip_2"/><origin xyz="1.5 0 0"/></joint>
"""
PLANAR = """Dimension: 2
PartData:
  Fixed: {O: [0, 0], P: [2, 0]}
  Rigids:
    OA: {Geom: [[1, 0]], Dyna: [[0.5, 0], 1, 0.1]}
    AB: {Geom: [[2, 0]], Dyna: [[1, 0], 2, 0.7]}
    PB: {Geom: [[1.5, 0]], Dyna: [[0.75, 0], 1.5, 0.3]}
AppliedForces: {Gravity: }
Angles: {a: OA}
ProblemData: {tend: 1, positions: {a: 1.2, A: [0.36, 0.93], B: [2.2, 1.5]}, fixedpositions: [a]}
"""


@pytest.mark.parametrize("way", ["closing", "beside"])
@pytest.mark.parametrize("formulation", ["natural", "relative"])
def test_loops_close(tmp_path, way, formulation):
    """A four-bar in space beside the same in the plane: another dimension, other coordinates."""
    path = tmp_path / "four-bar.urdf"
    path.write_text(FOUR_BAR % (CLOSING if way == "closing" else ""))
    if way == "beside":
        (tmp_path / "four-bar.loops.xml").write_text(
            '<loops><loop name="tip" type="revolute" link1="coupler" xyz1="2 0 0" rpy1="1.5707963267948966 0 0" '
            'link2="rocker" xyz2="1.5 0 0" rpy2="1.5707963267948966 0 0"/></loops>')
    plane = taut.parse(PLANAR, "plane")
    reference = plane.run(tol=1e-13, at=[0, 0.5, 1], derivatives=2)
    s = taut.load(path).simulation(formulation=formulation, tol=1e-13, derivatives=2)
    s.initial("a", 1.2, fix=True)
    s.initial("b", -0.9)
    s.initial("d", 1.4)
    for k, t in enumerate(reference.t):
        s.run_to(t)
        for name in ("a", "a'", "a''"):
            assert s[name] == pytest.approx(reference[name][k], abs=1e-10)


def test_floating_bodies_fall(tmp_path):
    path = tmp_path / "ball.urdf"
    path.write_text("""<robot name="thrown"><link name="world"/><link name="body"><inertial><origin xyz="0.1 0 0"/>
<mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial></link>
<joint name="free" type="floating"><parent link="world"/><child link="body"/><origin xyz="1 2 3" rpy="0 0 1"/></joint></robot>""")
    r = taut.load(path).run(tol=1e-12, at=[0, 1])
    assert r["O_bodyz"][1] == pytest.approx(3 - 9.81 / 2, abs=1e-11)
    assert r["O_bodyx"][1] == pytest.approx(1, abs=1e-11)


def test_damping_friction_and_racks(tmp_path):
    """A slide against friction and damping, and one that mimics a turning joint."""
    path = tmp_path / "slide.urdf"
    link = """<link name="%s"><inertial><mass value="2"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
</inertial></link>"""
    path.write_text('<robot name="s"><link name="w"/>' + link % "a" + link % "b" + link % "c" + """
<joint name="x" type="prismatic"><parent link="w"/><child link="a"/><axis xyz="0 0 1"/><dynamics damping="3" friction="5"/></joint>
<joint name="p" type="continuous"><parent link="w"/><child link="b"/><axis xyz="0 1 0"/></joint>
<joint name="s" type="prismatic"><parent link="w"/><child link="c"/><axis xyz="0 0 1"/><mimic joint="p" multiplier="0.25" offset="0.5"/>
</joint></robot>""")
    r = taut.load(path).run(tol=1e-12, at=[0.25, 1], derivatives=2)
    # m x'' = -m g + F - d x', from rest, downwards
    a, d = -9.81 + 5 / 2, 3 / 2
    numpy.testing.assert_allclose(r["x'"], a / d * (1 - numpy.exp(-d * r.t)), atol=1e-10)
    # I p'' + r m (r p'' + g) = 0
    numpy.testing.assert_allclose(r["p''"], -0.25 * 2 * 9.81 / (0.1 + 0.25**2 * 2), atol=1e-9)
    numpy.testing.assert_allclose(r["s"], 0.25 * r["p"] + 0.5, atol=1e-12)


def test_surfaces_stay_with_their_files(tmp_path):
    import pickle

    (tmp_path / "tip.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    path = tmp_path / "four-bar.urdf"
    visual = '<visual><geometry><mesh filename="tip.obj"/></geometry></visual></link>'
    path.write_text((FOUR_BAR % "").replace("</link>", visual, 1))
    m = taut.load(path)
    assert "Mesh: {File: \"tip.obj\"" in taut.import_text(path)
    assert pickle.loads(pickle.dumps(m)).run(tend=0.1).array.tobytes() == m.run(tend=0.1).array.tobytes()


def test_imported_models_are_pickled(arm):
    import pickle

    m = read(arm)
    assert pickle.loads(pickle.dumps(m)).run(tend=0.1).array.tobytes() == m.run(tend=0.1).array.tobytes()
    assert "Rigids" in taut.import_text(arm)
