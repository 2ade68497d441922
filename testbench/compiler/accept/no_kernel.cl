// SPDX-License-Identifier: Apache-2.0
void of_no_kernel(__global int *y) { *y = 1; }
