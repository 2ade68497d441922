/* SPDX-License-Identifier: Apache-2.0 */
/* See app.h. */
#include "app.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../../assembler/test/corpus.h"

static uint32_t integer(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return (uint32_t)json_integer_value(value);
}

static uint8_t *hex_bytes(const char *hex, size_t *size) {
    *size = strlen(hex) / 2;
    uint8_t *bytes = test_malloc(*size + 1);
    for (size_t i = 0; i < *size; i++) {
        const char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return bytes;
}

/* A list of {addr, hex} or {addr, len}. */
static struct image_piece *pieces(const json_t *list, size_t *count) {
    *count = json_array_size(list);
    struct image_piece *result = test_calloc(*count + 1, sizeof *result);
    for (size_t i = 0; i < *count; i++) {
        const json_t *piece = json_array_get(list, i);
        result[i].addr = integer(piece, "addr");
        if (json_object_get(piece, "hex") != NULL)
            result[i].bytes = hex_bytes(json_string_value(json_object_get(piece, "hex")), &result[i].size);
        else
            result[i].size = integer(piece, "len");
    }
    return result;
}

static void release_pieces(struct image_piece *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list[i].bytes != NULL) test_free(list[i].bytes);
    test_free(list);
}

static size_t read_code(const json_t *code, uint32_t *words) {
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(code); i++) {
        const json_t *list = json_object_get(json_array_get(code, i), "words");
        for (size_t w = 0; w < json_array_size(list); w++)
            words[count++] = (uint32_t)strtoul(json_string_value(json_array_get(list, w)), NULL, 16);
    }
    return count;
}

static void read_launch(struct image *image, const json_t *root) {
    const json_t *params = json_object_get(root, "params");
    for (size_t i = 0; i < 3; i++) {
        image->block[i] = (uint32_t)json_integer_value(json_array_get(json_object_get(root, "block"), i));
        if (i < 2) image->grid[i] = (uint32_t)json_integer_value(json_array_get(json_object_get(root, "grid"), i));
    }
    const uint32_t published = integer(root, "regs_per_thread");
    const uint32_t used = integer(root, "regs_used");
    image->regs = published > used ? published : used;
    image->shared_bytes = integer(root, "shared_bytes");
    image->param_count = json_array_size(params);
    image->params = test_calloc(image->param_count + 1, sizeof *image->params);
    for (size_t i = 0; i < image->param_count; i++)
        image->params[i] = (uint32_t)json_integer_value(json_array_get(params, i));
    image->bank[1].bytes = hex_bytes(json_string_value(json_object_get(root, "const1")), &image->bank[1].size);
    image->global = pieces(json_object_get(root, "global_init"), &image->global_count);
}

void app_load(struct app *app, const char *name) {
    char path[CORPUS_PATH_MAX];
    memset(app, 0, sizeof *app);
    corpus_path(path, "apps/", name, ".json");
    json_t *root = json_load_file(path, 0, NULL);
    assert_non_null(root);
    const json_t *code = json_object_get(root, "code");
    uint32_t *words = test_calloc(2 * json_array_size(code) + 1, sizeof *words);
    fixture_setup(&app->fixture, words, read_code(code, words));
    test_free(words);
    read_launch(&app->fixture.image, root);
    app->expected = pieces(json_object_get(root, "expected"), &app->expected_count);
    app->race = pieces(json_object_get(root, "race"), &app->race_count);
    json_decref(root);
}

void app_release(struct app *app) {
    struct image *image = &app->fixture.image;
    test_free(image->params);
    test_free(image->bank[1].bytes);
    release_pieces(image->global, image->global_count);
    release_pieces(app->expected, app->expected_count);
    release_pieces(app->race, app->race_count);
    fixture_teardown(&app->fixture);
}

static bool is_racy(const struct app *app, uint32_t addr) {
    for (size_t i = 0; i < app->race_count; i++)
        if (addr >= app->race[i].addr && addr - app->race[i].addr < app->race[i].size) return true;
    return false;
}

size_t app_count_wrong(const struct app *app) {
    const uint8_t *global = model_global(app->fixture.m);
    size_t wrong = 0;
    for (size_t p = 0; p < app->expected_count; p++) {
        for (uint32_t i = 0; i < app->expected[p].size; i++) {
            const uint32_t addr = app->expected[p].addr + i;
            wrong += global[addr] != app->expected[p].bytes[i] && !is_racy(app, addr) ? 1 : 0;
        }
    }
    return wrong;
}
