/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the grey test picture of the edge detector: hills, a house and a moonlit lake under a crescent moon, at any
 * size. One byte a pixel, row by row, integer arithmetic only, so that it is the same everywhere.
 *
 *     draw_picture WIDTH HEIGHT > PICTURE */
#include <stdbool.h>
#include <stdlib.h>

#include "bytes.h"

/* The picture is described on a canvas of 256 x 256 and sampled at the centre of each pixel. */
struct point {
    int x, y;
};

static bool in_disc(struct point p, int x, int y, int radius) {
    int dx = p.x - x, dy = p.y - y;
    return dx * dx + dy * dy <= radius * radius;
}

static bool in_box(struct point p, int left, int top, int right, int bottom) {
    return p.x >= left && p.x < right && p.y >= top && p.y < bottom;
}

/* A triangle standing on its base line y = bottom. */
static bool in_gable(struct point p, int left, int right, int top, int bottom) {
    if (p.y < top || p.y >= bottom) return false;
    int half = (right - left) * (p.y - top) / (2 * (bottom - top));
    int middle = (left + right) / 2;
    return p.x >= middle - half && p.x < middle + half;
}

/* A range of hills: parabolas that repeat every `period`. Returns the height of its outline at x. */
static int hill_line(int x, int base, int period, int rise) {
    int phase = x % period - period / 2;
    return base - rise + 4 * rise * phase * phase / (period * period);
}

static int sky(struct point p) { return 150 + p.y / 3; }

static int lake(struct point p) {
    bool ripple = (p.y - 200) % 12 < 3 && abs(p.x - 176) < 56 - (p.y - 200) / 2;
    return ripple ? 220 : 60 - (p.y - 200) / 3;
}

static int house(struct point p) {
    if (in_box(p, 52, 168, 62, 196)) return 30;                             /* door */
    if (in_box(p, 72, 168, 86, 180)) return (p.x - 72) % 7 == 6 ? 90 : 245; /* window and its cross */
    return 190;
}

static int shade(struct point p) {
    if (in_box(p, 40, 156, 96, 196)) return house(p);
    if (in_gable(p, 32, 104, 124, 156)) return 100;
    if (in_box(p, 80, 122, 88, 142)) return 70; /* chimney, behind the roof */
    if (p.y >= 200) return lake(p);
    if (p.y >= hill_line(p.x + 40, 210, 170, 50)) return 95;
    if (p.y >= hill_line(p.x, 190, 110, 60)) return 125;
    if (in_disc(p, 178, 60, 30)) return in_disc(p, 190, 52, 26) ? sky(p) : 250; /* crescent */
    return sky(p);
}

int main(int argc, char **argv) {
    uint32_t width = number_arg(argc, argv, 1, "WIDTH", 1, 4096);
    uint32_t height = number_arg(argc, argv, 2, "HEIGHT", 1, 4096);
    uint8_t *picture = allocate((size_t)width * height);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            struct point p = {(int)((2 * x + 1) * 128 / width), (int)((2 * y + 1) * 128 / height)};
            picture[(size_t)y * width + x] = (uint8_t)shade(p);
        }
    write_bytes(picture, (size_t)width * height);
    free(picture);
    return 0;
}
