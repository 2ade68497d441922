// SPDX-License-Identifier: Apache-2.0
// The Verilator build of the RTL as a simulation (checker/port/sim.h). One shared object holds one machine, which
// WARPSTEP_MACHINE names. Everything about pins and records is in checker/port/pins.c; here are only the clock, the
// waves, what stages and stacks hold (WARPSTEP_SHOWN; pass_clocked.c), the seed of undefined contents, and assertions
// that become SIM_FAILED.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "Vgpu_flat.h"
#include "Vgpu_flat___024root.h"
#if WARPSTEP_SHOWN
#include "Vgpu_flat__Dpi.h"
#endif
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#include "../../checker/port/host_plan.h"
#include "../../checker/port/machine_build.h"
#include "../../checker/port/pins.h"
#include "../../checker/port/sim.h"
#include "../../spec/host_regs.h"

namespace {

// Of the wave file, in picoseconds: cycle N of a launch begins at N * PERIOD, that of the next launch LAUNCHES later.
constexpr uint64_t PERIOD = 10000, LAUNCHES = 1000000000000;
constexpr const char *waves_written = VM_TRACE ? ".fst" : "", *NO_WAVES = "this simulation was built without waves";
constexpr size_t LAST_WORDS = 600; // characters kept of what the simulation printed

// What the running simulation prints goes to the sim whose eval is under way on this thread.
thread_local std::string *printed = nullptr;

// From neighbouring seeds Verilator draws nearly the same values: bit for bit the same for most registers. Hence the
// finaliser of MurmurHash3. 0 would mean that Verilator draws a seed by itself.
int spread(uint32_t seed) {
    seed = (seed ^ seed >> 16) * 0x85ebca6bu;
    seed = (seed ^ seed >> 13) * 0xc2b2ae35u;
    seed ^= seed >> 16;
    return static_cast<int>(seed % 0x7fffffffu) + 1;
}

#if WARPSTEP_SHOWN
#define STAGE(name, valid, warp, row, pc) name " "
constexpr char STAGES[] =
#include "../../checker/report/wave_view.def"
    ;
constexpr const char *stages_shown = STAGES;
#define STAGE(name, valid, warp, row, pc) +1
constexpr unsigned STAGE_COUNT = 0
#include "../../checker/report/wave_view.def"
    ;
constexpr unsigned STAGE_BITS = 35, ENTRY_BITS = 58;

uint64_t take(const uint32_t *words, unsigned from, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = count; i-- > 0;) value = value << 1 | (words[(from + i) / 32] >> (from + i) % 32 & 1);
    return value;
}

void show_stages(unsigned sm, struct sim_look *look) {
    svBitVecVal bits[(STAGE_COUNT * STAGE_BITS + 31) / 32];
    int delay;
    warpstep_stages(static_cast<int>(sm), &delay, bits);
    look->delay = static_cast<unsigned>(delay);
    for (unsigned i = 0; i < STAGE_COUNT; i++) {
        const unsigned from = i * STAGE_BITS;
        struct sim_stage *stage = &look->stage[i];
        stage->pc = static_cast<uint32_t>(take(bits, from, 24));
        stage->slot = static_cast<unsigned>(take(bits, from + 24, 5));
        stage->row = static_cast<unsigned>(take(bits, from + 29, 2));
        stage->part = static_cast<unsigned>(take(bits, from + 31, 2));
        stage->last = take(bits, from + 33, 1) != 0;
        stage->valid = take(bits, from + 34, 1) != 0;
    }
}
#else
constexpr const char *stages_shown = nullptr;
void show_stages(unsigned, struct sim_look *) {}
#endif

// Global memory, where the simulation reaches it without the host's port: a line of block RAM, or a beat of the memory
// behind the bus, has so many words, and each byte of it an array of its own.
// What the name of the machine says behind a key, or else what is usual.
constexpr unsigned number_of(char key, unsigned usual) {
    const char *name = WARPSTEP_MACHINE;
    unsigned number = 0;
    while (*name != 0 && *name != key) {
        while (*name != 0 && *name != '-') name++;
        if (*name == '-') name++;
    }
    if (*name == 0) return usual;
    for (name++; *name >= '0' && *name <= '9'; name++) number = 10 * number + static_cast<unsigned>(*name - '0');
    return number;
}
constexpr machine_build USUAL = MACHINE_BUILD_DEFAULT;
constexpr unsigned CORES = number_of('C', USUAL.cores), SMS = number_of('S', USUAL.sms);
constexpr unsigned BUS_WORDS = number_of('B', USUAL.bus_words), GLOBAL_BYTES = number_of('G', USUAL.global_bytes);

