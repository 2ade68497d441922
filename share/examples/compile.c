/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles a kernel in C and runs it on the model. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../cmodel/model.h"
#include "../../cmodel/run/launch.h"
#include "../../compiler/compiler.h"

static const char SOURCE[] = "__kernel void times(__global int *y, int factor) {\n"
                             "    y[get_global_id(0)] = FIRST + factor * (int)get_global_id(0);\n"
                             "}\n";

int main(int argc, char **argv) {
    const char *words[] = {argc > 1 ? argv[1] : "-DFIRST=100", NULL};
    struct compiler_options options = COMPILER_OPTIONS;
    options.name = "times.cl";
    options.words = words;
    options.describe = true;
    struct compilation *c;
    struct diag d = {0};
    if (compile_source(SOURCE, strlen(SOURCE), &options, &c, &d) != STATUS_OK) {
        const struct compiler_message *m = compilation_message(c, 0);
        if (m != NULL) printf("%s, line %u, column %u: %s\n", m->file, m->line, m->column, m->text);
        compilation_destroy(c);
        return 2;
    }
    const struct compiler_kernel *kernel = compilation_kernel(c, 0);
    const struct compiler_argument *a;
    printf("%s: %u registers, at most %u threads a block\n", kernel->name, kernel->registers, kernel->block_threads);
    for (size_t i = 0; (a = compilation_argument(c, 0, i)) != NULL; i++)
        printf("    %s %s, at byte %u\n", a->type_name, a->name, a->offset);

    const uint32_t y = compilation_free_address(c);
    const struct machine machine = MACHINE_DEFAULT;
    struct launch run = {.image = compilation_image(c, 0)};
    compilation_destroy(c);
    run.image->block[0] = 4;
    image_set_shape(run.image);
    image_add_param(run.image, y); // argument by argument, at the offsets above
    image_add_param(run.image, 7);
    struct model *m = model_create(&machine);
    uint64_t steps;
    if (launch_check(&run, &machine, &d) != STATUS_OK || m == NULL || model_launch(m, run.image, &d) != STATUS_OK)
        return launch_report("compile", &d);
    const bool done = model_run(m, UINT64_MAX, &steps) == MODEL_DONE;
    for (unsigned i = 0; i < 4; i++) {
        int32_t value;
        memcpy(&value, model_global(m) + y + 4 * i, sizeof value);
        printf("%" PRId32 " ", value);
    }
    printf("\n");
    model_destroy(m);
    launch_release(&run);
    return done ? 0 : 3;
}
