/* URDF files: links and joints. */
#ifndef TAUT_IMPORT_URDF_H
#define TAUT_IMPORT_URDF_H

#include "import/robot.h"
#include "import/xml.h"

/* Fills the robot from the root element <robot>. loops: the root of a file beside it that closes
 * loops; NULL: there is none. */
taut_status taut_urdf_read(const taut_xml *root, const taut_xml *loops, taut_robot *robot,
                           taut_errors *errors);

#endif