constexpr unsigned ROW_WORDS = BUS_WORDS != 0 ? BUS_WORDS : CORES, ROW_BYTES = 4 * ROW_WORDS;
constexpr unsigned PAGES = (GLOBAL_BYTES + SIM_PAGE_BYTES - 1) / SIM_PAGE_BYTES;
#define MEMORY(word, byte, name) +1
constexpr bool HAS_MEMORY = 0
#include "memory.inc"
                            == ROW_BYTES;
#undef MEMORY

class memory {
    uint8_t *column[ROW_BYTES] = {};

  public:
    explicit memory(Vgpu_flat *top) {
        (void)top;
#define MEMORY(word, byte, name) column[4 * (word) + (byte)] = &top->rootp->name[0];
#include "memory.inc"
#undef MEMORY
    }

    void clear() {
        for (uint8_t *bytes : column) memset(bytes, 0, GLOBAL_BYTES / ROW_BYTES);
    }

    void peek(uint32_t addr, uint8_t *bytes, size_t size) const {
        visit(
            addr, size, [&](size_t at, uint8_t *cell) { bytes[at] = *cell; });
    }

    void poke(uint32_t addr, const uint8_t *bytes, size_t size) {
        visit(
            addr, size, [&](size_t at, uint8_t *cell) { *cell = bytes[at]; });
    }

  private:
    // Calls with the number of each byte from addr on, and where it is. Some rows at a time, column by column: the
    // arrays are so far from each other that their bytes of one row meet in the cache.
    template <typename Function> void visit(uint32_t addr, size_t size, Function each) const {
        constexpr size_t BLOCK = 64 * ROW_BYTES;
        for (size_t from = addr, end = addr + size, to; from < end; from = to) {
            to = std::min(end, (from / BLOCK + 1) * BLOCK);
            for (size_t byte = 0; byte < ROW_BYTES; byte++) {
                const size_t first = from + (byte + ROW_BYTES - from % ROW_BYTES) % ROW_BYTES;
                uint8_t *cell = column[byte] + first / ROW_BYTES;
                for (size_t at = first; at < to; at += ROW_BYTES) each(at - addr, cell++);
            }
        }
    }
};

} // namespace

struct sim {
    struct sim_options options;
    VerilatedContext context;
    std::unique_ptr<Vgpu_flat> top;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> wave;
#endif
    struct pins *pins = nullptr;
    struct pins_drive drive {};
    uint64_t launches = 0, launches_before_wave = 0;
    std::unique_ptr<memory> global;
    std::vector<uint32_t> stored; // pages at which a store arrived since the last load, all of them without a bus
    std::vector<bool> is_stored;
    std::string output; // last words of $display, $fatal, assertions
    std::string why;
    bool failed = false;
    bool lasts = false; // global memory does: the host's port is not asked for what the simulation has at hand

    explicit sim(const struct sim_options *o) : options(*o) {
        // Random values are no coverage: they would change to the only value that some bits have.
        context.randReset(VM_COVERAGE ? 0 : 2);
        context.randSeed(spread(o->seed));
        context.fatalOnError(false);
        if (!VM_TRACE && o->wave_path != nullptr) throw std::runtime_error(NO_WAVES);
        context.traceEverOn(o->wave_path != nullptr);
        top = std::make_unique<Vgpu_flat>(&context, "gpu_flat");
        pins = pins_create(o);
        global = std::make_unique<memory>(top.get());
        is_stored.resize(PAGES);
        stored.reserve(PAGES);
        for (uint32_t page = 0; page < PAGES && BUS_WORDS == 0; page++) stored.push_back(page);
#if WARPSTEP_HAS_BUS
        top->memory_latency_i = static_cast<uint8_t>(o->bus.latency);
        top->memory_stall_i = static_cast<uint8_t>(o->bus.stall * 256 / 100);
        top->memory_seed_i = o->bus.seed;
#endif
        if (o->wave_path != nullptr) open_wave(o->wave_path);
    }

