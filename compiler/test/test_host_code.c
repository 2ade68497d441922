/* SPDX-License-Identifier: Apache-2.0 */
/* host_code_remove: which declarations stay. What clang makes of the rest, testbench/compiler/accept.sh judges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../host_code.h"

#define DEVICE "__attribute__((device)) "
#define KERNEL "__attribute__((global)) "

/* Returns the rest of a text, with runs of spaces as one space, and the launches. */
static void remove_from(const char *text, enum host_code result, char *left, char *launches, size_t size) {
    char *copy = strdup(text), *written = NULL;
    size_t length = 0, n = 0;
    FILE *out = open_memstream(&written, &length);
    assert_non_null(copy);
    assert_non_null(out);
    assert_int_equal(host_code_remove(copy, "kept.h", out), result);
    fclose(out);
    assert_int_equal(strlen(copy), strlen(text));
    for (const char *c = copy; *c != '\0' && n + 1 < size; c++)
        if (*c != ' ' || (n > 0 && left[n - 1] != ' ')) left[n++] = *c;
    while (n > 0 && left[n - 1] == ' ') n--;
    left[n] = '\0';
    snprintf(launches, size, "%s", written);
    free(written);
    free(copy);
}

static void expect(const char *text, const char *wanted) {
    char left[2000], launches[2000];
    remove_from(text, strlen(text) > strlen(wanted) ? HOST_CODE_REMOVED : HOST_CODE_NONE, left, launches, sizeof left);
    assert_string_equal(left, wanted);
    assert_string_equal(launches, "");
}

static void stays(const char *text) { expect(text, text); }

static void test_functions(void **state) {
    (void)state;
    expect("int main() { return f(\"}\", '{'); } " KERNEL "void k() {}", KERNEL "void k() {}");
    expect(DEVICE "int f(int a) { return a; } int g(int); void (*h)(int);", DEVICE "int f(int a) { return a; }");
    expect("template <class T, int N = (3 > 2)> T f(T a) { return a; }", "");
    stays("template <class T> " DEVICE "T f(T a) { return a; }");
    expect("extern \"C\" { int f() {} " DEVICE "int g() {} }", "extern \"C\" { " DEVICE "int g() {} }");
    expect("namespace n { int f() {} " DEVICE "int g() {} }", "namespace n { " DEVICE "int g() {} }");
    expect("const char *f() { return R\"x(})\" )x\"; } constexpr int g() { return 1; }",
           "constexpr int g() { return 1; }");
    expect("struct s f(int a) { return s(); } int operator+(s a, s b) {}", "");
}

static void test_variables_and_types(void **state) {
    (void)state;
    expect("int a = f(1); dim3 b(2), c{3}; static FILE *d;", "");
    expect("const int A = 1, B = 2; const int C = 3; " DEVICE "int f() { return B; }",
           "const int A = 1, B = 2; " DEVICE "int f() { return B; }");
    expect("typedef struct { int x; } p; typedef int (*q)(int p); " DEVICE "int f(p v);",
           "typedef struct { int x; } p; " DEVICE "int f(p v);");
    expect("enum { X, Y = 2 }; enum class Z { W }; " DEVICE "int f() { return Y; }",
           "enum { X, Y = 2 }; " DEVICE "int f() { return Y; }");
    expect("struct a { int i; }; struct b { a x; }; struct c { a y; }; " DEVICE "void f(b v);",
           "struct a { int i; }; struct b { a x; }; " DEVICE "void f(b v);");
    expect("using std::cout; using namespace std; using T = int; " DEVICE "T f();",
           "using namespace std; using T = int; " DEVICE "T f();");
    stays("__attribute__((constant)) float k[4]; extern __attribute__((shared)) int s[];");
}

static void test_members(void **state) {
    (void)state;
    expect("class v { public: v(int a) : x(a) {} " DEVICE
           "int g() const { return x; } ~v(); private: int x; int (*f)(int); };" DEVICE "int h(v a);",
           "class v { public: " DEVICE "int g() const { return x; } private: int x; int (*f)(int); };" DEVICE
           "int h(v a);");
}

static void test_lines(void **state) {
    (void)state;
    expect("# 1 \"kept.h\" 1\nint f() {}\n# 2 \"k.cu\" 2\nint g()\n# 3 \"k.cu\"\n{}\n",
           "# 1 \"kept.h\" 1\nint f() {}\n# 2 \"k.cu\" 2\n \n# 3 \"k.cu\"\n \n");
}

static void test_launches(void **state) {
    (void)state;
    char left[200], launches[400];
    remove_from("void f() { const int N = 4; const int M = g(); k<N, a::b><<<1, 2>>>(p); l<<<1, 1>>>(); }",
                HOST_CODE_REMOVED, left, launches, sizeof left);
    assert_string_equal(left, "");
    assert_string_equal(launches, "static inline void warp_launch_0() {const int N = 4;(void)&k<N, a::b>; }\n");
}

/* No text is too odd: it ends, and nothing is written beyond it. */
static void test_pieces(void **state) {
    (void)state;
    static const char TEXT[] =
        "template <class T> struct s { s(T a) : x{a} {} enum { A }; T x; } v; namespace { int f(int a = "
        "(1)) { return R\"y(x)y\"[0] + '\\''; } } extern \"C\" int m(); # 1 \"k\"\n" DEVICE
        "int g() { k<2> <<<1, 1>>>(); }";
    for (size_t begin = 0; begin < sizeof TEXT; begin++)
        for (size_t end = begin; end < sizeof TEXT; end++) {
            char *copy = strndup(TEXT + begin, end - begin), *written = NULL;
            size_t length = 0;
            FILE *out = open_memstream(&written, &length);
            assert_non_null(copy);
            assert_non_null(out);
            assert_int_not_equal(host_code_remove(copy, "kept.h", out), HOST_CODE_NO_MEMORY);
            assert_int_equal(strlen(copy), end - begin);
            fclose(out);
            free(written);
            free(copy);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_variables_and_types),
        cmocka_unit_test(test_members),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_launches),  cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
