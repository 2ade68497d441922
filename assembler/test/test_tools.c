/* SPDX-License-Identifier: Apache-2.0 */
/* warp-as and warp-dis as commands: output, exit code, and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support.h"

enum { OUTPUT_MAX = 8192 };

struct fixture {
    char directory[32];
};

static int setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL) return -1;
    strcpy(f->directory, "/tmp/warpstep-XXXXXX");
    *state = f;
    return mkdtemp(f->directory) == NULL ? -1 : 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", f->directory);
    free(f);
    return system(command);
}

/* Runs a shell command in which DIR stands for the test's directory; returns its exit code; stdout and stderr go to
 * `output`. */
static int run(const struct fixture *f, const char *command, char *output) {
    char line[1024];
    snprintf(line, sizeof line, "DIR=%s; PATH=build/bin:$PATH; (%s) 2>&1", f->directory, command);
    FILE *p = popen(line, "r");
    assert_non_null(p);
    size_t n = fread(output, 1, OUTPUT_MAX - 1, p);
    output[n] = '\0';
    return WEXITSTATUS(pclose(p));
}

static void expect_run(const struct fixture *f, const char *command, int code, const char *expected) {
    char output[OUTPUT_MAX];
    int got = run(f, command, output);
    if (got != code || strcmp(output, expected) != 0)
        fail_msg("%s\nexit code %d, expected %d; output:\n%s", command, got, code, output);
}

static void test_tools_words_to_text(void **state) {
    expect_run(*state, "printf '2102e800\\n0x20000405 0x0400c780\\n\\n' | warp-dis --words", 0,
               "IADD32 R0, g [0x4], R2\nIADD R1, R2, R3\n\n");
    expect_run(*state, "echo 2102e800 | warp-dis --words --dialect 5", 0, "IADD32 R0, g[0x4], R2\n");
    expect_run(*state,
               "printf '1000cc05\\n0423c780\\n\\n2102e800\\n20000405\\n# second\\n0400c780\\n' | warp-dis --words", 0,
               "MOV R1, g [0x6]\n\nIADD32 R0, g [0x4], R2\nIADD R1, R2, R3\n");
}

static void test_tools_words_that_are_no_instruction(void **state) {
    expect_run(*state, "printf 'f0000001 c0000001\\nf0000001 e0000041\\nf0000001\\n' | warp-dis --words", 0,
               ".word 0xf0000001, 0xc0000001  // undefined instruction\n"
               ".word 0xf0000001, 0xe0000041  // must-be-zero bits set: h6; without them NOP\n"
               ".word 0xf0000001  // the second word of a long instruction is missing\n");
    expect_run(
        *state, "printf '20000405\\n0400c780\\nf0000001\\n' > $DIR/k.hex; warp-dis $DIR/k.hex | grep 0008", 0,
        "\t/*0008*/     /*0xf0000001*/ \t.word 0xf0000001;  // the second word of a long instruction is missing\n");
}

static void test_tools_words_with_ignored_bits(void **state) {
    expect_run(*state, "printf '24010405 0440c780\\n7005081d a80187d0\\n7205081d a80187d4\\n' | warp-dis --words", 0,
               "IADD R1, R2, R3  // ignores bits l16, l26, h22\n"
               "IMAD.U24.C1 R7, -R4, R5, R6  // reserved opcode that acts as this\n"
               "IMAD.U24.C1 R7, -R4, R5, R6  // reserved opcode that acts as this; ignores bits l25, h2\n");
    expect_run(*state, "echo 24010405 0440c780 | warp-dis --words | warp-as --words", 0, "0x20000405 0x0400c780\n");
    expect_run(
        *state,
        "printf '.kernel k\\n/*0000*/ /*0x240104050440c780*/ IADD R1, R2, R3;\\n' > $DIR/l;"
        "warp-as --verify $DIR/l > $DIR/o; code=$?; sed s,$DIR/,, $DIR/o; exit $code",
        1,
        "l:2: 0x0000: IADD R1, R2, R3\n"
        "  listing  24010405 0440c780  iadd32_add_rr: d=R1 od=0 a=R2 b=R3 sat=0 mark=0 cd=C0 ce=0 cond=TRUE cr=C0, "
        "ignored l16, l26, h22\n"
        "  text     20000405 0400c780  iadd32_add_rr: d=R1 od=0 a=R2 b=R3 sat=0 mark=0 cd=C0 ce=0 cond=TRUE cr=C0\n"
        "  ignored  listing sets ignored bits l16, l26, h22\n"
        "           nothing else differs: both words do the same\n"
        "l: 1 instructions compared, 1 differ\n");
}

