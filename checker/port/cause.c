/* SPDX-License-Identifier: Apache-2.0 */
#include "cause.h"

#include <inttypes.h>

const char *const sim_cause_names[SIM_CAUSES] = {
#define CAUSE(id, number, name, text) [SIM_CAUSE_##id] = (name),
#include "../../spec/cause.def"
#undef CAUSE
};

uint64_t cause_sum(const struct sim_counters *c, unsigned sm) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < SIM_CAUSES; i++) sum += c->cause[sm][i];
    return sum;
}

static uint64_t cycles_of_sms(const struct sim_counters *c, unsigned from_sm, unsigned sms, unsigned cause) {
    uint64_t sum = 0;
    for (unsigned sm = from_sm; sm < from_sm + sms; sm++) sum += c->cause[sm][cause];
    return sum;
}

static void print_object(const struct sim_counters *c, unsigned from_sm, unsigned sms, FILE *out) {
    for (unsigned i = 0; i < SIM_CAUSES; i++)
        fprintf(out, "%s\"%s\":%" PRIu64, i == 0 ? "{" : ",", sim_cause_names[i], cycles_of_sms(c, from_sm, sms, i));
    fputc('}', out);
}

void cause_print_json(const struct sim_counters *c, const struct sim_options *sim, bool causes, FILE *out) {
    const unsigned sms = sim->machine.sms;
    const double ipc = c->cycles == 0 ? 0 : (double)c->warp_instructions / (double)c->cycles;
    fprintf(out, ",\"ipc\":%.6f,\"utilisation\":%.6f,\"stalls\":", ipc, ipc * WARP_LANES / sim->cores / sms);
    if (!causes) {
        fprintf(out, "{\"unknown\":%" PRIu64 "}", sms * c->cycles);
        return;
    }
    print_object(c, 0, sms, out);
    if (sms == 1) return;
    fprintf(out, ",\"sm_stalls\":");
    for (unsigned sm = 0; sm < sms; sm++) {
        fputc(sm == 0 ? '[' : ',', out);
        print_object(c, sm, 1, out);
    }
    fputc(']', out);
}

void cause_print_text(const struct sim_counters *c, const struct sim_options *sim, FILE *out) {
    const unsigned sms = sim->machine.sms;
    const char *before = "cycles:";
    for (unsigned i = 0; i < SIM_CAUSES; i++) {
        const uint64_t cycles = cycles_of_sms(c, 0, sms, i);
        if (cycles * 1000 < c->cycles * sms || cycles == 0) continue;
        fprintf(out, "%s %s %.1f %%", before, sim_cause_names[i], 100 * (double)cycles / (double)(c->cycles * sms));
        before = ",";
    }
    fputc('\n', out);
}
