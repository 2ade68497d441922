/* SPDX-License-Identifier: Apache-2.0 */
/* For `make coverage`: a process that leaves by _exit, as children of warp-fuzz do, first writes its counts. Linked
 * with --wrap=_exit. */

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the linker and gcc define these names */
void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);
_Noreturn void __wrap__exit(int code) {
    __gcov_dump();
    __real__exit(code);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