/* Words of corpus listings: CUDA 3 has the low word first, CUDA 5 the high word. An undefined word is long in one order
 * only; if both are possible, the order of the file decides. */
static void test_tools_words_of_64_bits(void **state) {
    expect_run(*state, "echo 0x200004050400c780 | warp-dis --words", 0, "IADD R1, R2, R3\n");
    expect_run(*state, "echo '/* 0x0400c78020000405 */' | warp-dis --words", 0, "IADD R1, R2, R3\n");
    expect_run(*state, "echo 0xe0000000f0000001 | warp-dis --words", 0, "NOP\n");
    expect_run(*state, "echo 0xd00e0005a0c00781 | warp-dis --words", 0, "GST.U32 global14 [R0], R1\n");
    expect_run(*state, "echo 0xa0c00781d00e0005 | warp-dis --words", 0, "GST.U32 global14 [R0], R1\n");
    expect_run(*state, "echo 0x1000840410008604 | warp-dis --words", 0,
               "<stdin>: note: either half of the 64-bit words may come first: taken with the high word first\n"
               "MOV32 R1, R3\nMOV32 R1, R2\n");
    expect_run(*state, "echo c0000001f0000001 | warp-dis --words", 0,
               ".word 0xf0000001, 0xc0000001  // undefined instruction\n");
    expect_run(*state, "echo f0000001e0000040 | warp-dis --words", 0,
               ".word 0xf0000001, 0xe0000040  // must-be-zero bits set: h6; without them NOP\n");
    expect_run(*state, "printf '0xc0000001f0000001\\n# 0x200004050400c780\\n0x0400c78020000405\\n' | warp-dis --words",
               0, ".word 0xf0000001, 0xc0000001  // undefined instruction\n\nIADD R1, R2, R3\n");
    expect_run(*state, "printf '0xc0000001f0000001\\n0x200004050400c780\\n' | warp-dis --words", 0,
               ".word 0xc0000001, 0xf0000001  // undefined instruction\nIADD R1, R2, R3\n");
}

static void test_tools_several_words_a_line(void **state) {
    expect_run(*state, "echo '2102e800 0x2102e804, 20000405 0400c780, 0x200004050400c781 f0000001' | warp-dis --words",
               0,
               "IADD32 R0, g [0x4], R2\nIADD32 R1, g [0x4], R2\nIADD R1, R2, R3\nIADD R1, R2, R3\n"
               ".word 0xf0000001  // the second word of a long instruction is missing\n");
}

/* Bits and values cut by hand. */
static void test_tools_fields(void **state) {
    expect_run(*state, "echo 2102e800 | warp-dis --fields", 0,
               "IADD32 R0, g [0x4], R2\n"
               "iadd32_32_add_gr\n"
               "l  | 31-28 | 27-26 | 25  | 24-22 | 21-16  | 15 | 14-13 | 12-9 | 8   | 7-2    | 1-0 |\n"
               "   | 0010  | areg  | inc | 100   | b      | 1  | gt    | goff | sat | d      | 00  |\n"
               "   | 0010  | 00    | 0   | 100   | 000010 | 1  | 11    | 0100 | 0   | 000000 | 00  |\n"
               "d     0    R0           destination register (of stores and R2G: the data)\n"
               "b     2    R2           second source register\n"
               "goff  4    0x4          shared offset, in units of the cell\n"
               "gt    3                 type of the shared cell\n"
               "areg  0    A0           A register that indexes the first memory operand\n"
               "inc   0                 post-increment of that A register\n"
               "sat   0                 saturate (I2I: 8-bit destination)\n\n");
}

