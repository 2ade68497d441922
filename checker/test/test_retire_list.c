/* SPDX-License-Identifier: Apache-2.0 */
/* The VHDL side of the trace port and the C side agree: number of bits, and the place of every member. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../record/compare.h"
#include "../record/unpack.h"

enum { MAX_MEMBERS = 64, NAME_BYTES = 32 };

struct member {
    char name[NAME_BYTES];
    unsigned first, bits;
};

struct record {
    struct member members[MAX_MEMBERS];
    unsigned count, bits;   /* bits: sum of the members */
    unsigned constant_bits; /* the constant in the package */
};

static const char *const PACKAGE = "rtl/generated/retire_pkg.vhd";

/* "name : std_ulogic;" or "name : std_ulogic_vector(n downto 0);" */
static bool parse_member(const char *line, struct record *r) {
    struct member *m = &r->members[r->count];
    unsigned high = 0;
    if (sscanf(line, " %31[a-z0-9_] : std_ulogic_vector(%u downto 0);", m->name, &high) == 2)
        m->bits = high + 1;
    else if (sscanf(line, " %31[a-z0-9_] : std_ulogic", m->name) == 1 && strstr(line, "std_ulogic;") != NULL)
        m->bits = 1;
    else
        return false;
    m->first = r->bits;
    r->bits += m->bits;
    r->count++;
    return true;
}

static void read_record(const char *type, const char *constant, struct record *r) {
    char line[256], begin[64];
    bool inside = false;
    FILE *f = fopen(PACKAGE, "r");
    memset(r, 0, sizeof *r);
    assert_non_null(f);
    snprintf(begin, sizeof begin, "type %s is record", type);
    while (fgets(line, sizeof line, f) != NULL)
        if (strstr(line, begin) != NULL)
            inside = true;
        else if (strstr(line, "end record") != NULL)
            inside = false;
        else if (inside && r->count < MAX_MEMBERS)
            parse_member(line, r);
        else if (strstr(line, constant) != NULL && strstr(line, "constant") != NULL)
            sscanf(strstr(line, ":="), ":= %u", &r->constant_bits);
    fclose(f);
}

static void expect_member(const struct record *r, const char *name, unsigned first, unsigned bits) {
    for (unsigned i = 0; i < r->count; i++) {
        if (strcmp(r->members[i].name, name) != 0) continue;
        if (r->members[i].first != first || r->members[i].bits != bits)
            fail_msg("%s: VHDL has bits %u..%u, C has %u..%u", name, r->members[i].first,
                     r->members[i].first + r->members[i].bits - 1, first, first + bits - 1);
        return;
    }
    fail_msg("%s is not in %s", name, PACKAGE);
}

static void test_retire_list_scalars_agree(void **state) {
    (void)state;
    struct record r;
    read_record("retire_t", "RETIRE_BITS", &r);
    assert_int_equal(r.bits, RETIRE_BITS);
    assert_int_equal(r.constant_bits, RETIRE_BITS);
#define PORT(name, bits)            expect_member(&r, #name, AT_##name, bits);
#define SCALAR(name, bits, compare) expect_member(&r, #name, AT_##name, bits);
#include "../../spec/retire.def"
}

static void test_retire_list_lanes_agree(void **state) {
    (void)state;
    struct record r;
    read_record("retire_lane_t", "RETIRE_LANE_BITS", &r);
    assert_int_equal(r.bits, RETIRE_LANE_BITS);
    assert_int_equal(r.constant_bits, RETIRE_LANE_BITS);
#define PORT_MASK(name)                  expect_member(&r, #name, LANE_AT_##name, 1);
#define MASK(name, compare)              expect_member(&r, #name, LANE_AT_##name, 1);
#define LANES(name, bits, mask, compare) expect_member(&r, #name, LANE_AT_##name, bits);
#include "../../spec/retire.def"
}

static void test_retire_list_table_is_whole(void **state) {
    (void)state;
    struct retire r = {.cycle = 1, .slot = 2, .exec = 3, .dst_mask = 5, .trap = 4};
    r.dst[2] = 7;
    r.dst_rest[1][2] = 9;
    assert_int_equal(retire_field_count(), RETIRE_FIELD_COUNT);
    for (size_t i = 0; i < retire_field_count(); i++) {
        const struct retire_field *f = retire_field_at(i);
        if (strcmp(f->name, "cycle") == 0) assert_int_equal(field_scalar(f, &r), 1);
        if (strcmp(f->name, "slot") == 0) assert_int_equal(f->compare, FIELD_INFO);
        if (strcmp(f->name, "trap") == 0) assert_int_equal(field_scalar(f, &r), 4);
        if (strcmp(f->name, "dst") == 0) {
            assert_int_equal(field_lanes(f, &r)[2], 7);
            assert_int_equal(field_mask(f, &r), 5);
        }
        if (strcmp(f->name, "dst.2") == 0) {
            assert_int_equal(field_lanes(f, &r)[2], 9);
            assert_int_equal(field_mask(f, &r), 5);
            assert_false(field_is_in(f, &r));
            r.mem_bytes = 16;
            assert_true(field_is_in(f, &r));
        }
    }
}

/* In records that differ in one field, that field is found; unless it is INFO. */
static void expect_found(const struct retire *usual, const struct retire *other, const char *name, bool found) {
    struct compare_result result;
    if (compare_records(usual, other, &result) == found) fail_msg("%s: found %zu differences", name, result.count);
    bool named = false;
    for (size_t i = 0; i < result.count; i++) named |= strncmp(result.diff[i].field->name, name, strlen(name)) == 0;
    assert_int_equal(named, found);
}

static void test_retire_list_is_compared(void **state) {
    (void)state;
    enum { EXACT = 1, INFO = 0 };
    struct retire usual = {.mem_bytes = 16}, other;
#define MASK(name, compare) usual.name = UINT32_MAX;
#include "../../spec/retire.def"
#define EXPECT(name, part, found) \
    other = usual;                \
    (part) ^= 1;                  \
    expect_found(&usual, &other, name, found);
#define HARNESS(name, bits)              EXPECT(#name, other.name, false)
#define SCALAR(name, bits, compare)      EXPECT(#name, other.name, compare)
#define MASK(name, compare)              EXPECT(#name, other.name, compare)
#define LANES(name, bits, mask, compare) EXPECT(#name, other.name[31], compare)
#define WORDS(name, of, mask, compare)   EXPECT(#of ".3", other.name[2][31], compare)
#include "../../spec/retire.def"
}

/* A lane that only one of two masks has gives no two values to compare. */
static void test_retire_list_compares_lanes_of_both_masks(void **state) {
    (void)state;
    struct retire record[2] = {{.exec = 1}, {.exec = 1}};
    struct compare_result result;
    record[1].dst_mask = 1u << 31;
    record[1].dst[31] = 9;
    for (unsigned i = 0; i < 2; i++) {
        assert_false(compare_records(&record[i], &record[1 - i], &result));
        assert_int_equal(result.count, 1);
        assert_string_equal(result.diff[0].field->name, "dst_mask");
        assert_int_equal(result.diff[0].lanes, 1u << 31);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_retire_list_scalars_agree),
        cmocka_unit_test(test_retire_list_lanes_agree),
        cmocka_unit_test(test_retire_list_table_is_whole),
        cmocka_unit_test(test_retire_list_is_compared),
        cmocka_unit_test(test_retire_list_compares_lanes_of_both_masks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
