/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions from registers to registers. See draw.h. */
#include "draw.h"

#include <stdio.h>
#include <string.h>

/* h r l f d p: a register. j i L u e: the same, or an immediate; q: also !p. s: a shift amount; 8: a byte; 6: below 64;
 * k: a permutation; S: a special register; v, w: a float unknown to the compiler; n: a double that is a number; b, B,
 * D: a divisor of 16, 32, 64 bits; x, y, z: a constant one. F: a float that may be an odd NaN. A # in a name stands for
 * one of several texts, see ALTERNATIVES. */
struct form {
    const char *name;
    char result;
    const char *sources;
    unsigned weight;
    unsigned feature;
};

static const struct form FORMS[] = {
    {"add.#i32",             'r', "ri",   4, 0             },
    {"sub.#i32",             'r', "ri",   4, 0             },
    {"mul.lo.#i32",          'r', "ri",   3, 0             },
    {"mul.hi.#i32",          'r', "ri",   3, 0             },
    {"mad.lo.#i32",          'r', "rii",  3, 0             },
    {"mad.hi.#i32",          'r', "rii",  2, 0             },
    {"mul24.#w.#i32",        'r', "ri",   3, 0             },
    {"mad24.#w.#i32",        'r', "rii",  3, 0             },
    {"sad.#i32",             'r', "rii",  3, 0             },
    {"div.u32",              'r', "rB",   2, 0             },
    {"div.s32",              'r', "rB",   2, 0             },
    {"rem.u32",              'r', "rB",   2, 0             },
    {"rem.s32",              'r', "rB",   2, 0             },
    {"add.sat.s32",          'r', "ri",   2, 0             },
    {"sub.sat.s32",          'r', "ri",   2, 0             },
    {"mad.hi.sat.s32",       'r', "rii",  1, 0             },
    {"mad24.hi.sat.s32",     'r', "rii",  1, 0             },
    {"abs.s32",              'r', "r",    1, 0             },
    {"neg.s32",              'r', "r",    1, 0             },
    {"#m.#i32",              'r', "ri",   4, 0             },
    {"#l.b32",               'r', "ri",   6, 0             },
    {"not.b32",              'r', "r",    2, 0             },
    {"cnot.b32",             'r', "r",    1, 0             },
    {"shl.b32",              'r', "rs",   3, 0             },
    {"shr.#i32",             'r', "rs",   4, 0             },
    {"shr.b32",              'r', "rs",   1, 0             },
    {"popc.b32",             'r', "r",    1, 0             },
    {"clz.b32",              'r', "r",    1, 0             },
    {"brev.b32",             'r', "r",    1, 0             },
    {"bfind.#i32",           'r', "r",    1, 0             },
    {"bfind.shiftamt.#i32",  'r', "r",    1, 0             },
    {"bfe.#i32",             'r', "r88",  4, 0             },
    {"bfi.b32",              'r', "rr88", 3, 0             },
    {"prmt.b32",             'r', "rrk",  3, 0             },
    {"prmt.b32#q",           'r', "rrr",  2, 0             },
    {"selp.#b32",            'r', "rip",  3, 0             },
    {"slct.#b32.s32",        'r', "rrr",  2, 0             },
    {"slct#z.#b32.f32",      'r', "rru",  1, 0             },
    {"set.#c.#i32.#i32",     'r', "ri",   2, 0             },
    {"set.#c.#l.s32.#i32",   'r', "riq",  2, 0             },
    {"set.#x#z.u32.f32",     'r', "uu",   2, 0             },
    {"set.#x.#l#z.s32.f32",  'r', "uuq",  1, 0             },
    {"set.#c.f32.#i32",      'f', "ri",   1, 0             },
    {"set.#x#z.f32.f32",     'f', "uu",   1, 0             },
    {"add.#i16",             'h', "hj",   2, 0             },
    {"sub.#i16",             'h', "hj",   2, 0             },
    {"mul.#w.#i16",          'h', "hj",   2, 0             },
    {"mad.#w.#i16",          'h', "hjj",  2, 0             },
    {"mul.wide.#i16",        'r', "hj",   2, 0             },
    {"mad.wide.#i16",        'r', "hji",  1, 0             },
    {"sad.#i16",             'h', "hjj",  1, 0             },
    {"div.u16",              'h', "hb",   1, 0             },
    {"div.s16",              'h', "hb",   1, 0             },
    {"rem.u16",              'h', "hb",   1, 0             },
    {"rem.s16",              'h', "hb",   1, 0             },
    {"abs.s16",              'h', "h",    1, 0             },
    {"neg.s16",              'h', "h",    1, 0             },
    {"#m.#i16",              'h', "hj",   2, 0             },
    {"#l.b16",               'h', "hj",   2, 0             },
    {"not.b16",              'h', "h",    1, 0             },
    {"cnot.b16",             'h', "h",    1, 0             },
    {"shl.b16",              'h', "hs",   1, 0             },
    {"shr.#i16",             'h', "hs",   2, 0             },
    {"selp.b16",             'h', "hjp",  1, 0             },
    {"slct.u16.s32",         'h', "hjr",  1, 0             },
    {"add.#i64",             'l', "lL",   3, 0             },
    {"sub.#i64",             'l', "lL",   3, 0             },
    {"mul.lo.#i64",          'l', "lL",   2, 0             },
    {"mul.hi.#i64",          'l', "lL",   2, 0             },
    {"mad.#w.#i64",          'l', "lLL",  1, 0             },
    {"mul.wide.#i32",        'l', "ri",   3, 0             },
    {"mad.wide.#i32",        'l', "riL",  2, 0             },
    {"sad.#i64",             'l', "lLL",  1, 0             },
    {"div.u64",              'l', "lD",   1, 0             },
    {"div.s64",              'l', "lD",   1, 0             },
    {"rem.u64",              'l', "lD",   1, 0             },
    {"rem.s64",              'l', "lD",   1, 0             },
    {"abs.s64",              'l', "l",    1, 0             },
    {"neg.s64",              'l', "l",    1, 0             },
    {"#m.#i64",              'l', "lL",   2, 0             },
    {"#l.b64",               'l', "lL",   2, 0             },
    {"not.b64",              'l', "l",    1, 0             },
    {"cnot.b64",             'l', "l",    1, 0             },
    {"shl.b64",              'l', "ls",   2, 0             },
    {"shr.#i64",             'l', "ls",   2, 0             },
    {"popc.b64",             'r', "l",    1, 0             },
    {"clz.b64",              'r', "l",    1, 0             },
    {"brev.b64",             'l', "l",    1, 0             },
    {"bfind.#i64",           'r', "l",    1, 0             },
    {"bfind.shiftamt.#i64",  'r', "l",    1, 0             },
    {"bfe.#i64",             'l', "l66",  2, 0             },
    {"bfi.b64",              'l', "ll66", 2, 0             },
    {"selp.b64",             'l', "lLp",  2, 0             },
    {"slct.b64.s32",         'l', "lLr",  1, 0             },
    {"setp.#c.#i32",         'p', "ri",   6, 0             },
    {"setp.#c.#l.#i32",      'p', "riq",  2, 0             },
    {"setp.#c.#i16",         'p', "hj",   1, 0             },
    {"setp.#c.#i64",         'p', "lL",   2, 0             },
    {"setp.#u.u32",          'p', "ri",   1, 0             },
    {"setp.#x#z.f32",        'p', "uu",   4, 0             },
    {"setp.#x.#l#z.f32",     'p', "uuq",  2, 0             },
    {"setp.#x.f64",          'p', "ee",   1, FEATURE_DOUBLE},
    {"#l.pred",              'p', "pp",   3, 0             },
    {"not.pred",             'p', "p",    1, 0             },
    {"testp.#t.f32",         'p', "f",    1, 0             },
    {"testp.#t.f64",         'p', "d",    1, FEATURE_DOUBLE},
    {"add#r#z.f32",          'f', "uu",   6, 0             },
    {"sub#r#z.f32",          'f', "uu",   5, 0             },
    {"mul#r#z.f32",          'f', "uu",   6, 0             },
    {"add#r#z.sat.f32",      'f', "uu",   1, 0             },
    {"mul#r#z.sat.f32",      'f', "uu",   1, 0             },
    {"fma#r#z.f32",          'f', "uuu",  5, 0             },
    {"mad#r#z.f32",          'f', "uuu",  2, 0             },
    {"fma#r#z.sat.f32",      'f', "uuu",  1, 0             },
    {"div#r#z.f32",          'f', "uu",   4, 0             },
    {"rcp#r#z.f32",          'f', "f",    2, 0             },
    {"sqrt#r#z.f32",         'f', "f",    2, 0             },
    {"#m#z.f32",             'f', "uu",   3, 0             },
    {"selp.f32",             'f', "uup",  1, 0             },
    {"slct#z.f32.f32",       'f', "uuu",  1, 0             },
    {"abs#z.f32",            'F', "f",    1, 0             },
    {"neg#z.f32",            'F', "f",    2, 0             },
    {"copysign.f32",         'F', "ff",   1, 0             },
    {"rcp.approx.ftz.f32",   'f', "v",    2, FEATURE_APPROX},
    {"rsqrt.approx.ftz.f32", 'f', "v",    2, FEATURE_APPROX},
    {"lg2.approx.ftz.f32",   'f', "v",    2, FEATURE_APPROX},
    {"ex2.approx.ftz.f32",   'f', "v",    2, FEATURE_APPROX},
    {"sin.approx.ftz.f32",   'f', "w",    1, FEATURE_APPROX},
    {"cos.approx.ftz.f32",   'f', "w",    1, FEATURE_APPROX},
    {"add#R.f64",            'd', "ee",   2, FEATURE_DOUBLE},
    {"sub#R.f64",            'd', "ee",   2, FEATURE_DOUBLE},
    {"mul#R.f64",            'd', "ee",   2, FEATURE_DOUBLE},
    {"fma#R.f64",            'd', "eee",  2, FEATURE_DOUBLE},
    {"mad#R.f64",            'd', "eee",  1, FEATURE_DOUBLE},
    {"div#R.f64",            'd', "ee",   1, FEATURE_DOUBLE},
    {"rcp#R.f64",            'd', "d",    1, FEATURE_DOUBLE},
    {"sqrt#R.f64",           'd', "d",    1, FEATURE_DOUBLE},
    {"#m.f64",               'd', "ee",   1, FEATURE_DOUBLE},
    {"abs.f64",              'd', "d",    1, FEATURE_DOUBLE},
    {"neg.f64",              'd', "d",    1, FEATURE_DOUBLE},
    {"selp.f64",             'd', "eep",  1, FEATURE_DOUBLE},
    {"cvt.#e.#i32",          'h', "r",    3, 0             },
    {"cvt.#e.#i64",          'h', "l",    1, 0             },
    {"cvt.sat.#e.#i32",      'h', "r",    2, 0             },
    {"cvt.sat.#y.#i16",      'h', "h",    1, 0             },
    {"cvt.sat.u16.s16",      'h', "h",    1, 0             },
    {"cvt.sat.s16.u16",      'h', "h",    1, 0             },
    {"cvt.sat.#e.#i64",      'h', "l",    1, 0             },
    {"cvt.#i32.#e",          'r', "h",    3, 0             },
    {"cvt.#i64.#e",          'l', "h",    1, 0             },
    {"cvt.sat.u32.#s",       'r', "h",    1, 0             },
    {"cvt.#i64.#i32",        'l', "r",    2, 0             },
    {"cvt.#i32.#i64",        'r', "l",    2, 0             },
    {"cvt.sat.#i32.#i64",    'r', "l",    1, 0             },
    {"cvt.sat.u32.s32",      'r', "r",    1, 0             },
    {"cvt.sat.s32.u32",      'r', "r",    1, 0             },
    {"cvt.sat.u64.s64",      'l', "l",    1, 0             },
    {"cvt.sat.s64.u64",      'l', "l",    1, 0             },
    {"cvt.sat.u64.s32",      'l', "r",    1, 0             },
    {"cvt#n#z.#i32.f32",     'r', "f",    4, 0             },
    {"cvt#n#z.#e.f32",       'h', "f",    2, 0             },
    {"cvt#n#z.#i64.f32",     'l', "f",    2, 0             },
    {"cvt#n.#i32.f64",       'r', "d",    1, FEATURE_DOUBLE},
    {"cvt#n.#e.f64",         'h', "d",    1, FEATURE_DOUBLE},
    {"cvt#n.#i64.f64",       'l', "d",    1, FEATURE_DOUBLE},
    {"cvt#r.f32.#i32",       'f', "r",    4, 0             },
    {"cvt#r.f32.#i64",       'f', "l",    2, 0             },
    {"cvt#r.f32.#e",         'f', "h",    2, 0             },
    {"cvt#r.sat.f32.#i32",   'f', "r",    1, 0             },
    {"cvt#R.f64.#i32",       'd', "r",    1, FEATURE_DOUBLE},
    {"cvt#R.f64.#i64",       'd', "l",    1, FEATURE_DOUBLE},
    {"cvt#R.f64.#e",         'd', "h",    1, FEATURE_DOUBLE},
    {"cvt#z.f64.f32",        'd', "f",    1, FEATURE_DOUBLE},
    {"cvt#R#z.f32.f64",      'F', "d",    2, FEATURE_DOUBLE},
    {"cvt#n.f64.f64",        'd', "d",    1, FEATURE_DOUBLE},
    {"cvt#n#z.f32.f32",      'f', "f",    2, 0             },
    {"cvt#z.sat.f32.f32",    'f', "f",    1, 0             },
    {"cvt#n#z.sat.f32.f32",  'f', "f",    1, 0             },
    {"cvt#r#g.f16.f32",      'h', "f",    2, 0             },
    {"cvt#z.f32.f16",        'f', "h",    2, 0             },
    {"cvt#r.f16.#i32",       'h', "r",    1, 0             },
    {"cvt#r.f16.#e",         'h', "h",    1, 0             },
    {"cvt#r.f16.#i64",       'h', "l",    1, 0             },
    {"cvt#n.#i32.f16",       'r', "h",    1, 0             },
    {"cvt#n.#e.f16",         'h', "h",    1, 0             },
    {"cvt#n.#i64.f16",       'l', "h",    1, 0             },
    {"cvt.f64.f16",          'd', "h",    1, FEATURE_DOUBLE},
    {"cvt#R.f16.f64",        'h', "n",    1, FEATURE_DOUBLE},
    {"mul.lo.#i32",          'r', "iy",   2, 0             },
    {"mad.lo.#i32",          'r', "ryi",  1, 0             },
    {"div.#i32",             'r', "ry",   3, 0             },
    {"rem.#i32",             'r', "ry",   3, 0             },
    {"div.#i16",             'h', "hx",   1, 0             },
    {"rem.#i16",             'h', "hx",   1, 0             },
    {"div.#i64",             'l', "lz",   1, 0             },
    {"rem.#i64",             'l', "lz",   1, 0             },
    {"mul.lo.#i64",          'l', "lz",   1, 0             },
    {"mul.wide.#i32",        'l', "ry",   1, 0             },
    {"shl.b32",              'r', "is",   1, 0             },
    {"shr.#i32",             'r', "is",   1, 0             },
    {"shr.b16",              'h', "hs",   1, 0             },
    {"shr.b64",              'l', "ls",   1, 0             },
    {"selp.#b16",            'h', "jjp",  1, 0             },
    {"selp.#b64",            'l', "LLp",  1, 0             },
    {"slct.#b16.s32",        'h', "hjr",  1, 0             },
    {"slct#z.#b16.f32",      'h', "hhf",  1, 0             },
    {"slct.#b64.s32",        'l', "lLr",  1, 0             },
    {"slct#z.#b64.f32",      'l', "llf",  1, 0             },
    {"slct.f32.s32",         'f', "uur",  1, 0             },
    {"slct.f64.s32",         'd', "eer",  1, FEATURE_DOUBLE},
    {"slct#z.f64.f32",       'd', "ddf",  1, FEATURE_DOUBLE},
    {"set.#c.u32.#i16",      'r', "hj",   1, 0             },
    {"set.#c.u32.#i64",      'r', "lL",   1, 0             },
    {"set.#x.u32.f64",       'r', "ee",   1, FEATURE_DOUBLE},
    {"set.#c.s32.#i16",      'r', "hj",   1, 0             },
    {"set.#c.s32.#i64",      'r', "lL",   1, 0             },
    {"set.#x.s32.f64",       'r', "ee",   1, FEATURE_DOUBLE},
    {"set.#x.#l.u32.f64",    'r', "eeq",  1, FEATURE_DOUBLE},
    {"set.#c.#l.u32.#i16",   'r', "hjq",  1, 0             },
    {"set.#c.#l.u32.#i64",   'r', "lLq",  1, 0             },
    {"set.#c.f32.#i16",      'f', "hj",   1, 0             },
    {"set.#c.f32.#i64",      'f', "lL",   1, 0             },
    {"set.#x.f32.f64",       'f', "ee",   1, FEATURE_DOUBLE},
    {"set.#c.#l.f32.#i32",   'f', "rrq",  1, 0             },
    {"set.#x.#l#z.f32.f32",  'f', "uuq",  1, 0             },
    {"set.#o.u32.b32",       'r', "ri",   1, 0             },
    {"set.#o.u32.b16",       'r', "hj",   1, 0             },
    {"set.#o.s32.b64",       'r', "lL",   1, 0             },
    {"set.#u.u32.u32",       'r', "ri",   1, 0             },
    {"setp.#o.b32",          'p', "ri",   1, 0             },
    {"setp.#o.b16",          'p', "hj",   1, 0             },
    {"setp.#o.b64",          'p', "lL",   1, 0             },
    {"setp.#u.u16",          'p', "hj",   1, 0             },
    {"setp.#u.u64",          'p', "lL",   1, 0             },
    {"setp.#u.#l.u32",       'p', "riq",  1, 0             },
    {"setp.#c.#l.#i16",      'p', "hjq",  1, 0             },
    {"setp.#c.#l.#i64",      'p', "lLq",  1, 0             },
    {"setp.#x.#l.f64",       'p', "eeq",  3, FEATURE_DOUBLE},
    {"mov.pred",             'p', "p",    1, 0             },
    {"mov.b16",              'h', "j",    1, 0             },
    {"mov.#b32",             'r', "i",    1, 0             },
    {"mov.#b64",             'l', "L",    1, 0             },
    {"mov.u32",              'r', "S",    3, 0             },
    {"mov.f32",              'f', "u",    1, 0             },
    {"mov.f64",              'd', "e",    1, FEATURE_DOUBLE},
    {"copysign.f64",         'd', "nd",   1, FEATURE_DOUBLE},
    {"shf.#d.wrap.b32",      'r', "rrs",  1, FEATURE_FUNNEL},
    {"shf.#d.clamp.b32",     'r', "rrs",  1, FEATURE_FUNNEL},
    {"sub#r#z.sat.f32",      'f', "uu",   1, 0             },
    {"mad#r#z.sat.f32",      'f', "uuu",  1, 0             },
    {"cvt.#e.#e",            'h', "h",    2, 0             },
    {"cvt.#e.#e",            'h', "r",    1, 0             },
    {"cvt.#e.#e",            'h', "l",    1, 0             },
    {"cvt.#e.#e",            'r', "r",    1, 0             },
    {"cvt.#e.#e",            'r', "h",    1, 0             },
    {"cvt.#e.#e",            'l', "l",    1, 0             },
    {"cvt.#e.#i32",          'r', "r",    2, 0             },
    {"cvt.#e.#i32",          'l', "r",    1, 0             },
    {"cvt.#i32.#e",          'r', "r",    2, 0             },
    {"cvt.#i32.#e",          'r', "l",    1, 0             },
    {"cvt.#i64.#e",          'l', "r",    1, 0             },
    {"cvt.#i64.#e",          'l', "l",    1, 0             },
    {"cvt.#e.#i64",          'r', "l",    1, 0             },
    {"cvt.#e.#i64",          'l', "l",    1, 0             },
    {"cvt.#i32.#i32",        'r', "r",    1, 0             },
    {"cvt.#i64.#i64",        'l', "l",    1, 0             },
    {"cvt.#i32.#i32",        'l', "r",    1, 0             },
    {"cvt.#i32.#i64",        'l', "l",    1, 0             },
    {"cvt.#i32.#i32",        'r', "l",    1, 0             },
    {"cvt.sat.#e.#e",        'h', "h",    2, 0             },
    {"cvt.sat.#e.#e",        'r', "r",    1, 0             },
    {"cvt.sat.#e.#e",        'h', "l",    1, 0             },
    {"cvt.sat.#i32.#e",      'r', "h",    1, 0             },
    {"cvt.sat.#i64.#e",      'l', "h",    1, 0             },
    {"cvt.sat.#i64.#i32",    'l', "r",    1, 0             },
    {"cvt.sat.#i64.#i64",    'l', "l",    1, 0             },
    {"cvt.sat.#i32.#i32",    'r', "r",    1, 0             },
    {"cvt#n#z.sat.#i32.f32", 'r', "f",    1, 0             },
    {"cvt#n#z.sat.#e.f32",   'h', "f",    1, 0             },
    {"cvt#n#z.sat.#i64.f32", 'l', "f",    1, 0             },
    {"cvt#n#z.#e.f32",       'r', "f",    1, 0             },
    {"cvt#n#z.#e.f32",       'l', "f",    1, 0             },
    {"cvt#n#z.#i32.f32",     'l', "f",    1, 0             },
    {"cvt#n.sat.#i32.f64",   'r', "d",    1, FEATURE_DOUBLE},
    {"cvt#n.sat.#i64.f64",   'l', "d",    1, FEATURE_DOUBLE},
    {"cvt#n.sat.#e.f64",     'h', "d",    1, FEATURE_DOUBLE},
    {"cvt#r.sat.f32.#i64",   'f', "l",    1, 0             },
    {"cvt#r.sat.f32.#e",     'f', "h",    1, 0             },
    {"cvt#r.f32.#e",         'f', "r",    1, 0             },
    {"cvt#r.f32.#i32",       'f', "l",    1, 0             },
    {"cvt#R.f64.#e",         'd', "r",    1, FEATURE_DOUBLE},
    {"cvt#R.sat.f64.#i32",   'd', "r",    1, FEATURE_DOUBLE},
    {"cvt#R#z.sat.f32.f64",  'f', "d",    1, FEATURE_DOUBLE},
    {"cvt.sat.f64.f64",      'd', "d",    1, FEATURE_DOUBLE},
    {"cvt#n.sat.f64.f64",    'd', "d",    1, FEATURE_DOUBLE},
    {"cvt#z.sat.f64.f32",    'd', "f",    1, FEATURE_DOUBLE},
    {"cvt.f32.f32",          'F', "f",    1, 0             },
    {"cvt#z.sat.f32.f16",    'f', "h",    1, 0             },
};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

