/* SPDX-License-Identifier: Apache-2.0 */
#include "digest.h"

/* A step of FNV-1a, a word at a time; the rotation moves the upper bits, which multiplication does not spread
 * downwards, to the lower end. */
static uint64_t mix(uint64_t digest, uint64_t word) {
    const uint64_t d = (digest ^ word) * UINT64_C(0x100000001b3);
    return d << 29 | d >> 35;
}

static uint64_t mix_words(uint64_t digest, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) digest = mix(digest, words[i]);
    return digest;
}

uint64_t digest_record(uint64_t digest, const struct retire *r) {
    const size_t rest = (retire_words(r) - 1) * WARP_LANES;
#define HARNESS(name, bits)              digest = mix(digest, r->name);
#define SCALAR(name, bits, compare)      digest = mix(digest, r->name);
#define MASK(name, compare)              digest = mix(digest, r->name);
#define LANES(name, bits, mask, compare) digest = mix_words(digest, r->name, r->mask == 0 ? 0 : WARP_LANES);
#define WORDS(name, of, mask, compare)   digest = mix_words(digest, r->name[0], rest);
#include "../../spec/retire.def"
    return digest;
}
