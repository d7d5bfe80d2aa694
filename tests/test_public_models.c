/* Robots that others have published (out/models, by scripts/setup models): they are imported and
 * move as MuJoCo says, in every formulation that robots are run in, at random states. MuJoCo knows
 * principal axes of inertias to 8 digits only, which is what most of them can show. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mujoco_pair.h"

#define SAMPLES "usr/share/mujoco/model/"
#define DART "usr/share/doc/dart/data/"
#define SIMBODY "usr/share/doc/simbody/examples/src/"

static const struct robot {
    const char *path;
    int states;
    double limit; /* of accelerations, relative to the largest one */
} ROBOT[] = {
    {SAMPLES "humanoid/humanoid.xml", 4, 1e-7},
    {SAMPLES "hammock/humanoid_body.xml", 2, 1e-7},
    {SAMPLES "humanoid100/humanoid100.xml", 2, 1e-7},
    {SAMPLES "slider_crank/slider_crank.xml", 100, 1e-10},
    {SAMPLES "tendon_arm/arm26.xml", 20, 1e-10},
    {DART "mjcf/openai/swimmer.xml", 100, 1e-10},
    {DART "mjcf/openai/reacher.xml", 100, 1e-10},
    {DART "mjcf/openai/point.xml", 100, 1e-10},
    {DART "mjcf/openai/inverted_double_pendulum.xml", 100, 1e-10},
    {DART "urdf/KR5/KR5 sixx R650.urdf", 20, 1e-6},
    {DART "urdf/wam/wam.urdf", 20, 1e-6},
    {DART "sdf/atlas/atlas_v3_no_head.urdf", 4, 1e-6},
    {DART "urdf/drchubo/drchubo.urdf", 2, 1e-6},
    {SIMBODY "TaskSpaceControl-UR10/models/ur10_robot.urdf", 20, 1e-6},
};
enum { ROBOTS = sizeof ROBOT / sizeof *ROBOT };

static char *read_file(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    const size_t n = fread(text, 1, (1 << 20) - 1, file);
    assert_true(n > 0 && n < (1 << 20) - 1);
    fclose(file);
    return text;
}

/* Without <name> ... </name>: MuJoCo reads all meshes, also those that are not packaged. */
static void drop_elements(char *text, const char *name) {
    char first[40], last[40];
    snprintf(first, sizeof first, "<%s", name);
    snprintf(last, sizeof last, "</%s>", name);
    for (char *p; (p = strstr(text, first));) {
        char *end = strstr(p, last);
        assert_non_null(end);
        memmove(p, end + strlen(last), strlen(end + strlen(last)) + 1);
    }
}

static bool is_urdf(const char *path) { return strcmp(path + strlen(path) - 5, ".urdf") == 0; }

static mujoco_pair load(const char *path) {
    if (!is_urdf(path)) return mujoco_load(path, path);
    const char *const plain = "public-robot.urdf";
    char *text = read_file(path);
    drop_elements(text, "visual");
    drop_elements(text, "collision");
    FILE *file = fopen(plain, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(text);
    mujoco_pair p = mujoco_load(path, plain);
    remove(plain);
    return p;
}

static double largest(const mujoco_pair *p) {
    double most = 1.0;
    for (int i = 0; i < p->m->nv; i++) most = fmax(most, fabs(p->d->qacc[i]));
    return most;
}

static void test_accelerations(void **state) {
    static const char *const FORM[] = {"natural", "relative"};
    const struct robot *robot = *state;
    const double start = 0.0;
    char path[1000];
    snprintf(path, sizeof path, "%s/out/models/files/%s", TAUT_SOURCE_DIR, robot->path);
    srand(1);
    mujoco_pair p = load(path);
    assert_true(p.m->nv > 0);
    for (int k = 0; k < robot->states; k++) {
        mujoco_shake(&p);
        mujoco_write_state(&p);
        solution *s = mujoco_solve(p.state, FORM[k % 2], 1e-12, &start, 1);
        mujoco_expect(&p, s, 0, 1, 1e-9, 1.0);
        mujoco_expect(&p, s, 0, 2, robot->limit, largest(&p));
        solution_free(s);
    }
    mujoco_unload(&p);
}

/* As they are, with limits and friction: a second and more of motion, one formulation as the other.
 */
static void test_motions(void **state) {
    static const char *const NAME[] = {DART "urdf/KR5/KR5 sixx R650.urdf", DART "urdf/wam/wam.urdf",
                                       SAMPLES "tendon_arm/arm26.xml"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/out/models/files/%s", TAUT_SOURCE_DIR, NAME[k]);
        mujoco_pair p = load(path);
        mujoco_shake(&p);
        for (int i = 0; i < p.m->nv; i++) p.d->qvel[i] *= 0.1;
        mj_forward(p.m, p.d);
        mujoco_write_state(&p);
        const double end = 0.5;
        solution *a = mujoco_solve(p.state, "natural", 1e-12, &end, 1);
        solution *b = mujoco_solve(p.state, "relative", 1e-12, &end, 1);
        for (int j = 0; j < p.m->njnt; j++) {
            char name[MUJOCO_NAME];
            mujoco_label(&p, j, name);
            assert_near(value_of(a, 0, name), value_of(b, 0, name), 1e-8, 1e-8);
        }
        solution_free(a);
        solution_free(b);
        mujoco_unload(&p);
    }
}

int main(void) {
    struct CMUnitTest test[ROBOTS + 1];
    FILE *ready = fopen(TAUT_SOURCE_DIR "/out/models/ready", "r");
    if (!ready) {
        printf(
            "skipped: there are no public robots in out/models; scripts/setup models gets them\n");
        return 77;
    }
    fclose(ready);
    for (int i = 0; i < ROBOTS; i++)
        test[i] = (struct CMUnitTest){.name = ROBOT[i].path,
                                      .test_func = test_accelerations,
                                      .initial_state = (void *)&ROBOT[i]};
    test[ROBOTS] = (struct CMUnitTest)cmocka_unit_test(test_motions);
    return _cmocka_run_group_tests("public_models", test, ROBOTS + 1, NULL, NULL);
}
