/* SPDX-License-Identifier: Apache-2.0 */
/* warp-fuzz with a faulty simulation: the verdict, and the files that it leaves. The simulation is the second model of
 * lockstep's tests, with its faults. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../cmodel/model.h"
#include "../../test/fake_sim.h"
#include "../campaign.h"
#include "../judge.h"

enum { STEPS = 250, SEED = 23, TEXT = 1 << 16 };

/* The fault that the next simulation opens with: sim_api cannot carry it, because warp-fuzz draws the seeds. */
static enum fake_fault planted;

static struct sim *open_planted(const struct sim_options *options, char *why, size_t why_size) {
    struct sim_options with_fault = *options;
    with_fault.seed = planted;
    return fake_sim_api()->open(&with_fault, why, why_size);
}

static struct sim_api faulty(void) {
    struct sim_api api = *fake_sim_api();
    api.open = open_planted;
    return api;
}

struct fixture {
    struct campaign c;
    struct table table;
    struct kernel kernel; /* that of SEED, which stores */
    char directory[32];
    char text[TEXT]; /* the text read last */
};

static int make(void **state) {
    static struct fixture f;
    char why[JUDGE_WHY];
    f.c.make = (struct make_options){MAKE_RUNS, STEPS};
    table_find(&f.table);
    *state = &f;
    return make_kernel(&f.kernel, SEED, &f.c.make, &f.table, why) ? 0 : -1;
}

static int create(void **state) {
    struct fixture *f = *state;
    struct campaign *c = &f->c;
    strcpy(f->directory, "/tmp/test_campaign.XXXXXX");
    if (mkdtemp(f->directory) == NULL) return -1;
    *c = (struct campaign){.seed = SEED, .count = 1, .jobs = 1, .failures = 1, .shrink = true, .trials = 1};
    c->shrink_seconds = 600;
    c->make = (struct make_options){MAKE_RUNS, STEPS};
    c->out = f->directory;
    c->trial[0] = (struct trial){
        .sim = {"first.so", "second.so"},
        .sims = 1,
        .cores = 8,
        .sms = 1,
        .table = &f->table,
        .make = &c->make,
        .seconds = 60,
    };
    return 0;
}

static const char *file(struct fixture *f, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", f->directory, name);
    FILE *in = fopen(path, "r");
    if (in == NULL) fail_msg("there is no %s", path);
    f->text[fread(f->text, 1, TEXT - 1, in)] = 0;
    fclose(in);
    unlink(path);
    return f->text;
}

static int destroy(void **state) {
    const struct fixture *f = *state;
    return rmdir(f->directory); /* the test has removed all expected files, so no others exist */
}

static struct trial_result run(struct fixture *f, const struct sim_api *first, const struct sim_api *second) {
    struct trial *t = &f->c.trial[0];
    struct trial_result result;
    t->lib[0].api = first;
    t->lib[1].api = second;
    t->sims = second == NULL ? 1 : 2;
    trial_run(t, &f->kernel, &result);
    return result;
}

static void must_end(struct fixture *f, const struct sim_api *api, const char *verdict, const char *text) {
    const struct trial_result result = run(f, api, NULL);
    assert_string_equal(verdict_name(result.verdict), verdict);
    if (strstr(result.text, text) == NULL) fail_msg("'%s' does not say '%s'", result.text, text);
}

