/* From a file of another program to the text of a model file. */
#include "import/import.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/stack.h"
#include "core/text.h"
#include "import/mjcf.h"
#include "import/robot.h"
#include "import/urdf.h"
#include "import/xml.h"
#include "taut/import.h"

bool taut_import_knows(const char *path) {
    static const char *const end[] = {".urdf", ".xml", ".mjcf"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof end / sizeof *end; i++)
        if (strcasecmp(dot, end[i]) == 0) return true;
    return false;
}

/* arm.urdf: arm.loops.xml, if it is there. */
static taut_status read_loops(const char *path, taut_xml_file **loops, taut_errors *errors) {
    char beside[4200];
    const char *dot = strrchr(path, '.');
    *loops = NULL;
    const int n = dot ? (int)(dot - path) : (int)strlen(path);
    if (snprintf(beside, sizeof beside, "%.*s.loops.xml", n, path) >= (int)sizeof beside ||
        access(beside, R_OK) != 0)
        return TAUT_OK;
    TAUT_TRY(taut_xml_read(beside, loops, errors));
    if (strcmp((*loops)->root->name, "loops") == 0) return TAUT_OK;
    const taut_status status = taut_fail_at(errors, TAUT_ERR_INPUT, taut_xml_place((*loops)->root),
                                            "this file closes loops of %s: it is <loops>, not <%s>",
                                            path, (*loops)->root->name);
    taut_xml_free(loops);
    return status;
}

/* files: those that the file includes. */
static taut_status read_robot(const taut_xml_file *file, bool from_memory, taut_xml_files *files,
                              taut_robot *robot, taut_errors *errors) {
    taut_xml_file *loops = NULL;
    if (strcmp(file->root->name, "mujoco") == 0)
        return taut_mjcf_read(file->root, files, from_memory, robot, errors);
    if (strcmp(file->root->name, "robot") != 0)
        return taut_fail_at(errors, TAUT_ERR_INPUT, taut_xml_place(file->root),
                            "<%s> is neither <robot> (URDF) nor <mujoco> (MJCF)%s",
                            file->root->name,
                            strcmp(file->root->name, "sdf") == 0 ? ": SDF is not read" : "");
    if (!from_memory) TAUT_TRY(read_loops(file->path, &loops, errors));
    const taut_status status =
        taut_urdf_read(file->root, loops ? loops->root : NULL, robot, errors);
    taut_xml_free(&loops);
    return status;
}

/* The same on a stack that is deep enough for elements as deep as they may be. */
typedef struct reading {
    const taut_xml_file *file;
    bool from_memory;
    taut_xml_files *files;
    taut_robot *robot;
    taut_errors *errors;
    taut_status status;
} reading;

static void read_inside(void *user) {
    reading *r = user;
    r->status = read_robot(r->file, r->from_memory, r->files, r->robot, r->errors);
}

/* A text of its own, for taut_text_free. */
static taut_status hand_over(taut_string *from, char **to) {
    if (!from->text) taut_string_add(from, "%s", "");
    if (from->failed || !from->text) return TAUT_ERR_MEMORY;
    *to = from->text;
    *from = (taut_string){0};
    return TAUT_OK;
}

/* The text of a file that was read. */
static taut_status convert(const taut_xml_file *file, bool from_memory, char **text,
                           char **left_out, taut_errors *errors) {
    taut_robot robot = {.path = file->path, .from_memory = from_memory};
    taut_string out = {0};
    taut_xml_files files = {.count = 0};
    reading r = {file, from_memory, &files, &robot, errors, TAUT_OK};
    taut_status status = taut_on_deep_stack(read_inside, &r);
    if (status == TAUT_OK) status = r.status;
    if (status == TAUT_OK) status = taut_robot_write(&robot, &out);
    if (status == TAUT_OK) status = hand_over(&out, text);
    if (status == TAUT_OK && left_out) status = hand_over(&robot.left_out, left_out);
    if (status != TAUT_OK) taut_release((void **)text);
    taut_string_release(&out);
    taut_robot_release(&robot);
    taut_xml_files_free(&files);
    return status;
}

taut_status taut_import_parse(const char *path, const char *xml, long length, char **text,
                              taut_errors *errors) {
    taut_xml_file *file = NULL;
    *text = NULL;
    TAUT_TRY(taut_xml_parse(path, xml, length, &file, errors));
    const taut_status status = convert(file, true, text, NULL, errors);
    taut_xml_free(&file);
    return status;
}

taut_status taut_import(const char *path, char **text, char **left_out, taut_errors *errors) {
    taut_xml_file *file = NULL;
    TAUT_NEED(text, "text", errors);
    *text = NULL;
    if (left_out) *left_out = NULL;
    TAUT_NEED(path, "path", errors);
    TAUT_TRY(taut_xml_read(path, &file, errors));
    const taut_status status = convert(file, false, text, left_out, errors);
    taut_xml_free(&file);
    return status;
}