/* The row has 0 where the word has 1: a bit that must be zero, an aliased opcode, ignored bits. */
static void test_tools_fields_show_the_word(void **state) {
    expect_run(*state, "echo f0000001e0000041 | warp-dis --fields --dialect 5", 0,
               ".word 0xf0000001, 0xe0000041  // must-be-zero bits set: h6; without them NOP\n"
               "nop\n"
               "l  | 31-0                             |\n"
               "   | 1111..........................01 |\n"
               "   | 11110000000000000000000000000001 |\n"
               "h  | 31-14              | 13-12 | 11-7  | 6-2   | 1-0  |\n"
               "   | 111............... | cr    | cond  | ....0 | mark |\n"
               "   | 111000000000000000 | 00    | 00000 | 10000 | 01   |\n"
               "mark  1                 marker: 1 END, 2 JOIN\n"
               "cond  0                 condition of the guard\n"
               "cr    0                 C register that the guard tests and a carry comes from\n\n");
    expect_run(*state, "echo 7205081d a80187d4 | warp-dis --fields | grep '|'", 0,
               "l  | 31-23     | 22-16   | 15-9    | 8-2     | 1-0 |\n"
               "   | 0110---00 | b       | a       | d       | 01  |\n"
               "   | 011100100 | 0000101 | 0000100 | 0000111 | 01  |\n"
               "h  | 31-21       | 20-14   | 13-12 | 11-7  | 6  | 5-4 | 3  | 2 | 1-0  |\n"
               "   | 011-10----0 | c       | cr    | cond  | ce | cd  | od | - | mark |\n"
               "   | 10101000000 | 0000110 | 00    | 01111 | 1  | 01  | 0  | 1 | 00   |\n");
    expect_run(*state, "printf 'f0000001 c0000001\\n\\nf0000001\\n' | warp-dis --fields", 0,
               ".word 0xf0000001, 0xc0000001  // undefined instruction\n\n\n"
               ".word 0xf0000001  // the second word of a long instruction is missing\n\n");
}

static void test_tools_malformed_words(void **state) {
    expect_run(*state, "printf '2102e800\\n  20x0\\n' | warp-dis --words", 2,
               "<stdin>:2:3: error: expected words of 32 or 64 bits in hexadecimal\n");
    expect_run(*state, "printf '1 2 0x\\n' | warp-dis --words", 2,
               "<stdin>:1:5: error: expected words of 32 or 64 bits in hexadecimal\n");
    expect_run(*state, "echo 12102e800 | warp-dis --words", 2,
               "<stdin>:1:1: error: expected words of 32 or 64 bits in hexadecimal\n");
    expect_run(*state, "echo 0x10400c78020000405 | warp-dis --words", 2,
               "<stdin>:1:1: error: expected words of 32 or 64 bits in hexadecimal\n");
    expect_run(*state, "printf '2102e800\\r\\n\\r\\n2102e800 # half\\r\\n' | warp-dis --words", 0,
               "IADD32 R0, g [0x4], R2\n\nIADD32 R0, g [0x4], R2\n");
}

static void test_tools_text_to_words(void **state) {
    expect_run(*state, "printf 'IADD32 R0, g[0x4], R2\\n IADD R1,R2,R3; // a\\nRET\\n' | warp-as --words", 0,
               "0x2102e800\n0x20000405 0x0400c780\n0x30000003 0x00000780\n");
    expect_run(*state, "printf '2102e800\\nf0000001 c0000001\\n' | warp-dis --words | warp-as --words", 0,
               "0x2102e800\n0xf0000001 0xc0000001\n");
}

static void test_tools_text_error_prints_no_words(void **state) {
    expect_run(*state, "echo '.word 0x1, 0x2,' | warp-as --words", 2,
               "<stdin>:1:15: error: expected one or two words\n    1 | .word 0x1, 0x2,\n      |               ^\n");
    expect_run(*state, "printf 'RET\\nIMULL R1\\n' | warp-as --words", 2,
               "<stdin>:2:1: error: unknown instruction 'IMULL'\n    2 | IMULL R1\n      | ^~~~~ help: did you mean "
               "'IMUL'?\n");
    expect_run(*state, "warp-as /dev/null", 2, "/dev/null:1:1: error: file has no instructions\n");
}

