/* SPDX-License-Identifier: Apache-2.0 */
/* The corpus, code that nvcc compiled, in the assembler: its words are read unchanged, and get no warning until the SSY
 * are removed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "../image_load.h"
#include "corpus.h"
#include "support.h"

enum { TEXT_MAX = 65536 };

/* The code of an application of the corpus as .word directives, optionally without its SSY (words a....003). */
static void read_app(const char *name, bool without_ssy, char *text) {
    char path[CORPUS_PATH_MAX];
    corpus_path(path, "apps/", name, ".json");
    json_t *app = json_load_file(path, 0, NULL), *insn;
    size_t index, at = 0;
    assert_non_null(app);
    json_array_foreach(json_object_get(app, "code"), index, insn) {
        const json_t *words = json_object_get(insn, "words");
        const char *lo = json_string_value(json_array_get(words, 0));
        const char *hi = json_string_value(json_array_get(words, 1));
        if (without_ssy && hi != NULL && lo[2] == 'a' && strcmp(lo + 7, "003") == 0)
            lo = "0xf0000001", hi = "0xe0000000";
        at += (size_t)snprintf(text + at, TEXT_MAX - at, ".word %s%s%s\n", lo, hi != NULL ? ", " : "",
                               hi != NULL ? hi : "");
        assert_true(at < TEXT_MAX);
    }
    json_decref(app);
}

static void test_corpus_warnings(void **state) {
    (void)state;
    static const char *const apps[] = {"EdgeDetection_64threads", "FFT64", "Reduction", "Transpose",
                                       "VectorAdd_integer"};
    static char text[TEXT_MAX];
    for (size_t i = 0; i < sizeof apps / sizeof apps[0]; i++) {
        read_app(apps[i], false, text);
        assert_int_equal(count_warnings(text, WARN_COUNT), 0);
    }
    read_app("EdgeDetection_64threads", true, text);
    assert_true(count_warnings(text, WARN_DIVERGENT_BRANCH) > 0);
}

/* Each word of the corpus, as a line without text: "hex<TAB>word0<TAB>word1<TAB>...". */
static void test_corpus_words(void **state) {
    (void)state;
    char path[CORPUS_PATH_MAX];
    corpus_path(path, "", "instructions", ".tsv");
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    char *text = NULL, *expected = NULL, *line = NULL;
    size_t text_size = 0, expected_size = 0, line_size = 0;
    FILE *listing = open_memstream(&text, &text_size), *words = open_memstream(&expected, &expected_size);
    const struct image_choice choice = {.variables = IMAGE_VARIABLES, .quiet = true};
    struct image *img[2] = {NULL};
    struct diag d = {0};
    unsigned rows = 0;
    while (getline(&line, &line_size, in) >= 0) {
        char hex[24] = "", first[16] = "", second[16] = "";
        const int fields = sscanf(line, "%23[0-9a-fx]\t%15[0-9a-fx]\t%15[0-9a-fx]", hex, first, second);
        if (fields < 2) continue;
        fprintf(listing, "/*%04x*/ /*%s*/ ;\n", 8 * rows++, hex);
        fprintf(words, fields == 3 ? ".word %s, %s\n" : ".word %s\n", first, second);
    }
    fclose(in);
    fclose(listing);
    fclose(words);
    assert_true(rows > 800);
    if (image_read("corpus", text, text_size, &choice, &img[0], &d) != STATUS_OK) fail_msg("%u: %s", d.line, d.text);
    if (image_read("words", expected, expected_size, &choice, &img[1], &d) != STATUS_OK) fail_msg("%s", d.text);
    assert_int_equal(img[0]->code_words, img[1]->code_words);
    assert_memory_equal(img[0]->code, img[1]->code, img[0]->code_words * sizeof *img[0]->code);
    image_destroy(img[0]);
    image_destroy(img[1]);
    free(text);
    free(expected);
    free(line);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus_warnings),
        cmocka_unit_test(test_corpus_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