static const struct {
    char letter;
    unsigned count;
    const char *texts[18];
} ALTERNATIVES[] = {
    {'i', 2,  {"u", "s"}                                                                                  },
    {'b', 3,  {"u", "s", "b"}                                                                             },
    {'e', 4,  {"u8", "s8", "u16", "s16"}                                                                  },
    {'y', 2,  {"u8", "s8"}                                                                                },
    {'s', 2,  {"s8", "s16"}                                                                               },
    {'w', 2,  {"lo", "hi"}                                                                                },
    {'m', 2,  {"min", "max"}                                                                              },
    {'l', 3,  {"and", "or", "xor"}                                                                        },
    {'c', 6,  {"eq", "ne", "lt", "le", "gt", "ge"}                                                        },
    {'u', 4,  {"lo", "ls", "hi", "hs"}                                                                    },
    {'x', 14, {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}},
    {'o', 2,  {"eq", "ne"}                                                                                },
    {'d', 2,  {"l", "r"}                                                                                  },
    {'q', 6,  {".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"}                                           },
    {'r', 4,  {".rn", ".rz", ".rm", ".rp"}                                                                },
    {'n', 4,  {".rni", ".rzi", ".rmi", ".rpi"}                                                            },
    {'t', 6,  {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}                       },
};

static const char *alternative(struct draw *d, char letter) {
    /* Today's chip does not flush an operand that becomes an f16, although the PTX ISA requires it. */
    if (letter == 'g') return has_feature(d, FEATURE_SUBNORMALS) ? "" : ".ftz";
    if (letter == 'R') return has_feature(d, FEATURE_ROUNDING) ? alternative(d, 'r') : ".rn";
    if (letter == 'z') return has_feature(d, FEATURE_SUBNORMALS) && draw_chance(d, 50) ? "" : ".ftz";
    for (size_t i = 0; i < sizeof ALTERNATIVES / sizeof *ALTERNATIVES; i++)
        if (ALTERNATIVES[i].letter == letter) return ALTERNATIVES[i].texts[draw_below(d, ALTERNATIVES[i].count)];
    return "?";
}