static void test_tools_image_and_listings(void **state) {
    expect_run(*state,
               "echo 'IADD R1, R2, R3' > $DIR/k.sass; warp-as -w $DIR/k.sass && warp-dis $DIR/k.img | grep IADD", 0,
               "\t/*0000*/     /*0x200004050400c781*/ \tIADD R1, R2, R3;\n");
    expect_run(*state, "warp-dis --dialect 5 $DIR/k.img > $DIR/5.lst; warp-as --verify $DIR/5.lst | sed 's/.*: //'", 0,
               "1 instructions compared, 0 differ\n");
    expect_run(*state, "warp-dis $DIR/k.img > $DIR/3.lst; warp-as --verify $DIR/3.lst | sed 's/.*: //'", 0,
               "1 instructions compared, 0 differ\n");
}

static void test_tools_list_shows_all_kernels(void **state) {
    expect_run(*state, "printf '.kernel a\nNOP\n.kernel b\nRET\n' > $DIR/two.sass; warp-as --list $DIR/two.sass", 0,
               "address  low      high      line  text of kernel a\n000000   f0000001 e0000001     2  NOP\n\n"
               "address  low      high      line  text of kernel b\n000000   30000003 00000780     4  RET\n");
    expect_run(*state, "warp-as --list --kernel b $DIR/two.sass | wc -l", 0, "2\n");
    expect_run(*state,
               "PATH=$PWD/build/bin:$PATH; cd $DIR; echo NOP > a.inc; printf '.include \"a.inc\"\nRET\n' > k.sass;"
               "warp-as --list k.sass",
               0,
               "address  low      high                 line  text of kernel kernel\n"
               "000000   f0000001 e0000000          a.inc:1  NOP\n"
               "000008   30000003 00000780                2  RET\n");
}

static void test_tools_verify_reports_a_difference(void **state) {
    struct fixture *f = *state;
    char output[OUTPUT_MAX];
    expect_run(f, "echo '/*0000*/ IADD R1, R2, R4; /* 0x0400c78020000405 */' > $DIR/k.lst", 0, "");
    assert_int_equal(run(f, "warp-as --verify $DIR/k.lst", output), 1);
    assert_non_null(strstr(output, "k.lst:1: 0x0000: IADD R1, R2, R4"));
    assert_non_null(strstr(output, "differ   b: listing 0x3, text 0x4"));
    assert_non_null(strstr(output, "1 instructions compared, 1 differ"));
    assert_int_equal(run(f, "echo NOP > $DIR/k.lst; warp-as --verify $DIR/k.lst", output), 2);
    assert_non_null(strstr(output, "no words to compare"));
    /* the END marker, which no text shows and which the text cannot set before the last instruction */
    assert_int_equal(run(f,
                         "printf '/*0000*/ NOP; /* 0xe0000001f0000001 */\\n/*0008*/ RET; /* 0x0000078030000003 */\\n'"
                         " > $DIR/k.lst; warp-as --verify $DIR/k.lst",
                         output),
                     0);
    assert_int_equal(run(f,
                         "printf '/*0000*/ NOP.S; /* 0xe0000003f0000001 */\\n/*0008*/ RET; /* 0x0000078030000003 */\\n'"
                         " > $DIR/k.lst; warp-as --verify $DIR/k.lst",
                         output),
                     1);
    assert_non_null(strstr(output, "2 instructions compared, 1 differ"));
    /* one word of a long instruction */
    expect_run(f, "echo '/*0000*/ IADD R1, R2, R3; /* 0x20000405 */' > $DIR/k.lst", 0, "");
    assert_int_equal(run(f, "warp-as --verify $DIR/k.lst", output), 1);
    assert_non_null(strstr(output, "1 instructions compared, 1 differ"));
}

