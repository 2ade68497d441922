/* SPDX-License-Identifier: Apache-2.0 */
/* Traces for Perfetto, read by its rules: every track is named, slices of a thread nest, every begin has an end. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../test/fixture.h"
#include "../perfetto.h"

enum { EVENTS_MAX = 20000, THREADS_MAX = 1024 };

struct slice {
    json_int_t thread, from, to;
};

/* A reader's view of a trace. */
struct view {
    json_t *root;
    const json_t *events;
    struct slice slices[EVENTS_MAX];
    size_t count;
    json_int_t process_of[THREADS_MAX]; /* process of each named thread; 0: none */
    bool process_named[THREADS_MAX];
};

static json_int_t number(const json_t *event, const char *name) {
    const json_t *value = json_object_get(event, name);
    if (!json_is_integer(value)) fail_msg("no %s in %s", name, json_dumps(event, 0));
    return json_integer_value(value);
}

static const char *text(const json_t *event, const char *name) {
    const char *value = json_string_value(json_object_get(event, name));
    if (value == NULL) fail_msg("no %s in %s", name, json_dumps(event, 0));
    return value;
}

static json_int_t bounded(const json_t *event, const char *name) {
    const json_int_t value = number(event, name);
    assert_in_range(value, 1, THREADS_MAX - 1);
    return value;
}

static void read_name(struct view *v, const json_t *event) {
    const json_int_t process = bounded(event, "pid");
    assert_true(text(json_object_get(event, "args"), "name")[0] != '\0');
    if (strcmp(text(event, "name"), "process_name") == 0) {
        v->process_named[process] = true;
        return;
    }
    assert_string_equal(text(event, "name"), "thread_name");
    const json_int_t thread = bounded(event, "tid");
    assert_true(v->process_named[process]);
    assert_int_equal(v->process_of[thread], 0);
    v->process_of[thread] = process;
}

/* A slice that has ended, or one that begins: its end is not known yet. */
static void read_slice(struct view *v, const json_t *event, char phase) {
    const json_int_t thread = bounded(event, "tid"), at = number(event, "ts");
    assert_true(at >= 0);
    assert_int_equal(v->process_of[thread], number(event, "pid"));
    if (phase == 'E') {
        size_t i = v->count;
        while (i > 0 && (v->slices[i - 1].thread != thread || v->slices[i - 1].to >= 0)) i--;
        if (i == 0) fail_msg("nothing to end at %lld", (long long)at);
        v->slices[i - 1].to = at;
        return;
    }
    assert_true(text(event, "name")[0] != '\0');
    assert_true(v->count < EVENTS_MAX);
    v->slices[v->count++] = (struct slice){thread, at, phase == 'B' ? -1 : at + number(event, "dur")};
}

static void check_nesting(const struct view *v) {
    for (size_t i = 0; i < v->count; i++) {
        const struct slice *a = &v->slices[i];
        if (a->to < a->from) fail_msg("a slice at %lld does not end", (long long)a->from);
        for (size_t n = 0; n < i; n++) {
            const struct slice *b = &v->slices[n];
            const bool apart = a->thread != b->thread || a->to <= b->from || b->to <= a->from;
            const bool inside = a->from >= b->from && a->to <= b->to; /* of equal slices the first is the outer one */
            if (!apart && !inside)
                fail_msg("slices %lld to %lld and %lld to %lld cross", (long long)b->from, (long long)b->to,
                         (long long)a->from, (long long)a->to);
        }
    }
}

static struct view *read_trace(json_t *root) {
    struct view *v = calloc(1, sizeof *v);
    size_t i;
    const json_t *event;
    assert_non_null(v);
    assert_non_null(root);
    v->root = root;
    v->events = json_object_get(root, "traceEvents");
    json_array_foreach(v->events, i, event) {
        const char phase = text(event, "ph")[0];
        if (phase == 'M')
            read_name(v, event);
        else if (phase == 'X' || phase == 'B' || phase == 'E')
            read_slice(v, event, phase);
        else if (phase == 'C')
            assert_true(number(json_object_get(event, "args"), "value") >= 0 &&
                        v->process_named[bounded(event, "pid")]);
        else
            fail_msg("event of kind %c", phase);
    }
    check_nesting(v);
    return v;
}

static void release(struct view *v) {
    json_decref(v->root);
    free(v);
}

/* The number of events of this phase and name, and their total duration, or the last value. */
static size_t count_events(const struct view *v, char phase, const char *name, json_int_t *sum) {
    size_t i, found = 0;
    const json_t *event;
    *sum = 0;
    json_array_foreach(v->events, i, event) {
        if (text(event, "ph")[0] != phase || strcmp(text(event, "name"), name) != 0) continue;
        found++;
        if (phase == 'X') *sum += number(event, "dur");
        if (phase == 'C') *sum = number(json_object_get(event, "args"), "value");
    }
    return found;
}

