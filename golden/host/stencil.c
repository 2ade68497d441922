/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the reference for the kernels of kernels/stencils/: a new value for each cell within the border, from its
 * neighbours. Cells are words, row after row and plane after plane, fixed-point numbers with 16 fraction bits.
 *
 *     stencil NAME WIDTH HEIGHT DEPTH K < CELLS > NEW          NAME: jacobi2d ...; DEPTH is 1 in two dimensions */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

/* The low 24 bits, with their sign. */
static int64_t factor(uint32_t x) { return (int64_t)(x & 0x7fffff) - (int64_t)(x & 0x800000); }

/* Bits 16 to 47. */
static uint32_t product(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)(factor(a) * factor(b)) >> 16); }

struct neighbours {
    uint32_t north, south, west, east, before, behind;
};

static uint32_t sum2(const struct neighbours *n) { return n->north + n->south + n->west + n->east; }
static uint32_t sum3(const struct neighbours *n) { return sum2(n) + n->before + n->behind; }
/* As in the kernels, which multiply 24 bits. */
static uint32_t six_times(uint32_t cell) { return (uint32_t)(factor(cell) * 6); }

static uint32_t jacobi2d(uint32_t cell, const struct neighbours *n, uint32_t k) { return product(k, cell + sum2(n)); }

static uint32_t laplacian2d(uint32_t cell, const struct neighbours *n, uint32_t k) {
    (void)k;
    return sum2(n) - 4 * cell;
}

static uint32_t laplacian3d(uint32_t cell, const struct neighbours *n, uint32_t k) {
    (void)k;
    return sum3(n) - six_times(cell);
}

static uint32_t heat2d(uint32_t cell, const struct neighbours *n, uint32_t k) {
    return cell + product(k, laplacian2d(cell, n, k));
}

static uint32_t heat3d(uint32_t cell, const struct neighbours *n, uint32_t k) {
    return cell + product(k, laplacian3d(cell, n, k));
}

static uint32_t gradient2d(uint32_t cell, const struct neighbours *n, uint32_t k) {
    (void)cell, (void)k;
    const uint32_t across = n->east - n->west, down = n->south - n->north;
    return product(across, across) + product(down, down);
}

struct stencil {
    const char *name;
    bool space; /* three dimensions */
    uint32_t (*value)(uint32_t cell, const struct neighbours *n, uint32_t k);
};

static const struct stencil stencils[] = {
    {"jacobi2d",    false, jacobi2d   },
    {"heat2d",      false, heat2d     },
    {"gradient2d",  false, gradient2d },
    {"laplacian2d", false, laplacian2d},
    {"heat3d",      true,  heat3d     },
    {"laplacian3d", true,  laplacian3d}
};

static const struct stencil *find_stencil(const char *name) {
    for (size_t i = 0; i < sizeof stencils / sizeof *stencils; i++)
        if (strcmp(stencils[i].name, name) == 0) return &stencils[i];
    exit(2);
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    const struct stencil *s = find_stencil(argv[1]);
    const size_t width = number_arg(argc, argv, 2, "WIDTH", 1, 65535),
                 height = number_arg(argc, argv, 3, "HEIGHT", 1, 65535);
    const size_t depth = number_arg(argc, argv, 4, "DEPTH", 1, 65535), plane = width * height;
    const uint32_t k = number_arg(argc, argv, 5, "K", 0, UINT32_MAX);
    size_t size = 0;
    uint8_t *old = read_bytes("-", 4 * plane * depth, &size);
    uint8_t *new = allocate(size);
    for (size_t i = 0; i < plane * depth; i++) {
        const size_t x = i % width, y = i / width % height, z = i / plane;
        const bool border =
            x == 0 || x + 1 == width || y == 0 || y + 1 == height || (s->space && (z == 0 || z + 1 == depth));
        struct neighbours n = {0, 0, 0, 0, 0, 0};
        if (!border) {
            n = (struct neighbours){load_word(old, i - width),
                                    load_word(old, i + width),
                                    load_word(old, i - 1),
                                    load_word(old, i + 1),
                                    0,
                                    0};
            if (s->space) n.before = load_word(old, i - plane), n.behind = load_word(old, i + plane);
        }
        store_word(new, i, border ? load_word(old, i) : s->value(load_word(old, i), &n, k));
    }
    write_bytes(new, size);
    free(old);
    free(new);
    return 0;
}