static void expand_name(struct draw *d, const char *name, char out[64]) {
    size_t at = 0;
    for (; *name != '\0' && at < 50; name++)
        if (*name == '#')
            at += (size_t)snprintf(out + at, 64 - at, "%s", alternative(d, *++name));
        else
            out[at++] = *name;
    out[at] = '\0';
}

/* ------------------------------------------------------------------------------------------------------- sources */

static enum kind kind_of(char letter) {
    static const char LETTERS[] = "hrlfdp";
    static const char IMMEDIATES[] = "jiLueq";
    const char *at = strchr(LETTERS, letter);
    const char *or_immediate = strchr(IMMEDIATES, letter);
    if (or_immediate != NULL) return (enum kind)(or_immediate - IMMEDIATES);
    return at == NULL ? FLOAT32 : (enum kind)(at - LETTERS);
}

/* No NaN. */
static uint64_t float_literal(struct draw *d, bool wide) {
    static const uint32_t ROUND[] = {0x3f800000, 0x40000000, 0xbf800000, 0x00000000,
                                     0x80000000, 0x3f000000, 0x41200000};
    uint64_t bits = draw_chance(d, 40) ? ROUND[draw_below(d, 7)] : draw_word(d);
    if ((bits & 0x7fffffff) > 0x7f800000) bits &= 0xff800000;
    if (!wide) return bits;
    if ((bits & 0x7fffffff) == 0 || (bits & 0x7f800000) == 0x7f800000)
        return (bits & 0x7fffffff) == 0 ? bits << 32 : bits << 32 | 0x7ff0000000000000u;
    return (bits >> 31 << 63) | (((bits >> 3 & 0x0fffffff) + 0x38000000) << 32) |
           (draw_chance(d, 50) ? 0 : draw_word(d));
}

