/* SPDX-License-Identifier: Apache-2.0 */
#include "chip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LINE = 128, HASH_DIGITS = 16 };

/* ------------------------------------------------------------------------------------------------------- tables */

static bool is_number(const char *text, const char *end) { return isxdigit((unsigned char)*text) && *end == '\0'; }

static bool parse(char *line, int base, unsigned indices, struct chip_row *row) {
    char *const index = strchr(line, '\t');
    char *const hash = index != NULL ? strchr(index + 1, '\t') : NULL;
    char *end;
    if (hash == NULL || index == line || index - line >= CHIP_NAME) return false;
    hash[strcspn(hash, "\n")] = '\0';
    *index = *hash = '\0';
    memcpy(row->operation, line, strlen(line) + 1);
    const unsigned long number = strtoul(index + 1, &end, base);
    if (!is_number(index + 1, end) || number >= indices) return false;
    row->index = (unsigned)number;
    row->hash = strtoull(hash + 1, &end, 16);
    return is_number(hash + 1, end) && strlen(hash + 1) <= HASH_DIGITS;
}

/* Room for one more row; the sizes are powers of two. */
static bool grow(struct chip_table *table) {
    if (table->count != 0 && (table->count & (table->count - 1)) != 0) return true;
    const size_t room = table->count == 0 ? 1 : 2 * table->count;
    struct chip_row *const rows = realloc(table->rows, room * sizeof *rows);
    if (rows == NULL) return false;
    table->rows = rows;
    return true;
}

bool chip_read(const char *path, int base, unsigned indices, struct chip_table *table) {
    char line[LINE];
    bool good = true;
    int error;
    *table = (struct chip_table){0};
    const gzFile file = gzopen(path, "rb");
    if (file == NULL) return false;
    while (good && gzgets(file, line, sizeof line) != NULL)
        good = grow(table) && parse(line, base, indices, &table->rows[table->count++]);
    gzerror(file, &error);
    good = good && error == Z_OK && table->count != 0;
    gzclose(file);
    if (!good) chip_free(table);
    return good;
}

void chip_free(struct chip_table *table) {
    free(table->rows);
    *table = (struct chip_table){0};
}

const uint64_t *chip_find(const struct chip_table *table, const char *operation, unsigned index) {
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].index == index && strcmp(table->rows[i].operation, operation) == 0)
            return &table->rows[i].hash;
    return NULL;
}

bool chip_is_otherwise(const struct chip_table *table, const char *operation, unsigned head) {
    for (size_t i = 0; i < table->count; i++) {
        const struct chip_row *const row = &table->rows[i];
        if (strcmp(row->operation, operation) == 0 && head >= row->index && head <= row->hash) return true;
    }
    return false;
}

/* -------------------------------------------------------------------------------------------------------- pairs */

static const uint32_t CORNERS[32] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
                                     0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                     0x7fc00000, 0xffc00001, 0x7f800001, 0x4b000000, 0x4f000000, 0xcf000000, 0x4f800000,
                                     0x3f000000, 0xbf000000, 0x40000000, 0xc0000000, 0x34000000, 0x33800000, 0x33800001,
                                     0x7fffffff, 0xffffffff, 0x0000ffff, 0x0000001f};

static uint64_t mix(uint64_t z) {
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t with_exponent(uint32_t x, uint32_t exponent) { return (x & 0x807fffff) | (exponent & 255) << 23; }
static uint32_t exponent_of(uint32_t x) { return x >> 23 & 255; }

/* An exponent for y with which x * y is near 1, at the upper end of the range, or at the lower one. */
static uint32_t exponent_of_factor(uint32_t x, uint64_t m) {
    const uint32_t end = (m >> 32 & 1) != 0 ? 0 : (m >> 33 & 1) != 0 ? 126u : 0u - 127;
    return 254 + (uint32_t)(m % 50) - 25 - exponent_of(x) + end;
}

void chip_pair(unsigned block, uint32_t pair, uint32_t *x, uint32_t *y) {
    const uint64_t n = (uint64_t)block * CHIP_PAIRS + pair;
    const uint64_t z = mix(2 * n), m = mix(2 * n + 1);
    const uint32_t corner = CORNERS[m >> 1 & 31];
    uint32_t a = (uint32_t)z, b = (uint32_t)(z >> 32);
    switch (block % 8) {
    case 1: b = with_exponent(b, exponent_of(a) + (uint32_t)(m % 53) - 26); break;
    case 2: a = CORNERS[m & 31], b = CORNERS[m >> 5 & 31]; break;
    case 3: *((m & 1) != 0 ? &a : &b) = corner; break;
    case 4: b = (a ^ 0x80000000) + (uint32_t)(m & 127) - 64; break;
    case 5: b = with_exponent(b, exponent_of_factor(a, m)); break;
    case 6: a &= 0xfff80003, b &= 0xffe00001; break;
    case 7:
        a = (m & 1) != 0 ? a & 0xffff : a >> 16 | ((a >> 31) != 0 ? 0xffff0000 : 0);
        b &= (m & 2) != 0 ? 0x3f : 0xffffff;
        break;
    default: break;
    }
    *x = a, *y = b;
}

/* -------------------------------------------------------------------------------------------------------- lists */

bool chip_list(const char *list, int base, bool *wanted, unsigned count) {
    memset(wanted, 0, count * sizeof *wanted);
    for (const char *at = list; *at != '\0';) {
        char *end;
        const unsigned long first = strtoul(at, &end, base);
        if (end == at || first >= count) return false;
        unsigned long last = first;
        if (*end == '-') {
            at = end + 1;
            last = strtoul(at, &end, base);
            if (end == at || last < first || last >= count) return false;
        }
        if (*end != '\0' && (*end != ',' || end[1] == '\0')) return false;
        for (unsigned long i = first; i <= last; i++) wanted[i] = true;
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}
