/* SPDX-License-Identifier: Apache-2.0 */
/* Every ```sass example of docs/assembly.md assembles without a warning, and the cubin of docs/evidence/cubins.md can
 * be read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../base/file.h"
#include "../check/warn.h"
#include "../image_load.h"
#include "support.h"

static void expect_no_warning(const char *text) {
    struct messages m;
    struct assembly a;
    messages_init(&m, "example", text, strlen(text));
    assert_int_equal(assemble_text(NULL, &a, &m), STATUS_OK);
    warn_kernel(&a, &m);
    if (m.count != 0) fail_msg("%s in:\n%s", m.list[0].text, text);
    assembly_release(&a);
    messages_release(&m);
}

static void test_docs_examples_assemble(void **state) {
    (void)state;
    char *text;
    size_t size;
    struct diag d = {0};
    unsigned examples = 0;
    assert_int_equal(file_read("docs/assembly.md", &text, &size, &d), STATUS_OK);
    for (char *s = text; (s = strstr(s, "```sass\n")) != NULL;) {
        s += strlen("```sass\n");
        char *end = strstr(s, "```");
        struct assembly a;
        assert_non_null(end);
        *end = '\0';
        assemble_good(s, &a);
        if (strstr(s, "code for sm_10") == NULL) expect_no_warning(s); /* only part of the listing is shown */
        assembly_release(&a);
        s = end + 1;
        examples++;
    }
    free(text);
    assert_int_equal(examples, 7);
}

static void test_docs_cubin_is_read(void **state) {
    (void)state;
    const struct image_choice choice = {.variables = IMAGE_VARIABLES};
    char *text;
    size_t size;
    struct diag d = {0};
    struct image *img;
    assert_int_equal(file_read("docs/evidence/cubins.md", &text, &size, &d), STATUS_OK);
    char *cubin = strstr(text, "    architecture {sm_10}");
    assert_non_null(cubin);
    char *end = strstr(cubin, "\n\n");
    assert_non_null(end);
    *end = '\0';
    assert_int_equal(image_read("cubins.md", cubin, strlen(cubin), &choice, &img, &d), STATUS_OK);
    assert_string_equal(img->name, "vecadd");
    assert_int_equal(img->regs, 4);
    assert_int_equal(img->code_words, 6);
    assert_int_equal(img->bank[0].size, 8);
    assert_int_equal(img->bank[1].size, 4);
    image_destroy(img);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_docs_examples_assemble),
        cmocka_unit_test(test_docs_cubin_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
