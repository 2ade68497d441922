/* SPDX-License-Identifier: Apache-2.0 */
/* The applications of the corpus (apps/NAME.json): each is one complete launch with verified output. */
#ifndef WARPSTEP_CMODEL_APP_H
#define WARPSTEP_CMODEL_APP_H

#include "fixture.h"

struct app {
    struct fixture fixture; /* the launch, ready for fixture_launch; fixture_teardown does not free the other members */
    struct image_piece *expected;
    size_t expected_count;
    struct image_piece *race; /* bytes pointers are NULL: ranges that are not compared */
    size_t race_count;
};

/* An application of the corpus, by its name. Skips the test if CORPUS is not set. */
void app_load(struct app *app, const char *name);
void app_release(struct app *app);

/* Bytes of global memory that differ from the expected ones, except racy ones. */
size_t app_count_wrong(const struct app *app);

#endif
