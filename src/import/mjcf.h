/* MJCF files: the models of MuJoCo. */
#ifndef TAUT_IMPORT_MJCF_H
#define TAUT_IMPORT_MJCF_H

#include "import/robot.h"
#include "import/xml.h"

enum { TAUT_XML_FILES_MAX = 64 };

/* Files that are read on the way, and kept while their elements are in use. */
typedef struct taut_xml_files {
    taut_xml_file *file[TAUT_XML_FILES_MAX];
    int count;
} taut_xml_files;

void taut_xml_files_free(taut_xml_files *files);

/* Fills the robot from the root element <mujoco>. files: those that it includes, for the caller to
 * free behind the robot. from_memory: the text came from no file, and may include none. */
taut_status taut_mjcf_read(taut_xml *root, taut_xml_files *files, bool from_memory,
                           taut_robot *robot, taut_errors *errors);

#endif