static void test_trial_names_what_is_wrong(void **state) {
    struct fixture *f = *state;
    const struct sim_api api = faulty();
    static const struct {
        enum fake_fault fault;
        const char *verdict, *text;
    } rows[] = {
        {FAKE_NONE,     "pass",     ""             },
        {FAKE_LANE,     "mismatch", "differ in dst"},
        {FAKE_SILENT,   "hang",     ""             },
        {FAKE_UNLOADED, "mismatch", "load planted" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        planted = rows[i].fault;
        must_end(f, &api, rows[i].verdict, rows[i].text);
    }
}

/* Like a simulation that fails an assertion by abort(), a library that calls exit(), one that hangs. */
static enum sim_event next_dies(struct sim *s, struct retire *record, uint64_t limit) {
    (void)s, (void)record, (void)limit;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* no core file is left */
    signal(SIGABRT, SIG_DFL);
    abort();
}
static enum sim_event next_leaves(struct sim *s, struct retire *record, uint64_t limit) {
    (void)s, (void)record, (void)limit;
    _exit(3);
}
static enum sim_event next_hangs(struct sim *s, struct retire *record, uint64_t limit) {
    (void)s, (void)record, (void)limit;
    for (volatile bool always = true; always;) {}
    return SIM_SILENT;
}

static void test_trial_outlives_its_simulation(void **state) {
    struct fixture *f = *state;
    struct sim_api api = *fake_sim_api();
    api.next = next_dies;
    must_end(f, &api, "crash", "the process died of Aborted");
    api.next = next_leaves;
    must_end(f, &api, "crash", "the process ended with exit code 3");
    api.next = next_hangs;
    f->c.trial[0].seconds = 1;
    must_end(f, &api, "timeout", "the process took too long");
}

static void counters_of_a_slower_one(struct sim *s, struct sim_counters *counters) {
    fake_sim_api()->counters(s, counters);
    counters->cycles++;
    counters->cause[0][SIM_CAUSE_DRAIN]++;
}

static void test_trial_compares_cycles_of_two(void **state) {
    struct fixture *f = *state;
    struct sim_api same = faulty(), slower = faulty();
    planted = FAKE_NONE;
    slower.counters = counters_of_a_slower_one;
    assert_int_equal(run(f, &same, &same).verdict, VERDICT_PASS);
    const struct trial_result result = run(f, &same, &slower);
    char cycles[64];
    snprintf(cycles, sizeof cycles, "%llu cycles on first.so, %llu on second.so", (unsigned long long)result.cycles - 1,
             (unsigned long long)result.cycles);
    assert_int_equal(result.verdict, VERDICT_CYCLES);
    assert_string_equal(result.text, cycles);
}

/* A record one cycle later, in a run of the same length. */
static enum sim_event next_later(struct sim *s, struct retire *record, uint64_t limit) {
    const enum sim_event event = fake_sim_api()->next(s, record, limit);
    if (event == SIM_RECORD) record->cycle++;
    return event;
}

static void test_trial_compares_records_of_two(void **state) {
    struct fixture *f = *state;
    struct sim_api same = faulty(), later = faulty();
    planted = FAKE_NONE;
    later.next = next_later;
    const struct trial_result result = run(f, &same, &later);
    assert_int_equal(result.verdict, VERDICT_RECORDS);
    assert_string_equal(result.text, "other records on second.so than on first.so");
}

/* Of a process: the first run loads once, the second another kernel and then this one. */
static unsigned loads;
static int load_counted(struct sim *s, const struct launch *run) {
    loads++;
    return fake_sim_api()->load(s, run);
}
static void counters_of_a_third_launch(struct sim *s, struct sim_counters *counters) {
    (loads == 3 ? counters_of_a_slower_one : fake_sim_api()->counters)(s, counters);
}

static void test_trial_launches_after_another(void **state) {
    struct fixture *f = *state;
    struct sim_api api = faulty();
    planted = FAKE_NONE;
    api.load = load_counted;
    f->c.trial[0].after = true;
    assert_int_equal(run(f, &api, NULL).verdict, VERDICT_PASS);
    api.counters = counters_of_a_third_launch;
    const struct trial_result result = run(f, &api, NULL);
    assert_int_equal(result.verdict, VERDICT_CYCLES);
    assert_non_null(strstr(result.text, " on first.so, launched after another"));
}

/* An unintended trap, and a missing one. */
static void test_trial_wants_the_trap_that_was_meant(void **state) {
    struct fixture *f = *state;
    static struct kernel usual, trapping;
    char why[JUDGE_WHY];
    const struct sim_api api = faulty();
    const struct make_options options = {MAKE_TRAP, JUDGE_STEPS};
    usual = f->kernel;
    planted = FAKE_NONE;
    f->kernel.trap = TRAP_FETCH;
    must_end(f, &api, "trap", "it must trap (fetch beyond the code) and does not");
    assert_true(make_kernel(&trapping, SEED, &options, &f->table, why));
    f->kernel = trapping;
    must_end(f, &api, "pass", "");
    f->kernel.trap = trapping.trap == TRAP_FETCH ? TRAP_BREAKPOINT : TRAP_FETCH;
    must_end(f, &api, "trap", trap_name(trapping.trap));
    f->kernel = usual;
}

/* Two simulations begin with different contents, on which a kernel that reads them may branch. */
static void test_trial_compares_no_cycles_of_what_is_undefined(void **state) {
    struct fixture *f = *state;
    const struct sim_api same = faulty();
    struct sim_api slower = faulty();
    static struct kernel drawn;
    char why[JUDGE_WHY];
    const struct kernel usual = f->kernel;
    planted = FAKE_NONE;
    slower.counters = counters_of_a_slower_one;
    for (uint64_t seed = SEED; seed < SEED + 1000 && !drawn.undefined; seed++)
        if (!make_kernel(&drawn, seed, &f->c.make, &f->table, why)) drawn.undefined = false;
    assert_true(drawn.undefined);
    f->kernel = drawn;
    assert_int_equal(run(f, &same, NULL).digest, 0);
    assert_int_equal(run(f, &same, &slower).verdict, VERDICT_PASS);
    f->kernel = usual;
}

/* The number of code lines of a text: neither comments nor directives. */
static unsigned count_code(const char *text) {
    unsigned count = 0;
    for (const char *line = text; *line != 0; line = strchr(line, '\n') + 1)
        count += strncmp(line, "    ", 4) == 0 && strstr(line, "//") != line;
    return count;
}

static struct campaign_result search(struct fixture *f, const struct sim_api *api) {
    struct campaign_result result;
    char path[64];
    f->c.trial[0].lib[0].api = api;
    snprintf(path, sizeof path, "%s/said", f->directory);
    fflush(stdout);
    const int usual = dup(STDOUT_FILENO);
    assert_true(usual >= 0 && freopen(path, "w", stdout) != NULL);
    campaign_run(&f->c, &result);
    fflush(stdout);
    dup2(usual, STDOUT_FILENO);
    close(usual);
    return result;
}

static void test_campaign_shrinks_and_writes_a_failure(void **state) {
    struct fixture *f = *state;
    const struct sim_api api = faulty();
    char repeat[256];
    planted = FAKE_DATA;
    f->c.trial[0].after = true;
    const struct campaign_result result = search(f, &api);
    assert_int_equal(result.failures, 1);
    assert_int_equal(result.kernels, 1);

    const char *said = file(f, "said");
    assert_memory_equal(said, "seed 23: mismatch: ", strlen("seed 23: mismatch: "));
    assert_non_null(strstr(said, "\n  shrunk from "));
    snprintf(repeat, sizeof repeat, "\n  written to %s/23.sass; to repeat:\n", f->directory);
    assert_non_null(strstr(said, repeat));

    const unsigned drawn = count_code(file(f, "23.full.sass"));
    const char *shrunk = file(f, "23.sass");
    assert_memory_equal(shrunk, "// mismatch: ", strlen("// mismatch: "));
    snprintf(repeat, sizeof repeat,
             "\n// warp-fuzz --seed 23 --count 1 --sim first.so --cores 8 --sms 1 --after --steps 250 --kind runs"
             "\n// warp-lockstep %s/23.sass --sim first.so --cores 8 --sms 1 --seed 24 --after %s/23.before.sass\n",
             f->directory, f->directory);
    assert_non_null(strstr(shrunk, repeat));
    assert_int_equal(count_code(shrunk), 1);
    assert_non_null(strstr(shrunk, " GST.")); /* the fault is in the data of a store */
    assert_true(drawn > 100);
    assert_non_null(strstr(file(f, "23.txt"), "differ in data"));
    assert_non_null(strstr(file(f, "23.before.sass"), "// must trap with code "));
}

/* Two faults: the result of A2R, and the next pc of a LOP in a place where no drawn kernel has one. */
static enum sim_event next_twice_wrong(struct sim *s, struct retire *record, uint64_t limit) {
    enum { EARLY = 0x18 };
    const enum sim_event event = fake_sim_api()->next(s, record, limit);
    struct isa_insn insn;
    if (event != SIM_RECORD || isa_decode(record->word_lo, record->word_hi, &insn) != ISA_OK) return event;
    if (insn.op == OP_A2R && record->dst_mask != 0) record->dst[__builtin_ctz(record->dst_mask)] ^= 4;
    if (insn.op == OP_LOP && record->pc < EARLY) record->next_pc ^= 8;
    return event;
}

/* A kernel that fails in another way does not count as a smaller one of the same failure. */
static void test_campaign_shrinks_to_the_same_fault(void **state) {
    struct fixture *f = *state;
    struct sim_api api = faulty();
    planted = FAKE_NONE;
    api.next = next_twice_wrong;
    assert_int_equal(search(f, &api).failures, 1);
    const char *said = file(f, "said");
    assert_non_null(strstr(said, "seed 23: mismatch: RTL and model differ in dst\n"
                                 "  A2R:dst, the third opinion agrees with: model\n"));
    const char *shrunk = file(f, "23.sass");
    assert_non_null(strstr(shrunk,
                           "// mismatch: RTL and model differ in dst\n// A2R:dst, the third opinion agrees with: "
                           "model\n"));
    assert_true(count_code(shrunk) <= 2);
    assert_non_null(strstr(shrunk, " A2R "));
    const char *report = file(f, "23.txt");
    assert_non_null(strstr(report, "differ in dst"));
    assert_non_null(strstr(report, "  A2R"));
    file(f, "23.full.sass");
}

/* A lane too many or too few in the records of A2R and of SHR, without further effects. */
static enum sim_event next_with_many_bugs(struct sim *s, struct retire *record, uint64_t limit) {
    const enum sim_event event = fake_sim_api()->next(s, record, limit);
    struct isa_insn insn;
    if (event != SIM_RECORD || isa_decode(record->word_lo, record->word_hi, &insn) != ISA_OK) return event;
    const bool wrong = insn.op == OP_A2R || insn.op == OP_SHR;
    if (wrong) record->exec ^= 1;
    return event;
}

/* One search gives the list of bugs, each with its own kernel; a known bug is not listed again. */
static void test_campaign_keeps_going(void **state) {
    struct fixture *f = *state;
    struct sim_api api = faulty();
    planted = FAKE_NONE;
    api.next = next_with_many_bugs;
    f->c.count = 4;
    f->c.failures = 10;
    f->c.trial[0].keep_going = 10;
    const struct campaign_result all = search(f, &api);
    assert_int_equal(all.kernels, 4);
    assert_int_equal(all.findings, 2);
    assert_int_equal(all.failures, 2);
    assert_true(all.finding[0].kernels + all.finding[1].kernels > 4);
    assert_string_equal(all.finding[0].symptom.op, "SHR");
    assert_string_equal(all.finding[1].symptom.op, "A2R");
    static const char *const OPS[] = {"SHR", "A2R"};
    for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "23.%s.exec.sass", OPS[i]);
        const char *shrunk = file(f, name);
        snprintf(text, sizeof text, "\n// %s:exec, the third opinion agrees with: model\n", OPS[i]);
        assert_non_null(strstr(shrunk, text));
        assert_non_null(strstr(shrunk, " --keep-going 10"));
        assert_true(count_code(shrunk) <= 2);
        snprintf(name, sizeof name, "23.%s.exec.full.sass", OPS[i]);
        file(f, name);
        snprintf(name, sizeof name, "23.%s.exec.txt", OPS[i]);
        snprintf(text, sizeof text, "found 1: %s:exec", OPS[i]);
        assert_non_null(strstr(file(f, name), text));
    }
    file(f, "said");
}

