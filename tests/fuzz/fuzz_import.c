/* Fuzzes the importers: any bytes are a robot, whose model file can be read or is refused with a
 * message, or get a message themselves. */
#include <stdint.h>
#include <stdlib.h>

#include "import/import.h"
#include "taut/taut.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static taut_errors errors;
    char *text = NULL;
    taut_model *model = NULL;
    errors.count = errors.dropped = 0;
    taut_status status =
        taut_import_parse("a.urdf", (const char *)data, (long)size, &text, &errors);
    if ((status == TAUT_OK) != (text != NULL)) abort();
    if ((status == TAUT_OK) != (errors.count == 0)) abort();
    if (status == TAUT_OK) {
        status = taut_model_parse("a.yaml", text, -1, &model, &errors);
        if ((status == TAUT_OK) != (errors.count == 0)) abort();
    }
    taut_model_free(&model);
    taut_text_free(&text);
    return 0;
}
