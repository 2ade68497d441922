/* SPDX-License-Identifier: Apache-2.0 */
/* The options of warp-lockstep, in addition to those of every launch.
 *
 *     struct options o;
 *     options_init(&o);
 *     if (launch_parse(argc, argv, options_take, &o, &o.sim.machine, stderr, &run, &d) != STATUS_OK) ...
 *     if (options_check(&o, &run, &d) != STATUS_OK) ...
 *     options_release(&o);
 */
#ifndef WARPSTEP_TOOL_OPTIONS_H
#define WARPSTEP_TOOL_OPTIONS_H

#include "../port/declared.h"
#include "../port/sim.h"
#include "../verdict/waive.h"

struct options {
    struct sim_options sim;
    const char *sim_name; /* NULL: the default */
    uint64_t silence;
    bool relaunch, no_wave, check_races, has_global_bytes;
    const char *after;           /* file of the kernel that is launched first; NULL: none */
    const struct launch *before; /* what is */
    const char *coverage;        /* directory, NULL: none */
    const char *machine;         /* file that declares the RTL's machine; NULL: none, and `declared` is unused */
    struct declared declared;
    struct waivers *waivers; /* NULL: none given */
    unsigned keep_going;
    const char *check_trace;  /* file of records in place of a simulation, NULL: none */
    const char *final_memory; /* file of that run's memory at the end; NULL: none */
    const char *audit;        /* file of records to be changed; NULL: none */
    unsigned audit_changes;
};

extern const char *const options_default_sim;

void options_init(struct options *o);
void options_release(struct options *o);

void options_print_help(void);
int options_take(void *options, const char *option, const char *value, struct diag *d); /* a launch_option_fn */

/* launch_check, and the limits of the declared machine. */
enum status options_check_launch(const struct options *o, struct launch *run, struct diag *d);

/* Checks combinations of options; sets the words of a bus if they were not given. */
enum status options_check(struct options *o, const struct launch *run, struct diag *d);

/* Reads the first launch into `before`, if it is another kernel; the simulation must support its features. */
enum status options_read_before(struct options *o, const struct launch *run, struct launch *before, struct diag *d);

#endif
