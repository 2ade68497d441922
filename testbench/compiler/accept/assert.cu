// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdio.h>
__global__ void checked(int *y, int limit) {
    assert(limit > 3);
    printf("%d of %s\n", limit, "it");
    y[0] = limit;
}
int main() { printf("never\n"); }
