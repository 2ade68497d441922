/* SPDX-License-Identifier: Apache-2.0 */
/* Records of printf as text: every conversion with its flags, widths and precisions as the host's printf prints it;
 * vectors by their elements; strings; records that are none; each allocation fails once. */
// link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
// link: -Wl,--wrap=fopen,--wrap=fdopen,--wrap=fmemopen
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../../assembler/image/printed.h"
#include "../../../testbench/robust/test/fail_alloc.h"
#include "../../test/fixture.h"
#include "../print.h"

enum { FORMAT = 16, ROOM = 1 << 16, GLOBAL = 4096, TEXT = 0x100 };

/* Records, and what they refer to. */
struct page {
    struct image *image;
    uint8_t records[ROOM], global[GLOBAL];
    size_t begin, size; /* of the last record; of all */
    uint32_t words, count;
};

static struct page page;

static int set_up(void **state) {
    (void)state;
    memset(&page, 0, sizeof page);
    page.image = image_create();
    return page.image == NULL;
}

static int tear_down(void **state) {
    (void)state;
    image_destroy(page.image);
    return 0;
}

static void put(size_t at, uint32_t word) {
    for (unsigned i = 0; i < 4; i++) page.records[at + i] = (uint8_t)(word >> 8 * i);
}

/* A record for so many arguments, whose format is a constant. */
static void begin(const char *format, uint32_t arguments) {
    const uint8_t *text = (const uint8_t *)format;
    assert_int_equal(image_set_const(page.image, 0, FORMAT, text, strlen(format) + 1), STATUS_OK);
    page.begin = page.size;
    page.count = 0;
    page.words = 1 + (arguments + 1 + 3) / 4 + 1;
    page.records[page.begin + 4] = 4 | PRINTED_CONSTANT;
    put(page.begin + 4 * (page.words - 1), FORMAT);
    page.size = page.begin + 4 * page.words;
    put(page.begin, page.words | 1 << 16);
}

static void add(const void *bytes, unsigned size, bool is_constant) {
    page.count++;
    page.records[page.begin + 4 + page.count] = (uint8_t)((size & 127) | (is_constant ? PRINTED_CONSTANT : 0));
    memcpy(page.records + page.size, bytes, size);
    page.size += (size + 3) / 4 * 4;
    page.words += (size + 3) / 4;
    put(page.begin, page.words | (page.count + 1) << 16);
}

static bool read_global(void *state, uint32_t addr, uint8_t *bytes, size_t size) {
    (void)state;
    if (addr > GLOBAL || size > GLOBAL - addr) return false;
    memcpy(bytes, page.global + addr, size);
    return true;
}

static char *printed(void) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    const enum status status = print_records(page.image, page.records, page.size, read_global, NULL, out, NULL);
    fclose(out);
    if (status == STATUS_OK) return text;
    free(text);
    return NULL;
}

static void expect(const char *wanted) {
    char *text = printed();
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
    page.size = 0;
}

/* ---- numbers ---- */

static const char *const WIDTHS[] = {"", "1", "12"}, *const PRECISIONS[] = {"", ".", ".0", ".3", ".11"};

typedef void test_fn(const char *before);

/* Calls with "%-+ #012.3" and all others. */
static void for_each_form(test_fn *test) {
    for (unsigned flags = 0; flags < 32; flags++)
        for (unsigned w = 0; w < sizeof WIDTHS / sizeof *WIDTHS; w++)
            for (unsigned p = 0; p < sizeof PRECISIONS / sizeof *PRECISIONS; p++) {
                char before[24] = "%", *at = before + 1;
                for (unsigned i = 0; i < 5; i++)
                    if ((flags >> i & 1) != 0) *at++ = "-+ #0"[i];
                snprintf(at, 20, "%s%s", WIDTHS[w], PRECISIONS[p]);
                test(before);
            }
}

static const int64_t NUMBERS[] = {0,       1,         -1,        127,       -128,      255,      0x8000,
                                  -0x8000, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 12345678, 0x5a5a5a5a5aLL};