    sim(const sim &) = delete;
    sim &operator=(const sim &) = delete;

    ~sim() {
        printed = &output;
#if VM_TRACE
        if (wave) wave->close();
#endif
        top->final();
        save_coverage();
        printed = nullptr;
        pins_destroy(pins);
    }

#if !VM_TRACE
    void open_wave(const char *) { throw std::runtime_error(NO_WAVES); }
    void dump(uint64_t) {}
#else
    // Waves of the launches from the next one on.
    void open_wave(const char *path) {
        if (wave) wave->close();
        if (!wave) {
            wave = std::make_unique<VerilatedFstC>();
            top->trace(wave.get(), 99);
        }
        wave->open(path);
        launches_before_wave = launches;
    }

    void dump(uint64_t half) {
        if (!wave || !pins_runs(pins)) return;
        const uint64_t cycle = pins_cycle(pins) + 1;
        if (cycle < options.wave_from || cycle > options.wave_to) return;
        wave->dump((launches - launches_before_wave - 1) * LAUNCHES + cycle * PERIOD + half * (PERIOD / 2));
    }
#endif

    void begin_launch() {
        launches++;
        if (BUS_WORDS == 0) return;
        for (const uint32_t page : stored) is_stored[page] = false;
        stored.clear();
    }

    // What the memory behind the bus does at the next edge.
    void note_store() {
#if WARPSTEP_HAS_BUS
        if (!top->memory_stores_o) return;
        const uint32_t page = top->memory_stored_o / SIM_PAGE_BYTES;
        if (page >= PAGES || is_stored[page]) return;
        is_stored[page] = true;
        stored.push_back(page);
#endif
    }

    // Lines and toggles of the RTL, in the build of `make coverage` alone: into the directory that the variable names.
    void save_coverage() {
#if VM_COVERAGE
        const char *directory = std::getenv("WARPSTEP_RTL_COVERAGE");
        if (directory == nullptr) return;
        const std::string path = std::string(directory) + "/" + std::to_string(getpid()) + ".dat";
        context.coveragep()->write(path.c_str());
#endif
    }

    // What happens before the end of the reset is no coverage. A simulation is reset once.
    void forget_coverage() {
#if VM_COVERAGE
        context.coveragep()->zero();
#endif
    }

    // To those who look, what the stages hold.
    void show() {
        struct sim_look look {};
        look.cycle = pins_cycle(pins) + 1;
        look.launch = static_cast<unsigned>(launches);
        enter_scope();
        for (look.sm = 0; look.sm < SMS; look.sm++) {
            show_stages(look.sm, &look);
            options.look(options.looker, this, &look);
        }
    }

    // The functions of this simulation, not of another one's.
    void enter_scope() {
#if WARPSTEP_SHOWN
        Verilated::dpiScope(context.scopeFind("gpu_flat.gpu_clocked"));
#endif
    }

    // Half a cycle: the first or the second one of that which begins with this clock.
    void eval(uint64_t half) {
        top->eval();
        if (options.look != nullptr && half == 0 && pins_runs(pins)) show();
        dump(half);
    }

    // One clock: outputs are sampled before the edge; inputs change after it, as gpu_clocked registers them. True when
    // the command has finished.
    bool clock() {
        struct pins_sample in {};
        in.wb.dat = top->wb_dat_o;
        in.wb.ack = top->wb_ack_o != 0;
        in.wb.stall = top->wb_stall_o != 0;
        in.wb.line = top->line_o.data();
        in.irq = top->irq_o != 0;
        in.retire = top->retire_o.data();
        const bool finished = pins_clock(pins, &in, &drive);
        note_store();
        if (top->rst && !drive.rst) forget_coverage();
        top->rst = drive.rst;
        top->wb_adr_i = drive.wb.adr;
        top->wb_dat_i = drive.wb.dat;
        top->wb_sel_i = drive.wb.sel;
        top->wb_we_i = drive.wb.we;
        top->wb_cyc_i = drive.wb.cyc;
        top->wb_stb_i = drive.wb.stb;
        top->clk = 1;
        top->sm_clk = top->sm_moves;
        top->decode_clk = top->decode_moves;
        top->store_clk = top->store_moves;
        top->unit_clk = top->unit_moves;
        top->launch_clk = top->launch_moves;
        eval(0);
        top->clk = top->sm_clk = top->decode_clk = top->store_clk = top->unit_clk = top->launch_clk = 0;
        eval(1);
        return finished;
    }

