/* SPDX-License-Identifier: Apache-2.0 */
/* What an application holds of an object: a handle. Handles are never given back to the system, so that a call with an
 * object that is gone, or with any other pointer, finds out. An object has two counts: the application's references,
 * and uses, which are those references together with what other objects and commands hold. It goes with its last use.
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

/* Gives the object a handle, with one reference. `destroy` is called with the object after its last use, and frees it.
 * False where memory is out. */
bool object_create(struct object *object, enum object_kind kind, void (*destroy)(void *object));

/* The object that a handle stands for; NULL where it is none of this kind, or gone. */
void *object_of(const void *handle, enum object_kind kind);

/* For calls that are refused: CL_INVALID_OPERATION where the handle is of this kind, else the error. */
cl_int object_refuse(const void *handle, enum object_kind kind, cl_int error);

/* What the application gets; the object may be any that begins with a struct object. */
void *object_handle(const void *object);

/* Uses of others than the application; object_drop takes NULL. */
void object_hold(void *object);
void object_drop(void *object);

/* Keeps the memory of an object that may go meanwhile: its handle is that of nothing when its last use ends, the object
 * itself is destroyed when no pin is left either. */
void object_pin(void *object);
void object_unpin(void *object);

/* The application's references. Releasing and retaining fail with `error` where the handle is none of this kind, or
 * releasing, where the application has released it before. */
cl_int object_retain(const void *handle, enum object_kind kind, cl_int error);
cl_int object_release(const void *handle, enum object_kind kind, cl_int error);
cl_uint object_references(const void *object);

/* In the child of a fork, where other threads are no more: keeps all objects, or platform and devices alone. */
void object_inherit(bool all);

/* Calls the function with each object of a kind, while no other thread has any. */
void object_each(enum object_kind kind, void (*call)(void *object));

#endif