static struct view *write_records(const struct retire *records, size_t count) {
    char *json = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&json, &size);
    assert_non_null(out);
    struct perfetto *p = perfetto_create(out, NULL);
    assert_non_null(p);
    for (size_t i = 0; i < count; i++) perfetto_record(p, &records[i], "NOP", records[i].trap != 0 ? "bad" : "");
    assert_true(perfetto_finish(p, ""));
    fclose(out);
    struct view *v = read_trace(json_loads(json, 0, NULL));
    free(json);
    return v;
}

static struct retire record(unsigned sm, unsigned slot, unsigned block, uint64_t cycle, enum retire_state state) {
    struct retire r = fixture_record(sm, slot, block, 0, 0);
    r.cycle = cycle;
    r.state = state;
    r.exec = r.active = 0xff;
    r.word_lo = 1;
    r.next_pc = r.pc + 8;
    return r;
}

/* Two SMs, a slot with two blocks in turn, a barrier, a load, a branch, a trap, and an unfinished warp. */
static void test_perfetto_of_two_sms(void **state) {
    (void)state;
    struct retire records[] = {
        record(0, 0, 0, 10, RETIRE_BARRIER),  record(1, 3, 1, 12, RETIRE_READY),   record(0, 0, 0, 30, RETIRE_READY),
        record(0, 0, 0, 50, RETIRE_READY),    record(0, 0, 0, 58, RETIRE_READY),   record(1, 3, 1, 60, RETIRE_READY),
        record(0, 0, 0, 61, RETIRE_FINISHED), record(0, 0, 2, 70, RETIRE_TRAPPED),
    };
    json_int_t sum;
    records[3].mem_kind = RETIRE_MEM_GLOBAL_LOAD;
    records[3].next_pc = 0x80; /* and its next pc is elsewhere */
    records[7].trap = TRAP_UNDEFINED;
    struct view *v = write_records(records, sizeof records / sizeof records[0]);
    assert_int_equal(count_events(v, 'B', "block (0,0) warp 0", &sum), 1);
    assert_int_equal(count_events(v, 'B', "block (2,0) warp 0", &sum), 1);
    assert_int_equal(count_events(v, 'X', "NOP", &sum), 8);
    assert_int_equal(sum, 1 + 20 + 20 + 8 + 3 + 1 + 48 + 1);
    assert_int_equal(count_events(v, 'X', "wait: barrier", &sum), 1);
    assert_int_equal(sum, 19);
    assert_int_equal(count_events(v, 'X', "wait: memory", &sum), 1);
    assert_int_equal(sum, 19);
    assert_int_equal(count_events(v, 'X', "wait: branch", &sum), 1);
    assert_int_equal(sum, 7);
    assert_int_equal(count_events(v, 'X', "wait: issue", &sum), 2);
    assert_int_equal(sum, 47 + 2);
    assert_int_equal(count_events(v, 'C', "warps at barriers", &sum), 2);
    assert_int_equal(count_events(v, 'C', "lanes", &sum), 2); /* one of each SM: unchanged */
    assert_int_equal(sum, 8);
    assert_int_equal(v->process_of[1], 1);
    assert_int_equal(v->process_of[256 + 3 + 1], 2);
    release(v);
}

static void test_perfetto_of_nothing(void **state) {
    (void)state;
    release(write_records(NULL, 0));
}

/* Of a kernel with barriers, loops and divergence. */
static void test_perfetto_of_a_kernel(void **state) {
    (void)state;
    static char path[] = "/tmp/perfetto.XXXXXX.json";
    char command[128];
    json_int_t sum;
    const int file = mkstemps(path, 5);
    assert_true(file >= 0);
    snprintf(command, sizeof command, "build/bin/warp-run kernels/apps/reduce.sass --trace %s > /dev/null", path);
    assert_int_equal(system(command), 0);
    struct view *v = read_trace(json_load_file(path, 0, NULL));
    remove(path);
    assert_int_equal(count_events(v, 'X', "I2I.U32.U16 R1, R0L", &sum), 8); /* warps */
    assert_true(count_events(v, 'X', "wait: barrier", &sum) > 0);
    assert_true(count_events(v, 'C', "stack of slot 0", &sum) > 0);
    assert_int_equal(sum, 0);
    assert_true(count_events(v, 'C', "warps", &sum) > 0);
    assert_int_equal(sum, 0);
    release(v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perfetto_of_two_sms),
        cmocka_unit_test(test_perfetto_of_nothing),
        cmocka_unit_test(test_perfetto_of_a_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