    // Clocks until the command that was begun has finished.
    enum sim_event run() {
        if (failed) return SIM_FAILED;
        printed = &output;
        try {
            while (!clock())
                if (context.gotError() || context.gotFinish()) break;
        } catch (const std::exception &e) {
            context.gotError(true);
            output += e.what();
        }
        printed = nullptr;
        if (context.gotError() || context.gotFinish()) return fail("the simulation stopped: " + output);
        if (pins_event(pins) == SIM_FAILED) return fail(pins_why(pins));
        why = pins_why(pins);
        return pins_event(pins);
    }

    enum sim_event fail(std::string what) {
        while (!what.empty() && what.back() == '\n') what.pop_back();
        why = std::move(what);
        failed = true;
        return SIM_FAILED;
    }
};

// VL_PRINTF of this build: keeps the last words instead of writing to the checker's stdout.
int warpstep_verilated_printf(const char *format, ...) {
    char line[512];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (printed == nullptr) return length;
    printed->append(line);
    if (printed->size() > LAST_WORDS) printed->erase(0, printed->size() - LAST_WORDS);
    return length;
}

// VL_USER_FATAL: Verilator's own failures (no convergence and the like) must not abort the checker.
void vl_fatal(const char *filename, int line, const char *, const char *message) VL_MT_UNSAFE {
    throw std::runtime_error(std::string(filename != nullptr ? filename : "") + ":" + std::to_string(line) + ": " +
                             message);
}

// All builds have atomics, which a launch switches on.
static bool fits(const struct sim_options *o, char *why, size_t why_size) {
    struct machine_build asked = machine_build_of(&o->machine, o->cores, o->bus.words);
    char name[MACHINE_NAME_BYTES];
    asked.has_atomics = true;
    machine_name(&asked, name);
    if (std::strcmp(name, WARPSTEP_MACHINE) != 0) {
        snprintf(why, why_size, "this build is the machine %s, not %s", WARPSTEP_MACHINE, name);
        return false;
    }
    const struct machine usual = MACHINE_DEFAULT;
    if (o->machine.threads != usual.threads || o->machine.const_bytes != usual.const_bytes) {
        snprintf(why, why_size, "this build has the default sizes");
        return false;
    }
    return true;
}

