/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the RTL's flattened trace port into retire records. The port carries beats, see retire.def; this module joins
 * the beats of one warp instruction, fills in later load values, and returns whole records: those of an SM in the order
 * of retirement, those of several SMs merged by cycle.
 *
 *     struct unpack *u = unpack_create(cores, sms);
 *     each clock:  if (!unpack_clock(u, port, NULL, cycle)) fail(unpack_why(u));
 *                  while (unpack_next(u, &record)) use(&record);
 *
 * The port is a vector of sms * (RETIRE_BITS + cores * RETIRE_LANE_BITS) bits, bit n in word n / 32: per SM the
 * scalars, then lane 0, lane 1, ...; SM 0 lowest. */
#ifndef WARPSTEP_UNPACK_H
#define WARPSTEP_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../cmodel/retire.h"

/* AT_name is the first bit of a member within the scalars of an SM; RETIRE_BITS is their number. */
enum retire_port_layout {
#define PORT(name, bits)            AT_##name, AT_END_##name = AT_##name + (bits)-1,
#define SCALAR(name, bits, compare) AT_##name, AT_END_##name = AT_##name + (bits)-1,
#include "../../spec/retire.def"
    RETIRE_BITS
};

/* LANE_AT_name is the first bit of a member within a lane; RETIRE_LANE_BITS is the number of bits of a lane. */
enum retire_lane_layout {
#define PORT_MASK(name)                  LANE_AT_##name,
#define MASK(name, compare)              LANE_AT_##name,
#define LANES(name, bits, mask, compare) LANE_AT_##name, LANE_AT_END_##name = LANE_AT_##name + (bits)-1,
#include "../../spec/retire.def"
    RETIRE_LANE_BITS
};

/* Bits and 32-bit words of the whole port. */
size_t unpack_port_bits(unsigned cores, unsigned sms);
size_t unpack_port_words(unsigned cores, unsigned sms);

struct unpack;
struct unpack *unpack_create(unsigned cores, unsigned sms); /* NULL if out of memory */
void unpack_destroy(struct unpack *u);
void unpack_reset(struct unpack *u); /* clears all state, like a reset of the RTL */

/* Takes the port at one clock edge. `unknown` is NULL, or has a bit set for each bit with neither 0 nor 1 in the
 * simulator. False if the port broke its rules, or a relevant bit is unknown: unpack_why has the reason. */
bool unpack_clock(struct unpack *u, const uint32_t *port, const uint32_t *unknown, uint64_t cycle);
const char *unpack_why(const struct unpack *u);

/* Removes the oldest record if it is complete; false if there is none. */
bool unpack_next(struct unpack *u, struct retire *record);

/* Number of records held back: complete ones, those that wait for a load, and those behind them. */
size_t unpack_waiting(const struct unpack *u);

/* True if no record is held back or begun: required of a machine that has ended. */
bool unpack_is_between(const struct unpack *u);

/* A trapping instruction has no effect: clears the fields of effects. */
void unpack_clear_effects(struct retire *r);

#endif
