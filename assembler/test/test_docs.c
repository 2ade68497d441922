/* SPDX-License-Identifier: Apache-2.0 */
/* Every ```sass example of docs/assembly.md assembles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../file.h"
#include "support.h"

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
        assembly_release(&a);
        s = end + 1;
        examples++;
    }
    free(text);
    assert_int_equal(examples, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_docs_examples_assemble)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
