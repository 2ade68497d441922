/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of --memory, and its error messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../port/bus_option.h"

static struct sim_bus bus_of(const char *text, unsigned cores) {
    struct sim_bus bus = {0};
    struct diag d = {0};
    if (bus_parse(text, &bus, &d) != STATUS_OK || bus_check(&bus, cores, &d) != STATUS_OK)
        fail_msg("%s: %s", text, d.text);
    return bus;
}

static void test_bus_option_takes_its_parts(void **state) {
    (void)state;
    const struct sim_bus all = bus_of("bus,words=4,latency=255,stall=99,seed=2147483647", 8);
    assert_true(all.used);
    assert_int_equal(all.words, 4);
    assert_int_equal(all.latency, 255);
    assert_int_equal(all.stall, 99);
    assert_int_equal(all.seed, 2147483647);
    const struct sim_bus ram = bus_of("ram", 8);
    assert_false(ram.used);
    assert_int_equal(ram.words, 0);
}

static void test_bus_option_is_as_wide_as_a_line(void **state) {
    (void)state;
    assert_int_equal(bus_of("bus", 8).words, 8);
    assert_int_equal(bus_of("bus,latency=0", 32).words, 32);
    assert_int_equal(bus_of("bus", 8).latency, 30);
}

static void test_bus_option_prints_what_it_reads(void **state) {
    (void)state;
    char text[80] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    const struct sim_bus bus = bus_of("bus,seed=7,stall=20", 16);
    bus_print(&bus, out);
    fclose(out);
    assert_string_equal(text, "bus,words=16,latency=30,stall=20,seed=7");
}

static void test_bus_option_refuses_what_it_does_not_know(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned cores;
        const char *error;
    } rows[] = {
        {"",                    8,  "--memory '': expected ram or bus"                                      },
        {"dram",                8,  "--memory 'dram': expected ram or bus"                                  },
        {"bus30",               8,  "--memory 'bus30': expected a comma between its parts"                  },
        {"bus,",                8,  "--memory 'bus,': expected words=1 to 32, "                             },
        {"bus,latency=256",     8,  "--memory 'bus,latency=256': expected words=1 to 32, latency=0 to 255, "},
        {"bus,stall=100",       8,  "--memory 'bus,stall=100': expected "                                   },
        {"bus,stall=-1",        8,  "--memory 'bus,stall=-1': expected "                                    },
        {"bus,seed=2147483648", 8,  "--memory 'bus,seed=2147483648': expected "                             },
        {"bus,words=0",         8,  "--memory 'bus,words=0': expected "                                     },
        {"bus,words=16",        8,  "--memory: a bus of 16 words: expected a power of two up to 8, --cores" },
        {"bus,words=3",         32, "--memory: a bus of 3 words: expected a power of two up to 32, --cores" },
        {"bus,latency=5x",      8,  "--memory 'bus,latency=5x': expected a comma between its parts"         },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sim_bus bus = {0};
        struct diag d = {0};
        enum status status = bus_parse(rows[i].text, &bus, &d);
        if (status == STATUS_OK) status = bus_check(&bus, rows[i].cores, &d);
        assert_int_equal(status, STATUS_BAD_INPUT);
        if (strncmp(d.text, rows[i].error, strlen(rows[i].error)) != 0) fail_msg("%s", d.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bus_option_takes_its_parts),
        cmocka_unit_test(test_bus_option_is_as_wide_as_a_line),
        cmocka_unit_test(test_bus_option_prints_what_it_reads),
        cmocka_unit_test(test_bus_option_refuses_what_it_does_not_know),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
