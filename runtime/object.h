/* SPDX-License-Identifier: Apache-2.0 */
/* Objects and their handles, which applications hold. Memory of handles is never freed, so a call can tell that its
 * handle is stale, or is no handle at all. An object has two counts: references of the application; and uses, which
 * are these references and those of other objects and commands. The last use destroys the object.
 *
 *     struct buffer { struct object object; ... };
 *     if (!object_create(&b->object, OBJECT_MEMORY, destroy)) ...          // one reference
 *     cl_mem handle = object_handle(b);
 *     struct buffer *b = object_of(handle, OBJECT_MEMORY);                 // NULL: CL_INVALID_MEM_OBJECT
 *     object_hold(b); ... object_drop(b);
 */
#ifndef WARPSTEP_RUNTIME_OBJECT_H
#define WARPSTEP_RUNTIME_OBJECT_H

#include <stdbool.h>

#include "cl.h"

enum object_kind {
    OBJECT_NONE,
    OBJECT_PLATFORM,
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,
    OBJECT_MEMORY,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
};

struct handle;

/* The first member of each object. */
struct object {
    struct handle *handle;
};

/* Gives the object a handle with one reference. `destroy` is called after the last use, and frees it. Returns false
 * if memory is exhausted. */
bool object_create(struct object *object, enum object_kind kind, void (*destroy)(void *object));

/* Returns the object of a handle; NULL if the handle has another kind, or the object is destroyed. */
void *object_of(const void *handle, enum object_kind kind);

/* For calls that are refused: returns CL_INVALID_OPERATION if the handle has this kind, else `error`. */
cl_int object_refuse(const void *handle, enum object_kind kind, cl_int error);

/* Returns the handle for the application; the object is any that begins with struct object. */
void *object_handle(const void *object);

/* Uses by objects and commands; object_drop ignores NULL. */
void object_hold(void *object);
void object_drop(void *object);

/* Pins keep the memory of an object whose last use may end meanwhile: its handle is then invalid, and the object is
 * destroyed with the last pin. */
void object_pin(void *object);
void object_unpin(void *object);

/* References of the application. They return `error` if the handle has another kind; releasing also if the
 * application has no reference left. */
cl_int object_retain(const void *handle, enum object_kind kind, cl_int error);
cl_int object_release(const void *handle, enum object_kind kind, cl_int error);
cl_uint object_references(const void *object);

/* In the child of a fork, where other threads no longer exist: keeps all objects, or only the platform and its
 * devices. */
void object_after_fork(bool all);

/* Calls the function for each object of a kind, while no other thread holds a lock. */
void object_each(enum object_kind kind, void (*call)(void *object));

#endif
