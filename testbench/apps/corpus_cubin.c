/* SPDX-License-Identifier: Apache-2.0 */
/* Turns an application of the corpus (apps/NAME.json) into cubins in nvcc's formats: a text cubin of CUDA 2, and ELF
 * cubins of both classes of CUDA 3. They hold the code words, registers, shared bytes and constants; the launch comes
 * from corpus_launch. This program writes the text itself, without the code under test.
 *
 *     corpus_cubin NAME.json DIR        writes DIR/text.cubin, DIR/elf32.cubin, DIR/elf64.cubin */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "../../assembler/test/cubin_builder.h"
#include "../../spec/memory.h"

enum { WORDS_MAX = 4096 };

struct app {
    uint32_t code[WORDS_MAX], constants[WORDS_MAX];
    size_t code_words, constant_words;
    unsigned regs, shared, params;
};

static void fail(const char *what, const char *name) {
    fprintf(stderr, "corpus_cubin: %s: %s\n", name, what);
    exit(2);
}

static unsigned number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) fail("is no number", key);
    return (unsigned)json_integer_value(value);
}

static void read_app(const json_t *json, struct app *app) {
    size_t i = 0, w = 0;
    json_t *instruction = NULL, *word = NULL;
    json_array_foreach(json_object_get(json, "code"), i, instruction) {
        json_array_foreach(json_object_get(instruction, "words"), w, word) {
            if (app->code_words == WORDS_MAX) fail("has too much code", "application");
            app->code[app->code_words++] = (uint32_t)strtoul(json_string_value(word), NULL, 16);
        }
    }
    const char *hex = json_string_value(json_object_get(json, "const1"));
    for (; hex != NULL && strlen(hex) >= 8 && app->constant_words < WORDS_MAX; hex += 8) {
        char digits[9] = {hex[6], hex[7], hex[4], hex[5], hex[2], hex[3], hex[0], hex[1]};
        app->constants[app->constant_words++] = (uint32_t)strtoul(digits, NULL, 16);
    }
    const unsigned published = number(json, "regs_per_thread"), used = number(json, "regs_used");
    app->regs = published > used ? published : used;
    app->shared = number(json, "shared_bytes");
    app->params = (unsigned)json_array_size(json_object_get(json, "params")) * 4;
}

static void write_words(FILE *out, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%#010x ", i % 4 == 0 ? "\n\t\t\t" : "", words[i]); /* a zero word has no 0x */
}

static void write_text(const struct app *app, const char *path) {
    FILE *out = fopen(path, "w");
    if (out == NULL) fail("cannot be written", path);
    fputs("architecture {sm_10}\r\nabiversion   {1}\r\nmodname      {cubin}\r\n", out);
    fprintf(out, "code  {\n\tname = _Z3appPi\n\tlmem = 0\n\tsmem = %u\n\treg  = %u\n\tbar  = 0\n", app->shared,
            app->regs);
    fprintf(out,
            "\tconst  {\n\t\t\tsegname = const\n\t\t\tsegnum  = 1\n\t\t\toffset  = 0\n\t\t\tbytes   = %zu\n\t\tmem  {",
            app->constant_words * 4);
    write_words(out, app->constants, app->constant_words);
    fputs("\n\t\t}\n\t}\n\tbincode  {", out);
    write_words(out, app->code, app->code_words);
    fputs("\n\t}\n}\n", out);
    if (fclose(out) != 0) fail("cannot be written", path);
}

/* The register count is in the field of sm_20; the second class omits it, so that the code decides. */
static void write_elf(const struct app *app, int elf_class, const char *path) {
    struct cubin_builder *b = cubin_builder_create(elf_class, 10);
    const size_t code = cubin_builder_section(b, ".text._Z3appPi", SHT_PROGBITS, app->code, app->code_words * 4);
    b->section[code].flags = SHF_ALLOC | SHF_EXECINSTR;
    b->section[code].info = elf_class == ELFCLASS32 ? app->regs << 24 : 0;
    cubin_builder_symbol(b, "_Z3appPi", STT_FUNC, 0x10, code, 0, app->code_words * 4);
    cubin_builder_section(b, ".nv.constant1._Z3appPi", SHT_PROGBITS, app->constants, app->constant_words * 4);
    const unsigned before = HEADER_BYTES + app->params, statics = app->shared > before ? app->shared - before : 0;
    if (statics > 0) cubin_builder_section(b, ".nv.shared._Z3appPi", SHT_NOBITS, NULL, statics);
    const uint32_t size = app->params;
    uint8_t bytes[16];
    cubin_builder_section(b, ".nv.info._Z3appPi", SHT_PROGBITS, bytes,
                          cubin_builder_attribute(bytes, 0, 0x18, &size, 1));
    if (cubin_builder_write(b, path) != 0) fail("cannot be written", path);
}

int main(int argc, char **argv) {
    static struct app app;
    char path[4096];
    json_error_t error;
    if (argc != 3) fail("NAME.json DIR", "usage");
    json_t *json = json_load_file(argv[1], 0, &error);
    if (json == NULL) fail(error.text, argv[1]);
    read_app(json, &app);
    json_decref(json);
    snprintf(path, sizeof path, "%s/text.cubin", argv[2]);
    write_text(&app, path);
    snprintf(path, sizeof path, "%s/elf32.cubin", argv[2]);
    write_elf(&app, ELFCLASS32, path);
    snprintf(path, sizeof path, "%s/elf64.cubin", argv[2]);
    write_elf(&app, ELFCLASS64, path);
    return 0;
}
