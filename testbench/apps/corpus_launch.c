/* SPDX-License-Identifier: Apache-2.0 */
/* Turns an application of the corpus (apps/NAME.json) into input for every tool that runs kernels: code.hex and a file
 * of launch flags, one argument a line. Bytes whose value depends on the order of warps ("race") have no expectation.
 *
 *     corpus_launch NAME.json DIR        writes DIR/code.hex and DIR/flags */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static void fail(const char *what, const char *name) {
    fprintf(stderr, "corpus_launch: %s: %s\n", name, what);
    exit(2);
}

static FILE *create(const char *directory, const char *name) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) fail("path too long", directory);
    FILE *out = fopen(path, "w");
    if (out == NULL) fail("cannot be written", path);
    return out;
}

static void finish(FILE *out) {
    if (fclose(out) != 0) fail("cannot be written", "output");
}

static json_int_t number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) fail("is no number", key);
    return json_integer_value(value);
}

static const char *string(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL) fail("is no string", key);
    return text;
}

static const json_t *array(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_array(value)) fail("is no array", key);
    return value;
}

static void write_code(const json_t *app, FILE *out) {
    size_t i = 0, w = 0;
    json_t *instruction = NULL, *word = NULL;
    json_array_foreach(array(app, "code"), i, instruction) {
        json_array_foreach(array(instruction, "words"), w, word) fprintf(out, "%s\n", json_string_value(word));
    }
}

/* The elements joined by commas, as the value of a flag. */
static void write_list(FILE *out, const char *flag, const json_t *values, size_t count) {
    fprintf(out, "%s\n", flag);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%" JSON_INTEGER_FORMAT, i > 0 ? "," : "", json_integer_value(json_array_get(values, i)));
    fprintf(out, "\n");
}

static void write_number(FILE *out, const char *flag, json_int_t value) {
    fprintf(out, "%s\n%" JSON_INTEGER_FORMAT "\n", flag, value);
}

static bool is_race(const json_t *app, json_int_t addr) {
    size_t i = 0;
    json_t *range = NULL;
    json_array_foreach(json_object_get(app, "race"), i, range) {
        if (addr >= number(range, "addr") && addr < number(range, "addr") + number(range, "len")) return true;
    }
    return false;
}

/* One piece as --expect flags, split around racing bytes. */
static void write_expect(FILE *out, const json_t *app, json_int_t addr, const char *hex) {
    bool open = false;
    for (size_t i = 0; hex[2 * i] != '\0'; i++) {
        bool wanted = !is_race(app, addr + (json_int_t)i);
        if (wanted && !open) fprintf(out, "--expect\n0x%" PRIx64 "=", (uint64_t)addr + i);
        if (wanted) fprintf(out, "%.2s", hex + 2 * i);
        if (!wanted && open) fprintf(out, "\n");
        open = wanted;
    }
    if (open) fprintf(out, "\n");
}

static void write_flags(const json_t *app, FILE *out) {
    json_int_t published = number(app, "regs_per_thread"), used = number(app, "regs_used");
    const json_t *params = array(app, "params");
    write_list(out, "--grid", array(app, "grid"), 2);
    write_list(out, "--block", array(app, "block"), 3);
    write_list(out, "--param", params, json_array_size(params));
    write_number(out, "--reg", published > used ? published : used);
    write_number(out, "--shared", number(app, "shared_bytes"));
    fprintf(out, "--const\n1:0=%s\n", string(app, "const1"));

    size_t i = 0;
    json_t *piece = NULL;
    json_array_foreach(array(app, "global_init"), i, piece) {
        fprintf(out, "--global\n0x%" PRIx64 "=%s\n", (uint64_t)number(piece, "addr"), string(piece, "hex"));
    }
    json_array_foreach(array(app, "expected"), i, piece) {
        write_expect(out, app, number(piece, "addr"), string(piece, "hex"));
    }
}

int main(int argc, char **argv) {
    if (argc != 3) fail("NAME.json DIR", "usage");
    json_error_t error;
    json_t *app = json_load_file(argv[1], 0, &error);
    if (app == NULL) fail(error.text, argv[1]);
    FILE *code = create(argv[2], "code.hex"), *flags = create(argv[2], "flags");
    write_code(app, code);
    write_flags(app, flags);
    finish(code);
    finish(flags);
    json_decref(app);
    return 0;
}
