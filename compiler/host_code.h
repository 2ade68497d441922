/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the host's code out of CUDA C: main, and all else that no kernel needs. */
#ifndef WARPSTEP_CC_HOST_CODE_H
#define WARPSTEP_CC_HOST_CODE_H

#include <stdbool.h>
#include <stdio.h>

enum host_code { HOST_CODE_NONE, HOST_CODE_REMOVED, HOST_CODE_NO_MEMORY };

/* Overwrites host code in preprocessed text (with its lines of # NUMBER "FILE") by spaces; lines stay where they are.
 * What is of the file `kept` stays. For kernels of templates that the code launches by name and arguments, such as
 * f<16><<<1, 32>>>(), a line of C++ each goes to launches that instantiates them; some are no C++ elsewhere. */
enum host_code host_code_remove(char *text, const char *kept, FILE *launches);

#endif