static void test_campaign_takes_waivers(void **state) {
    struct fixture *f = *state;
    struct sim_api api = faulty();
    struct waivers *w = waivers_create();
    struct diag d = {0};
    planted = FAKE_NONE;
    api.next = next_with_many_bugs;
    assert_int_equal(waivers_add(w, "SHR:exec", "", &d), STATUS_OK);
    f->c.trial[0].waivers = w;
    f->c.waiver_files = 1;
    f->c.waiver_file[0] = "known.waive";
    assert_int_equal(search(f, &api).failures, 1);
    assert_non_null(strstr(file(f, "said"), "A2R:exec"));
    const char *shrunk = file(f, "23.sass");
    assert_non_null(strstr(shrunk, "--sms 1 --waivers known.waive --steps"));
    assert_non_null(strstr(shrunk, "--seed 24 --waivers known.waive\n"));
    file(f, "23.full.sass");
    file(f, "23.txt");
    assert_int_equal(waivers_add(w, "A2R:exec", "", &d), STATUS_OK);
    assert_int_equal(search(f, &api).failures, 0);
    file(f, "said");
    waivers_destroy(w);
}

static void test_campaign_ends_with_its_failures(void **state) {
    struct fixture *f = *state;
    const struct sim_api api = faulty();
    planted = FAKE_EARLY;
    f->c.count = 10;
    f->c.failures = 2;
    f->c.shrink = false;
    assert_int_equal(search(f, &api).failures, 2);
    static const char *const left[] = {"said",         "23.full.sass", "23.sass", "23.txt",
                                       "24.full.sass", "24.sass",      "24.txt"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) file(f, left[i]);
}

