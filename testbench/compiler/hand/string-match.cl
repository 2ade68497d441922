// SPDX-License-Identifier: Apache-2.0
__kernel void string_match(__global const uchar *text, __global const uchar *pattern, __global uchar *flags, uint size,
                           uint length) {
    for (uint i = get_global_id(0); i < size; i += get_global_size(0)) {
        uchar occurs = 0;
        if (length <= size - i) {
            uint k = 0;
            while (k < length && text[i + k] == pattern[k]) k++;
            occurs = k == length;
        }
        flags[i] = occurs;
    }
}
