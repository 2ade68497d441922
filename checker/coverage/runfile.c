/* SPDX-License-Identifier: Apache-2.0 */
#include "runfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char MAGIC[] = "warpstep-coverage";

static enum status fail(struct diag *d, const char *path) {
    return diag_set(d, STATUS_BAD_INPUT, path, 0, 0, "%s", errno != 0 ? strerror(errno) : "no coverage of these bins");
}

enum status runfile_write(const char *path, const struct space *space, const char *test,
                          const uint64_t *const bits[SIDES], struct diag *d) {
    FILE *out = fopen(path, "wb");
    if (out == NULL) return fail(d, path);
    const size_t words = runfile_words(space);
    fprintf(out, "%s %016" PRIx64 " %" PRIu32 " %s\n", MAGIC, space_fingerprint(space), space->bins, test);
    for (unsigned side = 0; side < SIDES; side++) fwrite(bits[side], sizeof *bits[side], words, out);
    const bool written = ferror(out) == 0;
    return fclose(out) == 0 && written ? STATUS_OK : fail(d, path);
}

static bool read_header(FILE *in, const struct space *space, char *test, size_t size) {
    char line[1024], magic[32];
    uint64_t fingerprint;
    uint32_t bins;
    int used = 0;
    if (fgets(line, sizeof line, in) == NULL) return false;
    if (sscanf(line, "%31s %" SCNx64 " %" SCNu32 " %n", magic, &fingerprint, &bins, &used) != 3) return false;
    line[strcspn(line, "\n")] = 0;
    snprintf(test, size, "%s", line + used);
    return strcmp(magic, MAGIC) == 0 && bins == space->bins && fingerprint == space_fingerprint(space);
}

enum status runfile_read(const char *path, const struct space *space, char *test, size_t size,
                         uint64_t *const bits[SIDES], struct diag *d) {
    errno = 0;
    FILE *in = fopen(path, "rb");
    if (in == NULL) return fail(d, path);
    const size_t words = runfile_words(space);
    bool good = read_header(in, space, test, size);
    for (unsigned side = 0; side < SIDES && good; side++)
        good = fread(bits[side], sizeof *bits[side], words, in) == words;
    fclose(in);
    return good ? STATUS_OK : fail(d, path);
}
