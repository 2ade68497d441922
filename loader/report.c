/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>

#include "../checker/port/cause.h"
#include "../cmodel/model.h"
#include "../cmodel/run/json_string.h"
#include "../cmodel/run/results.h"
#include "../cmodel/run/trace.h"

static void tell_trap(const struct board *board, const struct launch *run, const struct sim_trap *trap, FILE *out) {
    char text[TRACE_TEXT_MAX];
    unsigned line = 0;
    const size_t word = trap->pc / 4;
    const uint32_t lo = word < run->image->code_words ? run->image->code[word] : 0;
    const uint32_t hi = word + 1 < run->image->code_words ? run->image->code[word + 1] : 0;
    const char *file = image_find_line(run->image, trap->pc, &line);
    const char *absent = launch_absent_unit(&board->sim.machine, lo, hi);
    fprintf(out, "%s: trap: %s\n  sm %u slot %u, pc 0x%" PRIx32 ": %s", run->path, trap_name(trap->code), trap->sm,
            trap->slot, trap->pc, trace_instruction(trap->pc, lo, hi, text));
    if (file != NULL) fprintf(out, " (%s:%u)", file, line);
    fputc('\n', out);
    if (absent != NULL) fprintf(out, "  this board has no %s\n", absent);
}

struct load_verdict load_judge(const struct board *board, const struct launch *run, const struct board_result *result,
                               FILE *out) {
    struct load_verdict verdict = {.status = "pass", .code = LOAD_FINE};
    if (result->end == BOARD_TRAPPED) tell_trap(board, run, &result->trap, out);
    if (result->end == BOARD_REFUSED) fprintf(out, "%s: trap: the board refused the launch\n", run->path);
    if (result->end == BOARD_HUNG)
        fprintf(out, "%s: hang: not finished after %" PRIu64 " cycles (--max-cycles); the machine was reset\n",
                run->path, run->max_cycles);
    if (result->end != BOARD_HUNG) verdict.wrong = results_compare(run, result->global, out);
    if (result->end != BOARD_DONE) {
        verdict.status = result->end == BOARD_HUNG ? "hang" : "trap";
        verdict.code = LOAD_STOPPED;
    } else if (verdict.wrong != 0) {
        verdict.status = "expect";
        verdict.code = LOAD_DIFFERS;
    }
    return verdict;
}

static void print_json(const struct board *board, const struct launch *run, const struct board_result *result,
                       const struct load_verdict *verdict, unsigned runs) {
    const struct sim_counters *c = &result->counters;
    const bool causes = result->end == BOARD_DONE || result->end == BOARD_TRAPPED;
    printf("{\"status\":\"%s\",\"sim\":\"board\",\"board\":", verdict->status);
    json_print_string(board->identity.name, stdout);
    fputs(",\"kernel\":", stdout);
    json_print_string(run->image->name != NULL ? run->image->name : "", stdout);
    printf(",\"cores\":%u,\"sms\":%u,\"clock_hz\":%" PRIu32 ",\"runs\":%u,\"repeated_transfers\":%u,\"cycles\":%" PRIu64
           ",\"warp_instructions\":%" PRIu64 ",\"thread_instructions\":%" PRIu64 ",\"executed_threads\":null",
           board->sim.cores, board->sim.machine.sms, board->identity.clock_hz, runs, board->transfer.faults, c->cycles,
           c->warp_instructions, c->thread_instructions);
    cause_print_json(c, &board->sim, causes, stdout);
    printf(",\"expect_bytes_wrong\":%" PRIu64, verdict->wrong);
    if (result->end == BOARD_TRAPPED)
        printf(",\"trap\":{\"code\":%u,\"name\":\"%s\",\"sm\":%u,\"slot\":%u,\"pc\":%" PRIu32 "}", result->trap.code,
               trap_name(result->trap.code), result->trap.sm, result->trap.slot, result->trap.pc);
    puts("}");
}

