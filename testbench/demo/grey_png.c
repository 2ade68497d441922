/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a PNG of a grey picture, one byte a pixel, each pixel enlarged to SCALE x SCALE.
 *
 *     grey_png WIDTH HEIGHT SCALE < BYTES > PNG */
// link: -lpng
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

static uint32_t size_arg(const char *text) {
    unsigned long value = strtoul(text, NULL, 10);
    if (value == 0 || value > 4096) {
        fprintf(stderr, "grey_png: %s: not a size of 1 to 4096\n", text);
        exit(2);
    }
    return (uint32_t)value;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: grey_png WIDTH HEIGHT SCALE < BYTES > PNG\n");
        return 2;
    }
    uint32_t width = size_arg(argv[1]), height = size_arg(argv[2]), scale = size_arg(argv[3]);
    size_t pixels = (size_t)width * height;
    uint8_t *small = malloc(pixels), *large = malloc(pixels * scale * scale);
    if (small == NULL || large == NULL || fread(small, 1, pixels, stdin) != pixels) {
        fprintf(stderr, "grey_png: the input is too short\n");
        free(small);
        free(large);
        return 2;
    }
    for (size_t i = 0; i < pixels * scale * scale; i++)
        large[i] = small[i / ((size_t)width * scale) / scale * width + i % ((size_t)width * scale) / scale];

    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width * scale, .height = height * scale, .format = PNG_FORMAT_GRAY};
    int written = png_image_write_to_stdio(&image, stdout, 0, large, 0, NULL);
    if (written == 0) fprintf(stderr, "grey_png: %s\n", image.message);
    free(small);
    free(large);
    return written == 0 ? 1 : 0;
}