/* A simulation that takes a tenth of a second to open. */
static struct sim *open_slowly(const struct sim_options *options, char *why, size_t why_size) {
    usleep(100000);
    return open_planted(options, why, why_size);
}

static void test_campaign_shrinks_no_longer_than_it_may(void **state) {
    struct fixture *f = *state;
    struct sim_api api = faulty();
    api.open = open_slowly;
    planted = FAKE_DATA;
    f->c.shrink_seconds = 3;
    const struct campaign_result result = search(f, &api);
    assert_int_equal(result.failures, 1);
    assert_true(result.seconds < 6);
    assert_non_null(strstr(file(f, "said"), "\n  shrunk from "));
    const unsigned drawn = count_code(file(f, "23.full.sass")), left = count_code(file(f, "23.sass"));
    assert_true(left > 1 && left < drawn); /* the best so far */
    assert_non_null(strstr(file(f, "23.txt"), "differ in data"));
}

/* A simulation that hangs on the kernel as drawn, and waits on any other. */
static size_t drawn_words;

static int load_for_ever(struct sim *s, const struct launch *run) {
    for (volatile unsigned work = 0; run->image->code_words == drawn_words;) work = work + 1;
    sleep(10);
    return fake_sim_api()->load(s, run);
}

/* The end of the shrinking time is no timeout of the kernel being tried. */
static void test_campaign_takes_its_own_end_for_no_timeout(void **state) {
    struct fixture *f = *state;
    struct sim_api api = faulty();
    struct launch launch;
    char why[JUDGE_WHY];
    assert_true(judge_launch(&f->kernel, &launch, why));
    drawn_words = launch.image->code_words;
    launch_release(&launch);
    planted = FAKE_NONE;
    api.load = load_for_ever;
    f->c.trial[0].seconds = 1;
    f->c.shrink_seconds = 2;
    assert_int_equal(search(f, &api).failures, 1);
    assert_non_null(strstr(file(f, "said"), ": timeout: "));
    assert_int_equal(count_code(file(f, "23.full.sass")), count_code(file(f, "23.sass")));
    file(f, "23.txt");
}

