// SPDX-License-Identifier: Apache-2.0
// Values in a file of waves:
//
//     echo '120000 top.u_sm.stages[9].valid' | fst_value FILE.fst      the value at that time, in binary, or `none`
//     fst_value FILE.fst --names                                       all names; tables of enumerations behind `enum`
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "fstapi.h"

using Names = std::map<std::string, fstHandle>;

// A name comes without its range: "pc [23:0]" is pc, but "at[1]" an element.
static Names read_names(void *file, bool prints_enumerations) {
    Names names;
    std::string scope;
    while (const fstHier *h = fstReaderIterateHier(file)) {
        if (h->htyp == FST_HT_SCOPE) scope = fstReaderPushScope(file, h->u.scope.name, nullptr);
        if (h->htyp == FST_HT_UPSCOPE) scope = fstReaderPopScope(file);
        if (h->htyp == FST_HT_VAR) {
            const std::string name = h->u.var.name;
            names[scope + "." + name.substr(0, name.find(' '))] = h->u.var.handle;
        }
        if (h->htyp == FST_HT_ATTRBEGIN && h->u.attr.subtype == FST_MT_ENUMTABLE && h->u.attr.name_length > 0 &&
            prints_enumerations)
            std::cout << "enum " << h->u.attr.name << '\n';
    }
    return names;
}

int main(int argc, char **argv) {
    const bool wants_names = argc == 3 && std::string(argv[2]) == "--names";
    void *file = argc == 2 || wants_names ? fstReaderOpen(argv[1]) : nullptr;
    if (file == nullptr) {
        std::cerr << "usage: fst_value FILE.fst [--names]\n";
        return 2;
    }
    const Names names = read_names(file, wants_names);
    std::vector<char> value(65536);
    std::string name;
    uint64_t time = 0;
    if (wants_names)
        for (const auto &known : names) std::cout << known.first << '\n';
    else
        while (std::cin >> time >> name) {
            const auto found = names.find(name);
            std::cout << (found == names.end()
                              ? "none"
                              : fstReaderGetValueFromHandleAtTime(file, time, found->second, value.data()))
                      << '\n';
        }
    fstReaderClose(file);
    return 0;
}
