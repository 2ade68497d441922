/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a launch that has printed, on an engine whose reads fail where the test says, like a link to a board. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../assembler/base/word_at.h"
#include "../../assembler/image/printed.h"
#include "../device.h"
#include "../engine_api.h"
#include "../print.h"
#include "opencl/fixture.h"

enum { BYTES = 65536, BUFFER = 4096, RECORD = 16, STRING = 0x200, VARIABLE = 0, FORMAT = 16, NOWHERE = BYTES };

static struct {
    struct engine engine; /* first: the functions of the engine know it so */
    struct device device;
    struct image *image;
    struct image_variable variable;
    uint8_t memory[BYTES];
    uint32_t bad; /* reads of this byte fail */
} bench;

static enum status write_memory(struct engine *engine, uint32_t addr, const uint8_t *bytes, size_t size,
                                struct diag *d) {
    (void)engine, (void)d;
    memcpy(bench.memory + addr, bytes, size);
    return STATUS_OK;
}

static enum status read_memory(struct engine *engine, uint32_t addr, uint8_t *bytes, size_t size, struct diag *d) {
    (void)engine;
    if (bench.bad - addr < size) return diag_set(d, STATUS_BAD_INPUT, "", 0, 0, "the link failed");
    memcpy(bytes, bench.memory + addr, size);
    return STATUS_OK;
}

static const struct engine_api API = {.name = "test", .write = write_memory, .read = read_memory};

/* A record that prints "%s|" of the string at an address. */
static void put_record(uint32_t at, uint32_t string) {
    const uint32_t words[] = {4 | 2 << 16, 4 | PRINTED_CONSTANT | 4 << 8, FORMAT, string};
    for (unsigned i = 0; i < 4; i++) put_word_at(bench.memory + at + 4 * i, words[i]);
}

static int set_up(void **state) {
    static const uint8_t FORMATS[FORMAT + 8] = {[FORMAT] = '%', 's', '|', '\n'};
    (void)state;
    memset(&bench, 0, sizeof bench);
    bench.engine.api = &API;
    bench.engine.properties.host_bytes = BYTES;
    bench.device.engine = &bench.engine;
    bench.device.properties = bench.engine.properties;
    bench.device.printed = BUFFER;
    pthread_mutex_init(&bench.device.engine_lock, NULL);
    bench.image = image_create();
    assert_non_null(bench.image);
    assert_int_equal(image_set_const(bench.image, 0, 0, FORMATS, sizeof FORMATS), STATUS_OK);
    bench.variable =
        (struct image_variable){.name = PRINTED, .space = IMAGE_CONSTANT, .addr = VARIABLE, .size = PRINTED_BYTES};
    bench.bad = NOWHERE;
    memcpy(bench.memory + STRING, "text", 5);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    image_destroy(bench.image);
    return 0;
}

/* The records have so many bytes. */
static cl_int end(uint32_t bytes, char **text, struct diag *d) {
    const struct code_kernel kernel = {.image = bench.image, .printed = &bench.variable};
    bool is_full = false;
    put_word_at(bench.memory + BUFFER, bytes);
    fixture_catch_output();
    const cl_int error = print_end(&bench.device, &kernel, bench.image, &is_full, d);
    *text = fixture_caught();
    assert_false(is_full);
    return error;
}

static void expect(uint32_t bytes, const char *wanted) {
    static const uint8_t ZEROS[BUFFER] = {0};
    struct diag d = {0};
    char *text;
    assert_int_equal(end(bytes, &text, &d), CL_COMPLETE);
    assert_string_equal(text, wanted);
    free(text);
    assert_memory_equal(bench.memory + BUFFER, ZEROS, sizeof ZEROS);
}

static void test_string_of_global_memory(void **state) {
    (void)state;
    put_record(BUFFER + 4, STRING);
    expect(RECORD, "text|\n");
}

/* The string is in a record of its own, ahead; the buffer is empty again when it is printed. */
static void test_string_of_the_buffer(void **state) {
    (void)state;
    put_word_at(bench.memory + BUFFER + 4, 3);
    memcpy(bench.memory + BUFFER + 8, "copied", 7);
    put_record(BUFFER + 16, BUFFER + 8);
    expect(12 + RECORD, "copied|\n");
    put_record(BUFFER + 4, BUFFER + 24); /* behind */
    put_word_at(bench.memory + BUFFER + 20, 3);
    memcpy(bench.memory + BUFFER + 24, "behind", 7);
    expect(RECORD + 12, "behind|\n");
}

/* The text before stays; the buffer is empty for the next launch. */
static void test_link_fails_in_a_string(void **state) {
    struct diag d = {0};
    char *text;
    (void)state;
    put_record(BUFFER + 4, STRING);
    put_record(BUFFER + 4 + RECORD, STRING + 0x100);
    bench.bad = STRING + 0x100;
    assert_int_equal(end(2 * RECORD, &text, &d), CL_OUT_OF_RESOURCES);
    assert_string_equal(d.text, "the link failed");
    assert_string_equal(text, "text|\n(null)|\n");
    free(text);
    assert_int_equal(word_at(bench.memory + BUFFER), 0);
    assert_int_equal(word_at(bench.memory + BUFFER + 4), 0);
}

static void test_link_fails_elsewhere(void **state) {
    static const uint32_t BAD[] = {BUFFER, BUFFER + 4};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct diag d = {0};
        char *text;
        put_record(BUFFER + 4, STRING);
        bench.bad = BAD[i];
        assert_int_equal(end(RECORD, &text, &d), CL_OUT_OF_RESOURCES);
        assert_string_equal(d.text, "the link failed");
        assert_string_equal(text, "");
        free(text);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_string_of_global_memory),
        TEST(test_string_of_the_buffer),
        TEST(test_link_fails_in_a_string),
        TEST(test_link_fails_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