static void test_campaign_names_the_declared_machine(void **state) {
    struct fixture *f = *state;
    const struct sim_api api = faulty();
    planted = FAKE_EARLY;
    f->c.shrink = false;
    f->c.machine = "mine.machine";
    search(f, &api);
    const char *text = file(f, "23.sass");
    assert_non_null(strstr(text, "--sms 1 --machine mine.machine --steps"));
    assert_non_null(strstr(text, "--seed 24 --machine mine.machine\n"));
    static const char *const left[] = {"said", "23.full.sass", "23.txt"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) file(f, left[i]);
}

/* Only the machine of 16 cores, on which every other seed runs, is wrong. */
static struct sim *open_half_planted(const struct sim_options *options, char *why, size_t why_size) {
    struct sim_options with_fault = *options;
    with_fault.seed = options->cores == 16 ? FAKE_EARLY : FAKE_NONE;
    return fake_sim_api()->open(&with_fault, why, why_size);
}

static void test_campaign_takes_machines_in_turn(void **state) {
    struct fixture *f = *state;
    struct sim_api api = *fake_sim_api();
    api.open = open_half_planted;
    f->c.trials = 2;
    f->c.trial[1] = f->c.trial[0];
    f->c.trial[1].cores = 16;
    f->c.trial[1].lib[0].api = &api;
    f->c.count = 2;
    f->c.failures = 2;
    f->c.shrink = false;
    const struct campaign_result result = search(f, &api);
    assert_int_equal(result.kernels, 2);
    assert_int_equal(result.failures, 1); /* seed 23 */
    static const char *const left[] = {"said", "23.full.sass", "23.sass", "23.txt"};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) file(f, left[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_trial_names_what_is_wrong, create, destroy),
        cmocka_unit_test_setup_teardown(test_trial_outlives_its_simulation, create, destroy),
        cmocka_unit_test_setup_teardown(test_trial_compares_cycles_of_two, create, destroy),
        cmocka_unit_test_setup_teardown(test_trial_compares_records_of_two, create, destroy),
        cmocka_unit_test_setup_teardown(test_trial_launches_after_another, create, destroy),
        cmocka_unit_test_setup_teardown(test_trial_wants_the_trap_that_was_meant, create, destroy),
        cmocka_unit_test_setup_teardown(test_trial_compares_no_cycles_of_what_is_undefined, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_shrinks_and_writes_a_failure, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_shrinks_to_the_same_fault, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_keeps_going, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_takes_waivers, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_ends_with_its_failures, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_shrinks_no_longer_than_it_may, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_takes_its_own_end_for_no_timeout, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_names_the_declared_machine, create, destroy),
        cmocka_unit_test_setup_teardown(test_campaign_takes_machines_in_turn, create, destroy),
    };
    return cmocka_run_group_tests(tests, make, NULL);
}