extern "C" {

static struct sim *sim_open(const struct sim_options *options, char *why, size_t why_size) {
    if (!fits(options, why, why_size)) return nullptr;
    try {
        auto s = std::make_unique<sim>(options);
        if (s->pins != nullptr) return s.release();
        snprintf(why, why_size, "out of memory");
    } catch (const std::bad_alloc &) {
        snprintf(why, why_size, "out of memory");
    } catch (const std::exception &e) {
        snprintf(why, why_size, "%s", e.what());
    }
    return nullptr;
}

// Begins a command with these writes, which it frees; none of them: memory was out.
static int run_writes(struct sim *s, void (*begin)(struct pins *, const struct host_write_op *, size_t),
                      struct host_write_op *writes, size_t count) {
    if (count == 0) {
        s->fail("out of memory");
        return -1;
    }
    begin(s->pins, writes, count);
    free(writes);
    return s->run() == SIM_FAILED ? -1 : 0;
}

static int sim_load(struct sim *s, const struct launch *run) {
    struct host_write_op *writes = nullptr;
    const size_t count = host_plan(run, &s->options.machine, &writes);
    s->begin_launch();
    return run_writes(s, pins_begin_load, writes, count);
}

static int sim_load_again(struct sim *s, const struct launch *run) {
    struct host_write_op *writes = nullptr;
    const size_t count = host_plan_again(run, &s->options.machine, &writes);
    s->begin_launch();
    return run_writes(s, pins_begin_load_again, writes, count);
}

// Until it is reset the RTL may store what its registers happen to hold.
static int sim_clear(struct sim *s) {
    const struct host_write_op clear = {HOST_CONTROL, HOST_CLEAR_GLOBAL};
    s->lasts = true;
    pins_begin_write(s->pins, &clear, HAS_MEMORY ? 0 : 1);
    if (s->run() == SIM_FAILED) return -1;
    if (HAS_MEMORY) s->global->clear();
    return 0;
}

static int sim_poke(struct sim *s, uint32_t addr, const uint8_t *bytes, size_t size) {
    if (HAS_MEMORY) {
        s->global->poke(addr, bytes, size);
        return 0;
    }
    struct host_write_op *writes = nullptr;
    const size_t count = host_plan_poke(addr, bytes, size, &writes);
    return run_writes(s, pins_begin_write, writes, count);
}

static size_t sim_stored(struct sim *s, const uint32_t **pages) {
    *pages = s->stored.data();
    return s->stored.size();
}

static int sim_wave(struct sim *s, const char *path) {
    try {
        s->context.traceEverOn(true);
        if (s->options.wave_path == nullptr) s->options.wave_to = UINT64_MAX;
        s->open_wave(path);
        return 0;
    } catch (const std::exception &e) {
        s->why = e.what();
        return -1;
    }
}

static enum sim_event sim_next(struct sim *s, struct retire *record, uint64_t limit) {
    pins_begin_next(s->pins, limit);
    const bool ready = !s->failed && pins_poll(s->pins);
    if (!ready && limit == 0) return SIM_SILENT;
    const enum sim_event event = ready ? pins_event(s->pins) : s->run();
    if (event == SIM_RECORD) *record = *pins_record(s->pins);
    return event;
}

static int sim_peek(struct sim *s, enum sim_memory memory, uint32_t addr, uint8_t *bytes, size_t size) {
    if (HAS_MEMORY && memory == SIM_GLOBAL && s->lasts && !s->failed) {
        s->global->peek(addr, bytes, size);
        return 0;
    }
    pins_begin_peek(s->pins, memory, addr, bytes, size);
    return s->run() == SIM_FAILED ? -1 : 0;
}

static void sim_counters(struct sim *s, struct sim_counters *counters) {
    pins_begin_counters(s->pins);
    s->run();
    *counters = *pins_counters(s->pins);
}

static void sim_trap(struct sim *s, struct sim_trap *trap) { *trap = *pins_trap(s->pins); }
#if WARPSTEP_SHOWN
// A warp has room for 64 entries.
static void sim_entry(struct sim *s, unsigned sm, unsigned slot, unsigned i, struct sim_stack_entry *entry) {
    svBitVecVal bits[(ENTRY_BITS + 31) / 32];
    s->enter_scope();
    warpstep_entry(static_cast<int>(sm), static_cast<int>(slot * 64 + i % 64), bits);
    entry->token = static_cast<unsigned>(take(bits, 0, 2));
    entry->mask = static_cast<uint32_t>(take(bits, 2, 32));
    entry->pc = static_cast<uint32_t>(take(bits, 34, 24));
}
#else
static constexpr void (*sim_entry)(struct sim *, unsigned, unsigned, unsigned, struct sim_stack_entry *) = nullptr;
#endif

static uint64_t sim_cycle(struct sim *s) { return pins_cycle(s->pins); }
static const char *sim_why(struct sim *s) { return s->why.c_str(); }
static void sim_close(struct sim *s) { delete s; }

__attribute__((visibility("default"))) const struct sim_api *warpstep_sim(void) {
    static const struct sim_api api = {SIM_API_VERSION, "verilator",    sim_open,     sim_load,
                                       sim_next,        sim_peek,       sim_counters, sim_trap,
                                       sim_cycle,       sim_why,        sim_close,    nullptr,
                                       nullptr,         waves_written,  stages_shown, sim_entry,
                                       sim_clear,       sim_load_again, sim_poke,     HAS_MEMORY ? sim_stored : nullptr,
                                       sim_wave};
    return &api;
}

} // extern "C"