static void write_immediate(struct draw *d, enum kind kind, char out[40]) {
    const uint32_t word = draw_word(d);
    switch (kind) {
    case WORD16: snprintf(out, 40, "%u", word & 0xffff); break;
    case WORD32: snprintf(out, 40, draw_chance(d, 30) ? "%d" : "%u", word); break;
    case WORD64:
        if (draw_chance(d, 50))
            snprintf(out, 40, "%d", (int)word);
        else
            snprintf(out, 40, "0x%x%08x", draw_word(d), word);
        break;
    case FLOAT32: snprintf(out, 40, "0f%08X", (unsigned)float_literal(d, false)); break;
    default: snprintf(out, 40, "0d%016llX", (unsigned long long)float_literal(d, true)); break;
    }
}

static const char *any_special(struct draw *d) {
    static const char *const NAMES[] = {
        "%tid.x",   "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",      "%ntid.z",      "%ctaid.x",
        "%ctaid.y", "%ctaid.z",     "%nctaid.x",    "%nctaid.y",    "%nctaid.z",    "%laneid",      "%warpid",
        "%nwarpid", "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "WARP_SZ"};
    return NAMES[draw_below(d, sizeof NAMES / sizeof *NAMES)];
}

/* Neither 0 nor -1, in both signs of the type. */
static void write_divisor(struct draw *d, char letter, char out[40]) {
    static const unsigned SMALL[] = {1,  2,  3,  5,  6,   7,   9,   10,  11,  12,   15,
                                     16, 25, 60, 64, 100, 125, 128, 255, 641, 1000, 1024};
    const unsigned bits = letter == 'x' ? 15 : letter == 'y' ? 31 : 63;
    const uint64_t most = ((uint64_t)1 << bits) - 1;
    const uint64_t drawn = (((uint64_t)draw_word(d) << 32 | draw_word(d)) >> draw_below(d, bits)) & most;
    const uint64_t n = draw_chance(d, 70) ? SMALL[draw_below(d, sizeof SMALL / sizeof *SMALL)] : drawn;
    snprintf(out, 40, "%llu", (unsigned long long)(n == 0 ? most : n));
}

/* A divisor is not 0, and not -1: positive and odd, or negative and even. */
static unsigned divisor(struct draw *d, enum kind kind) {
    static const char *const TOP[] = {"32767", "2147483647", "9223372036854775807"};
    static const char *const SIGN[] = {"32768", "2147483648", "9223372036854775808"};
    static const char *const EVEN[] = {"65534", "4294967294", "18446744073709551614"};
    const unsigned bits = 16u << kind;
    const unsigned a = new_register(d, kind);
    const unsigned b = new_register(d, kind);
    const char *p = kind_prefix(kind);
    const bool positive = draw_chance(d, 60);
    emit(d, "or.b%u %s%u, %s%u, %s;", bits, p, a, p, pool_any(d, kind), positive ? "1" : SIGN[kind]);
    emit(d, "and.b%u %s%u, %s%u, %s;", bits, p, b, p, a, positive ? TOP[kind] : EVEN[kind]);
    return b;
}

/* A value unknown to the compiler, which computes special functions of constants differently from the chip. For sin and
 * cos |x| is below 2, where today's chips reduce it like the old ones. */
static unsigned hidden_float(struct draw *d, bool small) {
    const unsigned bits = new_register(d, WORD32);
    const unsigned zero = new_register(d, WORD32);
    const unsigned hidden = new_register(d, WORD32);
    const unsigned to = new_register(d, FLOAT32);
    emit(d, "mov.b32 %%r%u, %%f%u;", bits, pool_any(d, FLOAT32));
    emit(d, "mov.u32 %%r%u, %%ctaid.z;", zero);
    emit(d, "xor.b32 %%r%u, %%r%u, %%r%u;", hidden, bits, zero);
    if (small) emit(d, "and.b32 %%r%u, %%r%u, 3221225471;", hidden, hidden);
    emit(d, "mov.b32 %%f%u, %%r%u;", to, hidden);
    return to;
}

/* Below 64: for larger values today's chip deviates from the PTX ISA. */
static unsigned below_64(struct draw *d) {
    const unsigned to = new_register(d, WORD32);
    emit(d, "and.b32 %%r%u, %%r%u, 63;", to, pool_any(d, WORD32));
    return to;
}

/* A double that is a number, else 0. */
unsigned numeric_double(struct draw *d, unsigned reg) {
    const unsigned p = new_register(d, PREDICATE);
    const unsigned clean = new_register(d, FLOAT64);
    emit(d, "setp.num.f64 %%p%u, %%fd%u, %%fd%u;", p, reg, reg);
    emit(d, "selp.f64 %%fd%u, %%fd%u, 0d0000000000000000, %%p%u;", clean, reg, p);
    return clean;
}

static void write_source(struct draw *d, char letter, char out[40]) {
    const uint32_t word = draw_word(d);
    const bool number = draw_chance(d, 35);
    if (letter == 'q')
        snprintf(out, 40, "%s%%p%u", number ? "!" : "", pool_any(d, PREDICATE));
    else if (letter != '\0' && strchr("jiLue", letter) != NULL && number)
        write_immediate(d, kind_of(letter), out);
    else if (letter == 'S')
        snprintf(out, 40, "%s", any_special(d));
    else if (letter == 'x' || letter == 'y' || letter == 'z')
        write_divisor(d, letter, out);
    else if ((letter == 's' || letter == '8') && number)
        snprintf(out, 40, "%u", draw_chance(d, 80) ? word % 34 : word & 255);
    else if (letter == 'k' && draw_chance(d, 70))
        snprintf(out, 40, "%u", word & 0xffff);
    else if (strchr("s8k", letter) != NULL)
        snprintf(out, 40, "%%r%u", pool_any(d, WORD32));
    else if (letter == 'b' || letter == 'B' || letter == 'D')
        snprintf(out, 40, "%s%u",
                 kind_prefix(letter == 'b'   ? WORD16
                             : letter == 'B' ? WORD32
                                             : WORD64),
                 divisor(d, letter == 'b'   ? WORD16
                            : letter == 'B' ? WORD32
                                            : WORD64));
    else if (letter == 'w' || letter == 'v')
        snprintf(out, 40, "%%f%u", hidden_float(d, letter == 'w'));
    else if (letter == 'n')
        snprintf(out, 40, "%%fd%u", numeric_double(d, pool_any(d, FLOAT64)));
    else if (letter == '6')
        snprintf(out, 40, "%%r%u", below_64(d));
    else
        snprintf(out, 40, "%s%u", kind_prefix(kind_of(letter)), pool_any(d, kind_of(letter)));
}

unsigned canonical(struct draw *d, unsigned reg) {
    const unsigned clean = new_register(d, FLOAT32);
    emit(d, "mul.rn%s.f32 %%f%u, %%f%u, 0f3F800000;", has_feature(d, FEATURE_SUBNORMALS) ? "" : ".ftz", clean, reg);
    return clean;
}

static const struct form *any_form(struct draw *d) {
    unsigned total = 0;
    for (unsigned i = 0; i < FORM_COUNT; i++) total += FORMS[i].weight;
    for (;;) {
        unsigned at = draw_below(d, total);
        const struct form *f = FORMS;
        while (at >= f->weight) at -= f->weight, f++;
        const bool fits = f->feature != FEATURE_DOUBLE || d->heavy < MOST_HEAVY;
        if (fits && (f->feature == 0 || (d->features & f->feature) != 0)) return f;
    }
}

/* The number of bits after u or s, and whether the type can be negative. */
static bool read_integer(const char **at, bool *is_signed, unsigned *bits) {
    int length = 0;
    *is_signed = **at == 's';
    if ((**at != 'u' && **at != 's') || sscanf(*at + 1, "%u%n", bits, &length) != 1) return false;
    *at += 1 + length + ((*at)[1 + length] == '.');
    return true;
}

/* ptxas refuses .sat between integers if the result covers all values of the source: then it is dropped. */
static void drop_idle_saturation(char *name) {
    static const char SATURATED[] = "cvt.sat.";
    bool to_signed, from_signed;
    unsigned to, from;
    if (strncmp(name, SATURATED, strlen(SATURATED)) != 0) return;
    const char *at = name + strlen(SATURATED);
    if (!read_integer(&at, &to_signed, &to) || !read_integer(&at, &from_signed, &from)) return;
    const bool has_all = to_signed == from_signed ? to >= from : to_signed && to > from;
    if (has_all) memmove(name + 3, name + 7, strlen(name + 7) + 1);
}

/* Sometimes guarded, over a register that has a value; and a setp with two results. */
static void write_form(struct draw *d, const struct form *f, enum kind kind, unsigned to, const char *guard) {
    char name[64] = "";
    char sources[4][40];
    char text[240];
    expand_name(d, f->name, name);
    drop_idle_saturation(name);
    if (f->feature == FEATURE_DOUBLE || strpbrk(f->sources, "Dz") != NULL) d->heavy++;
    if (f->feature == FEATURE_FUNNEL) d->uses_funnel = true;
    for (size_t k = 0; k < strlen(f->sources); k++) write_source(d, f->sources[k], sources[k]);
    size_t at = (size_t)snprintf(text, sizeof text, "%s%s %s%u", guard, name, kind_prefix(kind), to);
    if (strncmp(name, "setp", 4) == 0 && *guard == '\0' && draw_chance(d, 20)) {
        const unsigned other = new_register(d, PREDICATE);
        at += (size_t)snprintf(text + at, sizeof text - at, "|%%p%u", other);
        pool_put(d, PREDICATE, other);
    }
    for (size_t k = 0; k < strlen(f->sources); k++)
        at += (size_t)snprintf(text + at, sizeof text - at, ", %s", sources[k]);
    emit(d, "%s;", text);
}

/* The driver of today's chip loses the guards of testp and of set with a result other than u32. If set compares 16 bits,
 * it extends the register that the guard keeps from its lower 16 bits. A form with F needs a second instruction. */
static bool may_be_guarded(const struct form *f) {
    const bool is_set = strncmp(f->name, "set.", 4) == 0, is_test = strncmp(f->name, "testp", 5) == 0;
    const bool of_16_bits = strcmp(f->name + strlen(f->name) - 2, "16") == 0;
    return f->result != 'F' && !is_test && (!is_set || (strstr(f->name, ".u32.") != NULL && !of_16_bits));
}

static void draw_plain(struct draw *d) {
    const struct form *f = any_form(d);
    const enum kind kind = kind_of(f->result);
    char guard[24] = "";
    unsigned to;
    if (draw_chance(d, 12) && d->pools[kind].count > 0 && may_be_guarded(f)) {
        snprintf(guard, sizeof guard, "@%s%%p%u ", draw_chance(d, 50) ? "!" : "", draw_condition(d));
        to = d->pools[kind].registers[draw_below(d, d->pools[kind].count)];
        write_form(d, f, kind, to, guard);
        return;
    }
    to = new_register(d, kind);
    write_form(d, f, kind, to, guard);
    pool_put(d, kind, f->result == 'F' ? canonical(d, to) : to);
}

/* ----------------------------------------------------------------------------------------------- several together */

static void draw_carry_chain(struct draw *d) {
    const bool subtract = draw_chance(d, 40);
    const char *type = draw_chance(d, 50) ? "u32" : "s32";
    const unsigned words = 2 + draw_below(d, 3);
    unsigned sources[8] = {0};
    for (unsigned k = 0; k < 2 * words; k++) sources[k] = pool_any(d, WORD32);
    for (unsigned k = 0; k < words; k++) {
        const char *name = k == 0 ? (subtract ? "sub" : "add") : subtract ? "subc" : "addc";
        const unsigned to = new_register(d, WORD32);
        emit(d, "%s%s.%s %%r%u, %%r%u, %%r%u;", name, k + 1 < words ? ".cc" : "", type, to, sources[2 * k],
             sources[2 * k + 1]);
        pool_put(d, WORD32, to);
    }
}

/* A product of 64 bits from its parts. */
static void draw_product_chain(struct draw *d) {
    unsigned s[4] = {0};
    for (unsigned k = 0; k < 4; k++) s[k] = pool_any(d, WORD32);
    const unsigned low = new_register(d, WORD32);
    const unsigned high = new_register(d, WORD32);
    const char *type = draw_chance(d, 50) ? "u32" : "s32";
    emit(d, "mad.%s.cc.%s %%r%u, %%r%u, %%r%u, %%r%u;", alternative(d, 'w'), type, low, s[0], s[1], s[2]);
    if (draw_chance(d, 40)) {
        const unsigned middle = new_register(d, WORD32);
        emit(d, "madc.%s.cc.%s %%r%u, %%r%u, %%r%u, %%r%u;", alternative(d, 'w'), type, middle, s[1], s[2], s[3]);
        pool_put(d, WORD32, middle);
    }
    emit(d, "madc.%s.%s %%r%u, %%r%u, %%r%u, %%r%u;", alternative(d, 'w'), type, high, s[0], s[1], s[3]);
    pool_put(d, WORD32, low);
    pool_put(d, WORD32, high);
}

static void draw_packing(struct draw *d) {
    const unsigned a = new_register(d, WORD32);
    const unsigned b = new_register(d, WORD32);
    const unsigned l = new_register(d, WORD64);
    const unsigned h = new_register(d, WORD16);
    switch (draw_below(d, 8)) {
    case 4: {
        const unsigned low = pool_any(d, WORD16);
        const unsigned high = pool_any(d, WORD16);
        emit(d, "mov.b64 %%rd%u, {%%rs%u, %%rs%u, %%rs%u, %%rs%u};", l, low, high, pool_any(d, WORD16), low);
        pool_put(d, WORD64, l);
        break;
    }
    case 5: {
        const unsigned other = new_register(d, WORD16);
        emit(d, "mov.b64 {%%rs%u, %%rs%u, %%rs%u, %%rs%u}, %%rd%u;", h, other, new_register(d, WORD16),
             new_register(d, WORD16), pool_any(d, WORD64));
        pool_put(d, WORD16, h);
        pool_put(d, WORD16, other);
        break;
    }
    case 6: {
        if (!has_feature(d, FEATURE_DOUBLE)) break;
        const unsigned f = new_register(d, FLOAT64);
        emit(d, "mov.b64 %%fd%u, %%rd%u;", f, pool_any(d, WORD64));
        pool_put(d, FLOAT64, f);
        break;
    }
    case 0:
        emit(d, "mov.b64 {%%r%u, %%r%u}, %%rd%u;", a, b, pool_any(d, WORD64));
        pool_put(d, WORD32, a);
        pool_put(d, WORD32, b);
        break;
    case 1: {
        const unsigned low = pool_any(d, WORD32);
        emit(d, "mov.b64 %%rd%u, {%%r%u, %%r%u};", l, low, pool_any(d, WORD32));
        pool_put(d, WORD64, l);
        break;
    }
    case 2: {
        const unsigned low = pool_any(d, WORD16);
        emit(d, "mov.b32 %%r%u, {%%rs%u, %%rs%u};", a, low, pool_any(d, WORD16));
        pool_put(d, WORD32, a);
        break;
    }
    case 3: {
        const unsigned other = new_register(d, WORD16);
        emit(d, "mov.b32 {%%rs%u, %%rs%u}, %%r%u;", h, other, pool_any(d, WORD32));
        pool_put(d, WORD16, h);
        pool_put(d, WORD16, other);
        break;
    }
    default: {
        const unsigned f = new_register(d, FLOAT32);
        emit(d, "mov.b32 %%f%u, %%r%u;", f, pool_any(d, WORD32));
        pool_put(d, FLOAT32, canonical(d, f));
        break;
    }
    }
}

void draw_computation(struct draw *d) {
    const unsigned which = draw_below(d, 100);
    if (which < 4)
        draw_carry_chain(d);
    else if (which < 6)
        draw_product_chain(d);
    else if (which < 12)
        draw_packing(d);
    else
        draw_plain(d);
}

/* ----------------------------------------------------------------------------------------------- for other files */

void draw_copy(struct draw *d, enum kind kind, unsigned to) {
    static const char *const MOVES[] = {"mov.u16", "mov.u32", "mov.u64", "mov.f32", "mov.f64", "mov.pred"};
    const unsigned from = pool_any(d, kind);
    emit(d, "%s %s%u, %s%u;", MOVES[kind], kind_prefix(kind), to, kind_prefix(kind), from);
}

unsigned draw_condition(struct draw *d) {
    if (d->pools[PREDICATE].count > 0 && draw_chance(d, 30)) return pool_any(d, PREDICATE);
    const unsigned p = new_register(d, PREDICATE);
    const unsigned a = pool_any(d, WORD32);
    if (draw_chance(d, 35)) {
        const unsigned bits = new_register(d, WORD32);
        emit(d, "and.b32 %%r%u, %%r%u, %u;", bits, a, 1 + draw_below(d, 7));
        emit(d, "setp.%s.s32 %%p%u, %%r%u, %u;", alternative(d, 'c'), p, bits, draw_below(d, 4));
    } else {
        emit(d, "setp.%s.%s32 %%p%u, %%r%u, %%r%u;", alternative(d, 'c'), alternative(d, 'i'), p, a,
             pool_any(d, WORD32));
    }
    return p;
}

static unsigned double_bits(struct draw *d, unsigned reg) {
    const unsigned bits = new_register(d, WORD64);
    emit(d, "mov.b64 %%rd%u, %%fd%u;", bits, numeric_double(d, reg));
    return bits;
}

unsigned as_word(struct draw *d, enum kind kind, unsigned reg) {
    const unsigned w = new_register(d, WORD32);
    const unsigned high = new_register(d, WORD32);
    switch (kind) {
    case WORD16: emit(d, "cvt.u32.u16 %%r%u, %%rs%u;", w, reg); break;
    case WORD32: return reg;
    case FLOAT64: reg = double_bits(d, reg); /* fall through */
    case WORD64: {
        const unsigned low = new_register(d, WORD32);
        emit(d, "mov.b64 {%%r%u, %%r%u}, %%rd%u;", low, high, reg);
        emit(d, "xor.b32 %%r%u, %%r%u, %%r%u;", w, low, high);
        break;
    }
    case FLOAT32: emit(d, "mov.b32 %%r%u, %%f%u;", w, reg); break;
    default: emit(d, "selp.u32 %%r%u, 1, 0, %%p%u;", w, reg); break;
    }
    return w;
}