/* As the host prints it whose long has the 64 bits of OpenCL's. */
static void try_integer(const char *before, const char *length, char kind, int64_t value) {
    char format[48], wanted[128];
    const bool is_long = length[0] == 'l';
    snprintf(format, sizeof format, "[%s%s%c]", before, is_long ? "ll" : length, kind);
    if (is_long)
        snprintf(wanted, sizeof wanted, format, (long long)value);
    else
        snprintf(wanted, sizeof wanted, format, (int)value);
    snprintf(format, sizeof format, "[%s%s%c]", before, length, kind);
    begin(format, 1);
    add(&value, is_long ? 8 : 4, false);
    expect(wanted);
}

static void try_integers(const char *before) {
    static const char *const LENGTHS[] = {"", "hh", "h", "l"};
    for (unsigned l = 0; l < 4; l++)
        for (const char *kind = "diouxX"; *kind != '\0'; kind++)
            for (unsigned i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
                try_integer(before, LENGTHS[l], *kind, NUMBERS[i]);
}

static void test_integers(void **state) {
    (void)state;
    for_each_form(try_integers);
}

static const double REALS[] = {0,     -0.0,   1,        -1.5,     0.1,       1e-5,    123456.789, 9.9999999e9,
                               1e100, 1e-300, 4.9e-324, INFINITY, -INFINITY, 3.5e-45, 2.5};

static void try_reals(const char *before) {
    for (const char *kind = "fFeEgGaA"; *kind != '\0'; kind++)
        for (unsigned i = 0; i < sizeof REALS / sizeof *REALS; i++) {
            char format[48], wanted[512];
            const float single = (float)REALS[i];
            snprintf(format, sizeof format, "[%s%c]", before, *kind);
            snprintf(wanted, sizeof wanted, format, REALS[i]);
            begin(format, 1);
            add(&REALS[i], 8, false);
            expect(wanted);
            snprintf(wanted, sizeof wanted, format, (double)single);
            begin(format, 1);
            add(&single, 4, false); /* without double precision */
            expect(wanted);
        }
}

static void test_reals(void **state) {
    const double nan = NAN;
    (void)state;
    for_each_form(try_reals);
    begin("%f %E %lf", 3);
    for (unsigned i = 0; i < 3; i++) add(&nan, 8, false);
    expect("nan NAN nan");
}

/* ---- characters, strings, pointers ---- */

static void try_texts(const char *before) {
    static const char ABC[] = "abcdef";
    const uint32_t c = 0xffffff00 | 'x', there = TEXT, constant = 0x200, address = 0x1234;
    const uintptr_t number = address;
    void *pointer;
    char format[100], wanted[200];
    memcpy(&pointer, &number, sizeof pointer);
    memcpy(page.global + TEXT, ABC, sizeof ABC);
    assert_int_equal(image_set_const(page.image, 0, constant, (const uint8_t *)ABC, sizeof ABC), STATUS_OK);
    snprintf(format, sizeof format, "[%sc|%ss|%ss|%sp]", before, before, before, before);
    snprintf(wanted, sizeof wanted, format, 'x', ABC, ABC, pointer);
    begin(format, 4);
    add(&c, 4, false);
    add(&there, 4, false);
    add(&constant, 4, true);
    add(&address, 4, false);
    expect(wanted);
}

static void test_texts(void **state) {
    (void)state;
    for_each_form(try_texts);
}

/* Across the pieces in which memory is read, up to its end, beyond it; NULL. */
static void test_strings(void **state) {
    const uint32_t addresses[] = {10, 0, GLOBAL - 4, GLOBAL - 3, GLOBAL, 0xfffffff0};
    (void)state;
    memset(page.global + 10, 'y', 200);
    memcpy(page.global + GLOBAL - 4, "end", 4);
    page.global[GLOBAL - 1] = '\0';
    begin("%s|%s|%s|%s|%s|%s", 6);
    for (unsigned i = 0; i < 6; i++) add(&addresses[i], 4, false);
    char wanted[300];
    memset(wanted, 'y', 200);
    strcpy(wanted + 200, "|(null)|end|nd|(null)|(null)");
    expect(wanted);
    page.global[GLOBAL - 1] = '!';
    begin("%s", 1);
    add(&addresses[2], 4, false);
    expect("(null)");
    begin("%s|%s", 2);
    const uint32_t constants[] = {0x10000, FORMAT};
    for (unsigned i = 0; i < 2; i++) add(&constants[i], 4, true);
    expect("(null)|%s|%s");
}

/* Formats in global memory, of which the second takes the place of the first among those that are kept. */
static void test_formats_in_memory(void **state) {
    const uint32_t formats[] = {TEXT, TEXT + 256, TEXT};
    (void)state;
    strcpy((char *)page.global + TEXT, "first ");
    strcpy((char *)page.global + TEXT + 256, "second ");
    for (unsigned i = 0; i < 3; i++) {
        begin("", 0);
        page.records[page.begin + 4] = 4;
        put(page.begin + 8, formats[i]);
    }
    expect("first second first ");
}

/* Strings at the format's address, and 256 bytes from it, while the format is in use. */
static void test_strings_like_their_format(void **state) {
    const uint32_t texts[] = {TEXT + 256, TEXT, TEXT + 1, TEXT + 512, 0};
    (void)state;
    strcpy((char *)page.global + TEXT, "%.2s|%.3s|%.1s|%s|%s.\n");
    strcpy((char *)page.global + TEXT + 256, "near");
    strcpy((char *)page.global + TEXT + 512, "far");
    begin("", 5);
    for (unsigned i = 0; i < 5; i++) add(&texts[i], 4, false);
    page.records[page.begin + 4] = 4;
    put(page.begin + 12, TEXT);
    expect("ne|%.2|.|far|(null).\n");
}

/* Arrays without a terminator, up to the end of memory and of the constants. */
static void test_unterminated(void **state) {
    const uint32_t end = GLOBAL - 3, constant = 0x1fd;
    (void)state;
    memcpy(page.global + end, "abc", 3);
    assert_int_equal(image_set_const(page.image, 0, constant, (const uint8_t *)"xyz", 3), STATUS_OK);
    begin("%.3s|%.2s|%.4s|%.3s|%.2s|%.4s|%.0s", 7);
    for (unsigned i = 0; i < 3; i++) add(&end, 4, false);
    for (unsigned i = 0; i < 4; i++) add(&constant, 4, true);
    expect("abc|ab|(nul|xyz|xy|(nul|");
    begin("%.*s|%.*s", 4);
    add(&(int){2}, 4, false);
    add(&end, 4, false);
    add(&(int){-2}, 4, false); /* is no precision */
    add(&end, 4, false);
    expect("ab|(null)");
}

/* ---- vectors ---- */

static void try_vector(const char *before, unsigned elements, const char *length, unsigned size, char kind) {
    char format[48], each[48], wanted[16 * 64] = "";
    uint8_t bytes[PRINTED_LARGEST] = {0};
    for (unsigned i = 0; i < elements; i++) {
        const int64_t value = (int64_t)((uint64_t)NUMBERS[i % 14] + i);
        memcpy(bytes + i * size, &value, size);
        snprintf(each, sizeof each, "%s%s%s%c", i > 0 ? "," : "", before,
                 size == 8   ? "ll"
                 : size == 4 ? ""
                             : length,
                 kind);
        const size_t end = strlen(wanted);
        if (size == 8)
            snprintf(wanted + end, sizeof wanted - end, each, (long long)value);
        else
            snprintf(wanted + end, sizeof wanted - end, each, (int)value);
    }
    snprintf(format, sizeof format, "%sv%u%s%c", before, elements, length, kind);
    begin(format, 1);
    add(bytes, (elements == 3 ? 4 : elements) * size, false);
    expect(wanted);
}

static void try_vectors(const char *before) {
    static const char *const LENGTHS[] = {"hh", "h", "hl", "l"};
    static const unsigned ELEMENTS[] = {2, 3, 4, 8, 16};
    for (unsigned l = 0; l < 4; l++)
        for (unsigned e = 0; e < 5; e++)
            for (const char *kind = "dux"; *kind != '\0'; kind++)
                try_vector(before, ELEMENTS[e], LENGTHS[l], 1u << l, *kind);
}

static void test_vectors(void **state) {
    (void)state;
    for_each_form(try_vectors);
}

static void test_vectors_of_reals(void **state) {
    const float single[4] = {1, -2.5f, INFINITY, 0.1f};
    const double wide[4] = {1, -2.5, INFINITY, 0.1};
    const uint16_t half[4] = {0x3c00, 0xc100, 0x7c00, 1};
    const int numbers[4] = {1, 2, 3, 4};
    (void)state;
    begin("%v4hlf|%.1v3lf|%v4hg|%v2a|%v4d|%v4f", 6);
    add(single, sizeof single, false);
    add(wide, sizeof wide, false);
    add(half, sizeof half, false);
    add(wide, 16, false);
    add(numbers, sizeof numbers, false); /* the size says what the length does not */
    add(single, sizeof single, false);
    expect("1.000000,-2.500000,inf,0.100000|1.0,-2.5,inf|1,-2.5,inf,5.96046e-08|0x1p+0,-0x1.4p+1|1,2,3,4|"
           "1.000000,-2.500000,inf,0.100000");
}

/* ---- what is odd ---- */

static void test_odd_formats(void **state) {
    const uint32_t seven = 7, minus = (uint32_t)-6;
    (void)state;
    begin("100%% %5% %y %v5d %", 0);
    expect("100% % %y %v5d %");
    begin("%*d|%-*d|%.*d|%n%d|%d", 9);
    add(&minus, 4, false);
    for (unsigned i = 0; i < 7; i++) add(&seven, 4, false);
    expect("7     |7      |0000007|7|0");
    const int64_t large = -5000000000;
    begin("%zd %td %jd %lld %lu %hld", 6);
    add(&large, 8, false);
    for (unsigned i = 0; i < 4; i++) add(i % 2 == 0 ? (const void *)&minus : &large, i % 2 == 0 ? 4 : 8, false);
    add(&seven, 4, false);
    expect("-5000000000 -6 -5000000000 -6 18446744068709551616 7");
    begin("%d %s %f %v4hld %c", 0); /* there are no arguments */
    char *text = printed();
    assert_memory_equal(text, "0 (null) 0.000000 0,0,0,0 ", 27);
    free(text);
}

/* Arguments as widths and precisions: a negative width is to the left, a negative precision none; both have a limit. */
static void test_stars(void **state) {
    static const int STARS[] = {0, 1, -1, 2, -2, 9, -9, 300, -300};
    static const int EXTREMES[] = {INT32_MAX, INT32_MIN, PRINTED_WIDEST + 1, -PRINTED_WIDEST - 1};
    const int none = 0, number = 42;
    char wanted[1024];
    (void)state;
    for (unsigned i = 0; i < 81; i++) {
        const int width = STARS[i / 9], precision = STARS[i % 9];
        snprintf(wanted, sizeof wanted, "[%*.*d|%-*d|%0*d]", width, precision, none, width, none, width, none);
        begin("[%*.*d|%-*d|%0*d]", 7);
        const int list[] = {width, precision, none, width, none, width, none};
        for (unsigned k = 0; k < 7; k++) add(&list[k], 4, false);
        expect(wanted);
    }
    for (unsigned i = 0; i < 4; i++) {
        begin("%*d%.*d", 4);
        add(&EXTREMES[i], 4, false);
        add(&number, 4, false);
        add(&EXTREMES[i], 4, false);
        add(&number, 4, false);
        char *text = printed();
        assert_non_null(text);
        assert_int_equal(strlen(text), PRINTED_WIDEST + (EXTREMES[i] > 0 ? PRINTED_WIDEST : 2));
        assert_true(text[0] == (EXTREMES[i] > 0 ? ' ' : '4'));
        free(text);
        page.size = 0;
    }
}

/* A record that was not written ends what is printed, and so does one that cannot be. */
static void test_records_that_are_none(void **state) {
    static const uint32_t HEADS[] = {0, 0xffff, 3 | 0xffff0000, 0x10000, 1 | 0x10000, 2 | 0x10000, 3 | 0x30000};
    (void)state;
    for (unsigned i = 0; i < sizeof HEADS / sizeof *HEADS; i++) {
        begin("x", 0);
        begin("x", 0);
        put(page.begin, HEADS[i]);
        begin("x", 0);
        expect("x");
    }
    begin("x", 0);
    page.size += 3;
    expect("x");
}

/* A record of no arguments is a string for others, and prints nothing itself. */
static void test_records_that_are_strings(void **state) {
    (void)state;
    begin("x", 0);
    begin("", 0);
    put(page.begin, page.words);
    begin("x", 0);
    expect("xx");
}

/* ---- the host ---- */

static void test_locale(void **state) {
    const double half = 1234.5;
    (void)state;
    static const char *const NAMES[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (unsigned i = 0; i < 3 && setlocale(LC_ALL, NAMES[i]) == NULL; i++) {}
    begin("%.1f", 1);
    add(&half, 8, false);
    expect("1234.5");
    setlocale(LC_ALL, "C");
}

static void test_no_memory(void **state) {
    const uint32_t text = TEXT;
    (void)state;
    strcpy((char *)page.global + TEXT, "text");
    begin("%s", 1);
    add(&text, 4, false);
    char room[64] = "";
    FILE *out = fmemopen(room, sizeof room, "w");
    assert_non_null(out);
    for (unsigned i = 1; i < 100; i++) {
        fail_alloc_arm(i, FAIL_ONCE);
        const enum status status = print_records(page.image, page.records, page.size, read_global, NULL, out, NULL);
        const bool failed = fail_alloc_disarm();
        assert_int_equal(status, failed ? STATUS_NO_MEMORY : STATUS_OK);
        if (!failed) break;
    }
    fclose(out);
    assert_non_null(strstr(room, "text"));
}

static void test_full_disk(void **state) {
    struct diag d = {0};
    (void)state;
    FILE *out = fopen("/dev/full", "w");
    assert_non_null(out);
    begin("text", 0);
    assert_int_equal(print_records(page.image, page.records, page.size, read_global, NULL, out, &d), STATUS_BAD_INPUT);
    assert_non_null(strstr(d.text, "cannot write the output of printf"));
    fclose(out);
}

static void *try_lock(void *out) {
    if (ftrylockfile(out) != 0) return NULL;
    funlockfile(out);
    return out;
}

/* Reads while another thread uses the stream. */
static bool read_meanwhile(void *out, uint32_t addr, uint8_t *bytes, size_t size) {
    pthread_t other;
    void *taken;
    assert_int_equal(pthread_create(&other, NULL, try_lock, out), 0);
    assert_int_equal(pthread_join(other, &taken), 0);
    return taken == out && read_global(NULL, addr, bytes, size);
}

static void test_lock(void **state) {
    const uint32_t address = TEXT;
    char *text = NULL;
    size_t size;
    (void)state;
    strcpy((char *)page.global + TEXT, "read");
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    begin("%s", 1);
    add(&address, 4, false);
    assert_int_equal(print_records(page.image, page.records, page.size, read_meanwhile, out, out, NULL), STATUS_OK);
    fclose(out);
    assert_string_equal(text, "read");
    free(text);
}

/* ---- launches ---- */

static void add_variable(const char *name, unsigned size) {
    static const uint8_t BYTES[16];
    const struct image_variable v = {
        .name = (char *)name, .type = "b8", .space = IMAGE_CONSTANT, .addr = 4, .size = size};
    assert_int_equal(image_set_const(page.image, 0, 0, BYTES, sizeof BYTES), STATUS_OK);
    assert_int_equal(image_add_variable(page.image, &v), STATUS_OK);
}

static void expect_words(uint32_t counts, uint32_t size, uint32_t first) {
    const uint32_t words[] = {counts, size, first};
    for (unsigned i = 0; i < 12; i++)
        assert_int_equal(page.image->bank[0].bytes[4 + i], words[i / 4] >> 8 * (i % 4) & 0xff);
}

/* Of 16 KB of memory 2 KB: at its end, or below what is there. */
static void test_place(void **state) {
    struct machine machine = MACHINE_DEFAULT;
    struct launch run = {.path = (char *)"k", .image = page.image};
    struct diag d = {0};
    (void)state;
    machine.global_bytes = 16384;
    image_set_shape(page.image);
    add_variable("other", PRINTED_BYTES);
    assert_int_equal(print_place(&run, &machine, &d), STATUS_OK);
    assert_int_equal(page.image->global_count, 0); /* it does not print */
    add_variable(PRINTED, PRINTED_BYTES);
    assert_int_equal(print_place(&run, &machine, &d), STATUS_OK);
    assert_int_equal(page.image->global[0].addr, 14336);
    assert_int_equal(page.image->global[0].size, 2048);
    expect_words(14336, 2044, 14340);
    assert_int_equal(image_add_global(page.image, 12000, page.global, 16), STATUS_OK);
    assert_int_equal(print_place(&run, &machine, &d), STATUS_OK);
    assert_int_equal(page.image->global[2].addr, 12288);
    assert_int_equal(print_place(&run, &machine, &d), STATUS_OK);
    assert_int_equal(page.image->global[3].addr, 12000 - 2048);
    machine.global_bytes = 2048;
    assert_int_equal(print_place(&run, &machine, &d), STATUS_OK);
    assert_int_equal(image_add_global(page.image, 0, page.global, 2048), STATUS_OK);
    assert_int_equal(print_place(&run, &machine, &d), STATUS_BAD_INPUT);
}

/* A variable that is none of ours. */
static void test_wrong_variables(void **state) {
    (void)state;
    assert_null(print_find(page.image));
    add_variable(PRINTED, 8);
    assert_null(print_find(page.image));
    page.image->variables[0].size = PRINTED_BYTES;
    assert_non_null(print_find(page.image));
    page.image->variables[0].addr = 5;
    assert_null(print_find(page.image));
    page.image->variables[0].addr = 4;
    page.image->variables[0].space = IMAGE_GLOBAL;
    assert_null(print_find(page.image));
}

/* Regions of warps: 6 blocks of 3 warps, of which some have records; each until it is full. */
static void test_warps(void **state) {
    static uint8_t global[16384];
    struct machine machine = MACHINE_DEFAULT;
    struct launch run = {.path = (char *)"k", .image = page.image};
    struct diag d = {0};
    char *text = NULL, *told = NULL;
    size_t size;
    (void)state;
    const uint32_t grid[] = {3, 2}, block[] = {11, 3, 2};
    memcpy(page.image->grid, grid, sizeof grid);
    memcpy(page.image->block, block, sizeof block);
    machine.global_bytes = sizeof global;
    add_variable(PRINTED_WARPS, PRINTED_BYTES);
    assert_int_equal(print_place(&run, &machine, &d), STATUS_OK);
    expect_words(14336, 108, 14336 + 18 * 4);
    begin("warp %d\n", 1);
    for (uint32_t i = 0; i < 18; i += 17) {
        put(page.begin + 4 * 3, i);
        page.records[page.begin + 5] = 4;
        put(page.begin, 4 | 2 << 16);
        memcpy(global + 14336 + 72 + 108 * i, page.records, 16);
        memcpy(global + 14336 + 4 * i, i > 0 ? "\0\0\0\x40" : "\x10\0\0", 4);
    }
    FILE *out = open_memstream(&text, &size), *messages = open_memstream(&told, &size);
    assert_true(out != NULL && messages != NULL);
    assert_int_equal(print_results(&run, global, sizeof global, out, messages, &d), STATUS_OK);
    fclose(out);
    fclose(messages);
    assert_string_equal(text, "warp 0\nwarp 17\n");
    assert_string_equal(told, "k: warning: printf: the print buffer of 2048 bytes was full\n");
    free(text);
    free(told);
    page.image->grid[0] = 1000; /* more warps than bytes */
    told = NULL;
    messages = open_memstream(&told, &size);
    assert_non_null(messages);
    assert_int_equal(print_results(&run, global, sizeof global, stdout, messages, &d), STATUS_OK);
    fclose(messages);
    assert_string_equal(told, "k: warning: printf: the print buffer of 2048 bytes is too small for "
                              "the number of warps\n");
    free(told);
    const struct image_variable *v = print_find(page.image);
    const struct print_regions r = print_divide(page.image, v, 256, 4096);
    assert_true(r.count == 0 && r.size == 0);
}

int main(void) {
    static const struct CMUnitTest TESTS[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_integers),
        TEST(test_reals),
        TEST(test_texts),
        TEST(test_strings),
        TEST(test_formats_in_memory),
        TEST(test_strings_like_their_format),
        TEST(test_unterminated),
        TEST(test_vectors),
        TEST(test_vectors_of_reals),
        TEST(test_odd_formats),
        TEST(test_stars),
        TEST(test_records_that_are_none),
        TEST(test_records_that_are_strings),
        TEST(test_locale),
        TEST(test_no_memory),
        TEST(test_full_disk),
        TEST(test_lock),
        TEST(test_place),
        TEST(test_wrong_variables),
        TEST(test_warps),
    };
    return cmocka_run_group_tests(TESTS, NULL, NULL);
}
