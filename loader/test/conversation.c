/* SPDX-License-Identifier: Apache-2.0 */
#include "conversation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the headers above */
#include <cmocka.h>

#include "../../spec/host_regs.h"

enum { WORD = 4, AREA_MOST = 512, ATTEMPTS = 4 };

static const uint32_t AS_FOUND = 0xa5a5a5a5;

void conversation_begin(struct conversation *c, const struct fake_options *options) {
    *c = (struct conversation){.options = *options};
    struct line *line = fake_line_open(&c->options, c->counted);
    c->transfer = transfer_over(bridge_on(line, CONVERSATION_BAUD, CONVERSATION_WAIT_MS), 1);
}

void conversation_end(struct conversation *c) { line_close(c->transfer.bridge.line); }

enum transfer_result converse(struct transfer *t, size_t first, const uint32_t *words, uint32_t *back, size_t count) {
    const uint32_t adr = HOST_GLOBAL + (uint32_t)(WORD * first);
    enum transfer_result result = transfer_begin(t);
    if (result == TRANSFER_OK) result = transfer_write(t, adr, words, count);
    if (result == TRANSFER_OK) result = transfer_read(t, adr, back, count);
    return result == TRANSFER_OK ? transfer_check_writes(t) : result;
}

static void say(const struct fake_fault *f, size_t word, uint32_t found, uint32_t meant) {
    fail_msg("fault %d, value %02x, byte %u, at %zu to the %s: word %zu is %08x, not %08x", (int)f->kind, f->value,
             f->byte, f->at, f->to_host ? "host" : "board", word, found, meant);
}

void conversation_check(struct transfer *t, const struct fake_fault *f, size_t first, const uint32_t *words,
                        size_t count, size_t area) {
    uint32_t found[AREA_MOST] = {0};
    assert_true(area <= AREA_MOST);
    assert_int_equal(transfer_read(t, HOST_GLOBAL, found, area), TRANSFER_OK);
    for (size_t i = 0; i < area; i++) {
        const uint32_t meant = i >= first && i < first + count ? words[i - first] : AS_FOUND;
        if (found[i] != meant) say(f, i, found[i], meant);
    }
}

bool conversation_survives(struct conversation *c, const struct fake_fault *f, size_t first, const uint32_t *words,
                           size_t count, size_t area) {
    uint32_t back[AREA_MOST] = {0};
    assert_true(count <= AREA_MOST);
    enum transfer_result result = converse(&c->transfer, first, words, back, count);
    const bool at_once = result == TRANSFER_OK;
    if (at_once) conversation_check(&c->transfer, f, first, words, count, area);
    for (unsigned attempt = 0; attempt < ATTEMPTS && result != TRANSFER_OK; attempt++) {
        transfer_recover(&c->transfer, attempt);
        result = converse(&c->transfer, first, words, back, count);
    }
    assert_int_equal(result, TRANSFER_OK);
    for (size_t i = 0; i < count; i++)
        if (back[i] != words[i]) say(f, first + i, back[i], words[i]);
    return at_once;
}
