# SPDX-License-Identifier: Apache-2.0
"""The page in a headless Chromium, used as a person would, against what the tools say of the same kernels. Prints TAP.

    python3 web/test_page.py build/web/index.html
"""
import re
import subprocess
import sys
import tempfile

from browser import Browser

COLLATZ, DIVERGENCE, VECADD = "kernels/apps/collatz.sass", "web/kernels/divergence.sass", "kernels/apps/vecadd.sass"
STEPS = 25
REGISTERS = [f"R{i}" for i in range(6)]
IDLE = "program !== null && !running"
ROW = "[...document.querySelectorAll('#registers tr')].find(row => row.cells[0].textContent === '%s')"


def tool(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"expected {expected!r}, found {found!r}")


def choose(browser, name):
    browser.evaluate(f"choose([...kernels.keys()].find(one => one.endsWith('/{name}.sass')))")


def press(browser, chord):
    browser.press(chord)
    browser.wait(IDLE)


def command(browser, line):
    browser.evaluate("document.getElementById('command').focus()")
    browser.type(line)
    press(browser, "Enter")


def cells(browser, name, what="textContent"):
    return browser.evaluate(f"[...({ROW % name}).cells].slice(1).map(cell => cell.{what})")


def registers_of_warp_run(kernel, steps):
    """{"R1": the 32 words that warp-run prints, ...}"""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as script:
        script.write(f"step {steps}\nprint {' '.join(REGISTERS)}\nquit\n")
        script.flush()
        said = tool("build/bin/warp-run", kernel, "--debug-script", script.name).stdout
    words = {}
    for name, values in re.findall(r"^(R\d+) lane .\d:((?: [0-9a-f]{8}){8})$", said, re.M):
        words.setdefault(name, []).extend(values.split())
    return words


def test_lists_kernels(browser):
    names = browser.evaluate("[...document.getElementById('kernels').options].map(one => one.value)")
    for name in ("divergence", "vecadd", "collatz", "sha256"):
        if name not in names:
            raise AssertionError(f"{name} is not in {names}")
    browser.evaluate("location.hash = 'sha256'")
    browser.wait(f"path === 'kernels/apps/sha256.sass' && {IDLE}")


def test_steps_as_warp_run(browser):
    choose(browser, "collatz")
    for _ in range(STEPS):
        press(browser, "F10")
    equal(browser.evaluate("document.getElementById('count').textContent"), f"{STEPS} warp instructions")
    expected = registers_of_warp_run(COLLATZ, STEPS)
    equal(sorted(expected), REGISTERS[:len(expected)])
    for name, words in expected.items():
        equal(cells(browser, name), words)


def test_runs_to_the_verdict(browser):
    for name, path in (("collatz", COLLATZ), ("divergence", DIVERGENCE)):
        choose(browser, name)
        press(browser, "F8")
        equal(browser.evaluate("document.getElementById('verdict').textContent"), "pass")
        summary = tool("build/bin/warp-run", path).stdout.strip()
        equal(browser.evaluate("document.getElementById('log').lastChild.textContent"), summary)
        verdicts = browser.evaluate("[...document.querySelectorAll('#expect li')].map(one => one.className)")
        equal(set(verdicts), {"pass"})


def test_shows_a_wrong_result(browser):
    choose(browser, "vecadd")
    browser.evaluate("(() => { const source = document.getElementById('source'); source.value ="
                     " source.value.replace('0x000c6063', '0x000c6064'); load(); })()")
    press(browser, "F8")
    equal(browser.evaluate("document.getElementById('verdict').textContent"), "failed")
    equal(browser.evaluate("document.querySelector('#expect .failed').textContent"),
          "0x300, 32 bytes: failed: 1 bytes are wrong")


def test_marks_changes_and_idle_lanes(browser):
    choose(browser, "vecadd")
    browser.evaluate("document.activeElement.blur()")
    for _ in range(2):
        press(browser, "n")  # R2 = threadIdx.x, in 16 lanes
    changed = cells(browser, "R2", "classList.contains('changed')")
    equal(changed, [False] + [True] * 15 + [False] * 16)
    equal(cells(browser, "R2", "classList.contains('off')"), [False] * 16 + [True] * 16)