void load_print(const struct board *board, const struct launch *run, const struct board_result *result,
                const struct load_verdict *verdict, unsigned runs) {
    const struct sim_counters *c = &result->counters;
    const double seconds = (double)c->cycles / board->identity.clock_hz;
    if (run->json) {
        print_json(board, run, result, verdict, runs);
        return;
    }
    printf(
        "%s: %s: %" PRIu64 " warp instruction%s, %" PRIu64 " thread instruction%s, %" PRIu64 " cycles, %.3f ms on %s",
        run->path, verdict->status, c->warp_instructions, c->warp_instructions == 1 ? "" : "s", c->thread_instructions,
        c->thread_instructions == 1 ? "" : "s", c->cycles, 1000 * seconds, board->identity.name);
    if (runs > 1) printf(", %u times", runs);
    fputc('\n', stdout);
    if (result->end == BOARD_DONE || result->end == BOARD_TRAPPED) cause_print_text(c, &board->sim, stdout);
    if (board->transfer.faults > 0) printf("%u transfers had to be repeated\n", board->transfer.faults);
}

static void print_identity_json(const struct board *board) {
    const struct identity *id = &board->identity;
    const struct machine *m = &board->sim.machine;
    fputs("{\"board\":", stdout);
    json_print_string(id->name, stdout);
    printf(",\"sms\":%u,\"cores\":%u,\"warps\":%u,\"blocks\":%u,\"has_fpu\":%s,\"has_sfu\":%s,\"has_atomics\":%s",
           m->sms, board->sim.cores, m->warps, m->blocks, m->has_fpu ? "true" : "false", m->has_sfu ? "true" : "false",
           m->has_atomics ? "true" : "false");
    printf(",\"code_bytes\":%" PRIu32 ",\"global_bytes\":%" PRIu32 ",\"const_bytes\":%" PRIu32
           ",\"shared_bytes\":%" PRIu32 ",\"registers\":%u,\"stack_depth\":%u",
           m->code_bytes, m->global_bytes, m->const_bytes, m->shared_bytes, m->registers, m->stack_depth);
    printf(",\"memory\":\"%s\"", identity_memory_name(id->memory));
    printf(",\"clock_hz\":%" PRIu32 ",\"fmax_hz\":%" PRIu32 ",\"timing_met\":%s,\"commit\":\"%08" PRIx32
           "\",\"changed\":%s}\n",
           id->clock_hz, id->fmax_hz, id->timing_met ? "true" : "false", id->commit, id->dirty ? "true" : "false");
}

void load_print_identity(const struct board *board, bool json) {
    const struct identity *id = &board->identity;
    const struct machine *m = &board->sim.machine;
    if (json) {
        print_identity_json(board);
        return;
    }
    printf("board     %s\n", id->name);
    printf("machine   %u SM%s of %u cores, %u warps, %u blocks, %u registers; %s, %s, %s\n", m->sms,
           m->sms == 1 ? "" : "s", board->sim.cores, m->warps, m->blocks, m->registers,
           m->has_fpu ? "floating point" : "no floating point",
           m->has_sfu ? "special functions" : "no special functions", m->has_atomics ? "atomics" : "no atomics");
    printf("memory    %" PRIu32 " bytes of code, %" PRIu32 " constant, %" PRIu32 " shared, %" PRIu32
           " global, in %s%s\n",
           m->code_bytes, m->const_bytes, m->shared_bytes, m->global_bytes, identity_memory_text(id->memory),
           board->memory_ready ? "" : ", which the next run sets up");
    printf("clock     %.2f MHz, ", id->clock_hz / 1e6);
    if (id->fmax_hz == 0)
        puts("simulated");
    else
        printf("up to %.2f MHz as routed: timing %smet\n", id->fmax_hz / 1e6, id->timing_met ? "" : "NOT ");
    printf("built     from commit %08" PRIx32 "%s\n", id->commit, id->dirty ? ", with changes" : "");
}
