// SPDX-License-Identifier: Apache-2.0
#include "of_the_user.h"
__global__ void f(int *y) { *y = OF_THE_USER; }