static void test_tools_binary_input(void **state) {
    expect_run(*state, "printf 'NOP\\0' > $DIR/k.sass; cd $DIR; $OLDPWD/build/bin/warp-as k.sass", 2,
               "k.sass: error: is not a source; warp-dis lists images and cubins\n");
}

static void test_tools_warnings(void **state) {
    struct fixture *f = *state;
    expect_run(f, "printf 'MOV32 R1, R0\nNOP' > $DIR/k.sass; cd $DIR; $OLDPWD/build/bin/warp-as k.sass && ls k.img", 0,
               "k.sass:1:1: warning: half instruction has no partner; they come in pairs on an 8-byte boundary "
               "[-Walignment]\n    1 | MOV32 R1, R0\n      | ^~~~~ help: write MOV, its long form\nk.img\n");
    expect_run(f, "rm $DIR/k.img; warp-as -w $DIR/k.sass; warp-as -Wno-alignment -Werror $DIR/k.sass", 0, "");
    expect_run(f, "rm $DIR/k.img; warp-as -Werror $DIR/k.sass 2>&1 | grep -c 'error: half .*Walignment'; ls $DIR", 0,
               "1\nk.sass\n");
    expect_run(f, "warp-as -Werror $DIR/k.sass 2> /dev/null", 2, "");
    expect_run(f, "warp-as -Wno-such $DIR/k.sass", 2,
               "warp-as: error: unknown option '-Wno-such'; --help shows the usage\n");
}

static void test_tools_list(void **state) {
    struct fixture *f = *state;
    expect_run(f, "printf '.macro m r\\n%s\\n.endm\\n' 'MOV \\r, R0' > $DIR/lib.inc", 0, "");
    expect_run(f, "printf '.include \"lib.inc\"\nloop: m R1; NOP // x\nBRA loop' > $DIR/k.sass", 0, "");
    expect_run(f, "warp-as --list $DIR/k.sass; ls $DIR", 0,
               "address  low      high                 line  text of kernel kernel\n"
               "000000   10000005 0403c780        lib.inc:2  MOV R1, R0\n"
               "000008   f0000001 e0000000                2  NOP\n"
               "000010   10000003 00000780                3  BRA loop\n"
               "k.sass\nlib.inc\n");
    expect_run(f, "printf 'MOV32 R1, R0\nMOV32 R1, R0\nNOP' | warp-as --list -", 0,
               "address  low      high      line  text of kernel kernel\n"
               "000000   10008004              1  MOV32 R1, R0\n"
               "000004   10008004              2  MOV32 R1, R0\n"
               "000008   f0000001 e0000001     3  NOP\n");
}

static void test_tools_errors_leave_no_file(void **state) {
    struct fixture *f = *state;
    char output[OUTPUT_MAX];
    assert_int_equal(run(f, "echo 'MOB R1' > $DIR/k.sass; warp-as -o $DIR/k.img $DIR/k.sass", output), 2);
    assert_non_null(strstr(output, "k.sass:1:1: error: unknown instruction 'MOB'"));
    expect_run(f, "ls $DIR", 0, "k.sass\n");
    assert_int_equal(run(f, "warp-as -o $DIR/no/k.img /dev/null", output), 2);
    assert_int_equal(run(f, "warp-as $DIR/missing.sass", output), 2);
    assert_non_null(strstr(output, "missing.sass: error: cannot open: No such file or directory"));
}

/* A path that is no regular file is written to, not replaced. */
static void test_tools_write_into_a_pipe(void **state) {
    static const char *const formats[] = {"elf", "cubin-text"};
    const struct fixture *f = *state;
    for (size_t i = 0; i < 2; i++) {
        char command[256];
        snprintf(command, sizeof command,
                 "echo NOP > $DIR/k.sass; mkfifo $DIR/%s; timeout 9 warp-dis $DIR/%s | grep -c NOP & "
                 "warp-as --format %s -o $DIR/%s $DIR/k.sass; wait; test -p $DIR/%s",
                 formats[i], formats[i], formats[i], formats[i], formats[i]);
        expect_run(f, command, 0, "1\n");
    }
    expect_run(f, "umask 027; warp-as -o $DIR/k.img $DIR/k.sass; stat -c %a $DIR/k.img", 0, "640\n");
    expect_run(f, "cd $DIR; ln -s /dev/full full; $OLDPWD/build/bin/warp-as -o full k.sass", 2,
               "full: error: cannot write: No space left on device\n");
}