def test_breaks_and_shows_the_stack(browser):
    choose(browser, "divergence")
    source = open(DIVERGENCE, encoding="utf-8").read().split("\n")
    line = next(i for i, text in enumerate(source) if text.startswith("odd:")) + 1
    browser.click(f"#gutter div:nth-child({line})")
    equal(browser.evaluate("[...breaks]"), [line])
    press(browser, "F8")
    equal(browser.evaluate("currentCode().line"), line)
    tokens = browser.evaluate("[...document.querySelectorAll('#stack tr')].map(row => row.cells[0].textContent)")
    equal(tokens, ["DIVERGE", "SYNC", "SYNC"])
    active = browser.evaluate("[...document.querySelectorAll('#masks span')].map(one => one.className === '')")
    equal(active, [lane < 16 and lane % 2 == 1 for lane in range(32)])
    browser.click(f"#gutter div:nth-child({line})")
    equal(browser.evaluate("[...breaks]"), [])


def test_prompt(browser):
    choose(browser, "vecadd")
    command(browser, "x global[0x100] 2")
    equal(browser.evaluate("document.getElementById('log').lastChild.textContent"), "0x000100: 00042021 04080601")
    equal(browser.evaluate("document.getElementById('dump').textContent").split("\n")[16][:24],
          "000100:  21 20 04 00  01")


def test_shows_changes_in_memory(browser):
    choose(browser, "vecadd")
    press(browser, "F8")
    changed = browser.evaluate("document.querySelectorAll('#dump .changed').length")
    if changed < 100:
        raise AssertionError(f"{changed} bytes have changed")


def test_shows_errors_as_warp_as(browser):
    choose(browser, "vecadd")
    browser.evaluate("document.getElementById('source').focus(); document.getElementById('source')"
                     ".setSelectionRange(0, 0)")
    browser.type("    IMUL.S23.S24 R4, R2, R3\n")
    browser.wait("program === null")
    text = browser.evaluate("document.getElementById('source').value")
    with tempfile.NamedTemporaryFile("w", suffix=".sass") as file:
        file.write(text)
        file.flush()
        said = tool("build/bin/warp-as", file.name, "-o", file.name + ".elf").stderr
        expected = said.replace(file.name, VECADD).rstrip("\n").split("\n")
    found = browser.evaluate("[...document.querySelectorAll('#log > div')].map(row => row.textContent)")
    equal(found, expected)
    lines = browser.evaluate("[...document.querySelectorAll('#gutter .error')].map(one => one.textContent)")
    equal(lines, re.findall(r":(\d+):\d+: error:", said))


def test_draws_the_run(browser):
    choose(browser, "reduce")
    press(browser, "F8")
    browser.click("#draw")
    if browser.evaluate("document.querySelectorAll('#picture svg rect').length") < 10:
        raise AssertionError("no picture")


def test_shows_pages(browser):
    browser.click("#help")
    browser.evaluate("(() => { const page = document.getElementById('page'); page.value = 'docs/debug.md';"
                     " page.onchange(); })()")
    text = browser.evaluate("document.getElementById('text').textContent")
    equal(text, open("docs/debug.md", encoding="utf-8").read())
    browser.click("#pages button")


def test_stops_a_run(browser):
    choose(browser, "vecadd")
    browser.evaluate("(() => { document.getElementById('source').value = '.kernel k\\n MVI R1, 0x0\\n"
                     "again: IADD32I R1, R1, 0x1\\n BRA again\\n RET\\n'; load(); go('continue'); })()")
    browser.wait("state.instructions > 1000")
    browser.press("Escape")
    browser.wait("!running")
    equal(browser.evaluate("state.ended"), "")


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    failed = False
    print(f"1..{len(tests)}")
    with Browser(sys.argv[1]) as browser:
        browser.wait(IDLE)
        for number, (name, test) in enumerate(tests, 1):
            try:
                test(browser)
                print(f"ok {number} - {name}", flush=True)
            except (AssertionError, RuntimeError, TypeError) as error:
                failed = True
                print(f"not ok {number} - {name}\n# " + str(error).replace("\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
