/* SPDX-License-Identifier: Apache-2.0 */
/* Compiling a program without linking it, and linking. */
#include "api.h"
#include "info.h"
#include "program.h"

cl_int CL_API_CALL api_clCompileProgram(cl_program program, cl_uint count, const cl_device_id *list,
                                        const char *options, cl_uint header_count, const cl_program *headers,
                                        const char **names, void(CL_CALLBACK *notify)(cl_program, void *), void *data) {
    (void)count, (void)list, (void)options, (void)header_count, (void)headers, (void)names, (void)notify, (void)data;
    return object_of(program, OBJECT_PROGRAM) != NULL ? CL_LINKER_NOT_AVAILABLE : CL_INVALID_PROGRAM;
}

cl_program CL_API_CALL api_clLinkProgram(cl_context context, cl_uint count, const cl_device_id *list,
                                         const char *options, cl_uint program_count, const cl_program *programs,
                                         void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *error) {
    (void)count, (void)list, (void)options, (void)program_count, (void)programs, (void)notify, (void)data;
    return info_fail(error, object_of(context, OBJECT_CONTEXT) != NULL ? CL_LINKER_NOT_AVAILABLE : CL_INVALID_CONTEXT);
}