static void test_tools_say_when_output_is_lost(void **state) {
    static const char lost[] = "standard output: error: cannot write: No space left on device\n";
    expect_run(*state, "warp-as --help > /dev/full", 2, lost);
    expect_run(*state, "warp-dis --version > /dev/full", 2, lost);
    expect_run(*state, "echo f0000001 e0000000 | warp-dis --words > /dev/full", 2, lost);
    /* all but the last write */
    expect_run(*state, "yes f0000001 e0000000 | head -n 2000 | warp-dis --words > /dev/full", 2, lost);
}

static void test_tools_write_text_cubins(void **state) {
    const struct fixture *f = *state;
    char output[OUTPUT_MAX];
    assert_int_equal(run(f, "printf '.kernel a\\n.reg 9\\n.grid 2\\nNOP\\n.kernel b\\nRET\\n' > $DIR/k.sass", output),
                     0);
    assert_int_equal(run(f, "cd $DIR; $OLDPWD/build/bin/warp-as --format cubin-text k.sass", output), 0);
    assert_string_equal(output, "k.sass: warning: a text cubin cannot hold the grid; kernel a is written without it\n");
    assert_int_equal(run(f, "warp-dis $DIR/k.cubin > $DIR/two.sass", output), 0);
    assert_int_equal(run(f, "grep Function $DIR/two.sass", output), 0);
    assert_string_equal(output, "\t\tFunction : a\n\t\tFunction : b\n");
    assert_int_equal(run(f, "warp-dis $DIR/two.sass | grep -c 'NOP\\|RET'", output), 0);
    assert_string_equal(output, "2\n");
    assert_int_equal(run(f, "warp-dis --kernel c $DIR/k.cubin", output), 2);
    assert_non_null(strstr(output, "error: there is no kernel 'c'; the file has a, b"));
    assert_int_equal(run(f, "echo '// nothing' > $DIR/two.sass; warp-dis $DIR/two.sass", output), 2);
    assert_non_null(strstr(output, "two.sass:1:1: error: file has no instructions"));
    assert_int_equal(run(f, "warp-run $DIR/k.cubin", output), 2);
    assert_non_null(strstr(output, "error: file has several kernels (a, b); choose one with --kernel"));
    expect_run(f, "warp-dis $DIR/k.cubin | grep -n '^$' | wc -l", 0, "1\n"); /* between the two */
    expect_run(f, "warp-dis --kernel a $DIR/k.cubin | grep -c 'Function : a\\|.reg 9\\|.shared 16'", 0, "3\n");
    expect_run(f, "warp-as --kernel b --format cubin-text $DIR/k.sass -o $DIR/b && warp-dis $DIR/b | grep -c RET", 0,
               "1\n");
    assert_int_equal(run(f, "warp-as --format cubin-text $DIR/k.sass --kernel c -o $DIR/c; ls $DIR", output), 0);
    assert_non_null(strstr(output, "error: there is no kernel c"));
    assert_non_null(strstr(output, "\nb\nk.cubin\nk.sass\n")); /* and no c */
    assert_int_equal(run(f, "warp-as $DIR/k.cubin -o $DIR/c", output), 2);
    assert_non_null(strstr(output, "k.cubin: error: is not a source; warp-dis lists images and cubins\n"));
    expect_run(f, "warp-as --format cubin x", 2,
               "warp-as: error: format is elf or cubin-text, not 'cubin'; --help shows the usage\n");
}

