/* SPDX-License-Identifier: Apache-2.0 */
/* Handles and their counts, see object.h. */
#include "object.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "api.h"
#include "lock.h"

enum { FIRST_SLAB = 256, MOST_SLABS = 24 /* each slab is twice as large as the one before */, REST = 128 };

struct handle {
    const struct _cl_icd_dispatch *dispatch; /* where the loader looks; stays when the object is destroyed */
    _Atomic(struct object *) object;
    atomic_uint kind;
    atomic_uint references, uses;
    atomic_uint pins; /* all uses together count as one pin */
    void (*destroy)(void *object);
    struct handle *next; /* next free handle */
};

/* Handles belong to the process, like the loader. Free handles are reused late, the oldest first, so that a stale
 * handle is recognised. */
static struct {
    pthread_mutex_t lock;
    _Atomic(struct handle *) slabs[MOST_SLABS];
    struct handle *first, **last;
    size_t free_count;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &process.first};

static size_t slab_size(unsigned i) { return (size_t)FIRST_SLAB << i; }

static void append_free(struct handle *h) {
    h->next = NULL;
    *process.last = h;
    process.last = &h->next;
    process.free_count++;
}

static bool add_slab(void) {
    for (unsigned i = 0; i < MOST_SLABS; i++) {
        if (atomic_load(&process.slabs[i]) != NULL) continue;
        struct handle *slab = calloc(slab_size(i), sizeof *slab);
        if (slab == NULL) return false;
        for (size_t k = 0; k < slab_size(i); k++) {
            slab[k].dispatch = &api_dispatch;
            append_free(&slab[k]);
        }
        atomic_store(&process.slabs[i], slab);
        return true;
    }
    return false;
}

static struct handle *take_handle(void) {
    struct handle *h = NULL;
    lock_acquire(&process.lock);
    if (process.free_count > REST || add_slab() || process.free_count > 0) {
        h = process.first;
        process.first = h->next;
        if (process.first == NULL) process.last = &process.first;
        process.free_count--;
    }
    lock_release(&process.lock);
    return h;
}

static void free_handle(struct handle *h) {
    lock_acquire(&process.lock);
    append_free(h);
    lock_release(&process.lock);
}

/* Returns the handle at a pointer; NULL if the pointer is not one of our handles. */
static struct handle *find_handle(const void *pointer) {
    for (unsigned i = 0; i < MOST_SLABS; i++) {
        struct handle *slab = atomic_load(&process.slabs[i]);
        if (slab == NULL) return NULL;
        const uintptr_t offset = (uintptr_t)pointer - (uintptr_t)slab;
        if (offset >= slab_size(i) * sizeof *slab) continue;
        return offset % sizeof *slab == 0 ? &slab[offset / sizeof *slab] : NULL;
    }
    return NULL;
}

static struct handle *find_handle_of_kind(const void *pointer, enum object_kind kind) {
    struct handle *h = find_handle(pointer);
    return h != NULL && atomic_load(&h->kind) == (unsigned)kind ? h : NULL;
}

bool object_create(struct object *object, enum object_kind kind, void (*destroy)(void *object)) {
    struct handle *h = take_handle();
    object->handle = h;
    if (h == NULL) return false;
    h->destroy = destroy;
    atomic_store(&h->object, object);
    atomic_store(&h->references, 1);
    atomic_store(&h->uses, 1);
    atomic_store(&h->pins, 1);
    atomic_store(&h->kind, (unsigned)kind);
    return true;
}

void *object_of(const void *handle, enum object_kind kind) {
    struct handle *h = find_handle_of_kind(handle, kind);
    return h != NULL ? atomic_load(&h->object) : NULL;
}

cl_int object_refuse(const void *handle, enum object_kind kind, cl_int error) {
    return find_handle_of_kind(handle, kind) != NULL ? CL_INVALID_OPERATION : error;
}

void *object_handle(const void *object) { return ((const struct object *)object)->handle; }

void object_hold(void *object) { atomic_fetch_add(&((struct object *)object)->handle->uses, 1); }

static void unpin_handle(struct handle *h) {
    if (atomic_fetch_sub(&h->pins, 1) > 1) return;
    h->destroy(atomic_load(&h->object));
    free_handle(h);
}

static void drop_use(struct handle *h) {
    if (atomic_fetch_sub(&h->uses, 1) > 1) return;
    atomic_store(&h->kind, OBJECT_NONE);
    unpin_handle(h);
}

void object_pin(void *object) { atomic_fetch_add(&((struct object *)object)->handle->pins, 1); }
void object_unpin(void *object) { unpin_handle(((struct object *)object)->handle); }

void object_drop(void *object) {
    if (object != NULL) drop_use(((struct object *)object)->handle);
}

cl_int object_retain(const void *handle, enum object_kind kind, cl_int error) {
    struct handle *h = find_handle_of_kind(handle, kind);
    if (h == NULL) return error;
    atomic_fetch_add(&h->uses, 1);
    atomic_fetch_add(&h->references, 1);
    return CL_SUCCESS;
}

cl_int object_release(const void *handle, enum object_kind kind, cl_int error) {
    struct handle *h = find_handle_of_kind(handle, kind);
    unsigned now = h != NULL ? atomic_load(&h->references) : 0;
    do {
        if (now == 0) return error;
    } while (!atomic_compare_exchange_weak(&h->references, &now, now - 1));
    drop_use(h);
    return CL_SUCCESS;
}

cl_uint object_references(const void *object) {
    return atomic_load(&((const struct object *)object)->handle->references);
}

static void invalidate(struct handle *h) {
    const unsigned kind = atomic_load(&h->kind);
    if (kind != OBJECT_PLATFORM && kind != OBJECT_DEVICE) atomic_store(&h->kind, OBJECT_NONE);
}

/* The fork may have interrupted a change of the list of free handles. */
void object_after_fork(bool all) {
    pthread_mutex_init(&process.lock, NULL);
    if (all) return;
    process.first = NULL;
    process.last = &process.first;
    process.free_count = 0;
    for (unsigned i = 0; i < MOST_SLABS; i++) {
        struct handle *slab = atomic_load(&process.slabs[i]);
        for (size_t k = 0; slab != NULL && k < slab_size(i); k++) invalidate(&slab[k]);
    }
}

void object_each(enum object_kind kind, void (*call)(void *object)) {
    for (unsigned i = 0; i < MOST_SLABS; i++) {
        struct handle *slab = atomic_load(&process.slabs[i]);
        for (size_t k = 0; slab != NULL && k < slab_size(i); k++)
            if (atomic_load(&slab[k].kind) == (unsigned)kind) call(atomic_load(&slab[k].object));
    }
}
