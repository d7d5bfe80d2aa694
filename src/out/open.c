/* A mechanism that cannot be assembled, as far as it goes. */
#include "out/scene.h"

taut_status taut_scene_open(taut_scene *s) {
    (void)s;
    return TAUT_OK;
}
