/* SPDX-License-Identifier: Apache-2.0 */
/* Launches without a command line, and hence without the compiler, see launch.h. */
#include <stdlib.h>
#include <string.h>

#include "../../assembler/image_load.h"
#include "launch.h"

enum status launch_read(const char *path, char *text, size_t size, FILE *messages, struct launch *run, struct diag *d) {
    const struct image_choice choice = {.variables = IMAGE_VARIABLES, .messages = messages, .by_words = true};
    *run = (struct launch){.path = strdup(path), .max_cycles = LAUNCH_MAX_CYCLES, .trace_limit = LAUNCH_TRACE_LIMIT};
    enum status status = run->path == NULL ? diag_set(d, STATUS_NO_MEMORY, path, 0, 0, "out of memory")
                                           : image_read(path, text, size, &choice, &run->image, d);
    if (status == STATUS_OK)
        image_set_shape(run->image);
    else
        launch_release(run);
    return status;
}

void launch_release(struct launch *run) {
    for (size_t i = 0; i < run->dump_count; i++) free(run->dumps[i].path);
    free(run->dumps);
    free(run->path);
    free(run->trace_path);
    image_destroy(run->image);
    *run = (struct launch){0};
}