static void test_tools_define(void **state) {
    struct fixture *f = *state;
    static const char two[] = "MVI R1, 0x2;\nMVI R1, 0x5;\nMVI R1, 0x5;\n";
    char command[256];
    expect_run(f, "printf '.default N = 1 + 1\n.equ M = 5\nMVI R1, N\n.rept N\nMVI R1, M\n.endr\nNOP' > $DIR/k.sass", 0,
               "");
    static const char *const numbers[] = {"", "-DN=2", "-DX=1 -DN=2*X", "-DX=2 -DN=X"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(command, sizeof command, "warp-as %s $DIR/k.sass; warp-dis $DIR/k.img | grep -o 'MVI.*;'", numbers[i]);
        expect_run(f, command, 0, two);
    }
    expect_run(f, "warp-as -DN=0 $DIR/k.sass; warp-dis $DIR/k.img | grep -c MVI", 0, "1\n");
    expect_run(f, "cd $DIR; $OLDPWD/build/bin/warp-as -DN $DIR/k.sass 2>&1 | head -n 1", 0,
               "<command line>:1:7: error: expected '='\n");
    expect_run(f, "cd $DIR; $OLDPWD/build/bin/warp-as -DM=1 k.sass 2>&1 | head -n 1", 0,
               "k.sass:2:6: error: name 'M' is defined twice\n");
    expect_run(f, "echo NOP | warp-as -DN=1 -", 2, "warp-as: error: -D needs a source file; --help shows the usage\n");
}

static void test_tools_usage(void **state) {
    expect_run(*state, "warp-as", 2, "warp-as: error: no file given; --help shows the usage\n");
    expect_run(*state, "warp-dis --frob x", 2, "warp-dis: error: unknown option '--frob'; --help shows the usage\n");
    expect_run(*state, "warp-dis --dialect 4 x", 2,
               "warp-dis: error: dialect is 3, 5 or 6.5, not '4'; --help shows the usage\n");
    expect_run(*state, "echo NOP | warp-as --words -o $DIR/x", 2,
               "warp-as: error: --words cannot be combined with other options; --help shows the usage\n");
    /* an image does not replace its source */
    static const char IS_SOURCE[] = "is the source and would be overwritten; choose another -o\n";
    char said[128];
    snprintf(said, sizeof said, "./k.img: error: %sNOP\n", IS_SOURCE);
    expect_run(*state,
               "cd $DIR; echo NOP > k.img; $OLDPWD/build/bin/warp-as k.img -o ./k.img; c=$?; cat k.img; exit $c", 2,
               said);
    snprintf(said, sizeof said, "k.img: error: %sNOP\n", IS_SOURCE);
    expect_run(*state, "cd $DIR; $OLDPWD/build/bin/warp-as k.img; c=$?; cat k.img; rm k.img; exit $c", 2, said);
    /* without -o the file's name with another suffix */
    expect_run(*state,
               "mkdir $DIR/a.b; for f in .k a.b/k a.b/.k k.x.y; do echo NOP > $DIR/$f; warp-as $DIR/$f; done;"
               "cd $DIR; find . -name '*.img' | sort; rm -r a.b",
               0, "./.k.img\n./a.b/.k.img\n./a.b/k.img\n./k.x.img\n");
    expect_run(*state,
               "printf '.reg 2\\nMOV R1, R5\\n' > $DIR/w.sass; warp-as -Werror --format cubin-text -o $DIR/w"
               " $DIR/w.sass 2> /dev/null; echo $?; test -e $DIR/w",
               1, "2\n");
    expect_run(*state, "warp-as --help | head -c 6; warp-dis --help | head -c 6", 0, "usage:usage:");
    expect_run(*state, "warp-as --version | head -c 8", 0, "warp-as ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tools_words_to_text, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_words_that_are_no_instruction, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_words_with_ignored_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_words_of_64_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_several_words_a_line, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_fields, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_fields_show_the_word, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_malformed_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_text_to_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_text_error_prints_no_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_image_and_listings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_list_shows_all_kernels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_verify_reports_a_difference, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_binary_input, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_warnings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_list, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_errors_leave_no_file, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_write_into_a_pipe, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_say_when_output_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_write_text_cubins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_define, setup, teardown),
        cmocka_unit_test_setup_teardown(test_tools_usage, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
