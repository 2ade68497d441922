/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of OpenCL's single-precision functions, in units of the last place, against long double.
 *
 *     math_error list                        name, expression of x and y, bound of OpenCL 1.2 (section 7.4)
 *     math_error draw COUNT SEED X Y         operands of every size into the files X and Y
 *     math_error check NAME X Y Z            prints the largest error of Z and its place; exits 1 above the bound
 *
 * Denormals may become zeros. A result that is a NaN, infinite or too large must match. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/exact.h"

static int write_draws(uint64_t seed, long count, const char *const paths[2]) {
    for (int i = 0; i < 2; i++) {
        FILE *out = fopen(paths[i], "wb");
        if (out == NULL) return perror(paths[i]), 2;
        for (long k = 0; k < count; k++) {
            const float f = draw_number(&seed);
            fwrite(&f, sizeof f, 1, out);
        }
        if (fclose(out) != 0) return perror(paths[i]), 2;
    }
    return 0;
}

static int check(const struct function *f, const char *const paths[3]) {
    FILE *in[3];
    float v[3];
    double worst = -1;
    float at[3] = {0};
    for (int i = 0; i < 3; i++) {
        in[i] = fopen(paths[i], "rb");
        if (in[i] == NULL) return perror(paths[i]), 2;
    }
    while (fread(&v[0], 4, 1, in[0]) == 1 && fread(&v[1], 4, 1, in[1]) == 1 && fread(&v[2], 4, 1, in[2]) == 1) {
        const double error = error_of(v[2], f->exact(v[0], v[1]));
        if (error <= worst) continue;
        worst = error;
        memcpy(at, v, sizeof at);
    }
    for (int i = 0; i < 3; i++) fclose(in[i]);
    printf("%.2f\t%.9g\t%.9g\t%.9g\n", worst, (double)at[0], (double)at[1], (double)at[2]);
    return worst > f->bound;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < FUNCTION_COUNT; i++)
            printf("%s\t%s\t%g\n", FUNCTIONS[i].name, FUNCTIONS[i].expression, FUNCTIONS[i].bound);
        return 0;
    }
    if (argc == 6 && strcmp(argv[1], "draw") == 0)
        return write_draws(strtoull(argv[3], NULL, 0), strtol(argv[2], NULL, 0), (const char *const *)(argv + 4));
    for (size_t i = 0; argc == 6 && strcmp(argv[1], "check") == 0 && i < FUNCTION_COUNT; i++)
        if (strcmp(FUNCTIONS[i].name, argv[2]) == 0) return check(&FUNCTIONS[i], (const char *const *)(argv + 3));
    fprintf(stderr, "math_error: list | draw COUNT SEED X Y | check NAME X Y Z\n");
    return 2;
}
