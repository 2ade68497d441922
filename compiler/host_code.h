/* SPDX-License-Identifier: Apache-2.0 */
/* Removes host code from CUDA C: main, and everything that no kernel needs. */
#ifndef WARPSTEP_CC_HOST_CODE_H
#define WARPSTEP_CC_HOST_CODE_H

#include <stdbool.h>
#include <stdio.h>

enum host_code { HOST_CODE_NONE, HOST_CODE_REMOVED, HOST_CODE_NO_MEMORY };

/* Overwrites host code in preprocessed text (with line markers # NUMBER "FILE") by spaces; line numbers stay. Code
 * of the file `kept` stays. For each template kernel that the code launches with explicit arguments, such as
 * f<16><<<1, 32>>>(), writes a line of C++ that instantiates it to launches; some of these lines are invalid outside
 * their function. */
enum host_code host_code_remove(char *text, const char *kept, FILE *launches);

#endif
