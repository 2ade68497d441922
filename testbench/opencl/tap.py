# SPDX-License-Identifier: Apache-2.0
"""A plug-in of pytest that prints TAP and leaves out tests that a list names.

    pytest -p tap --without LIST ...

LIST has a line for each: the test, as FILE::NAME with * for any text, a tab, and why it cannot pass. A test that is not
left out and fails, and a line that no test fits, fail.
"""
import fnmatch

import pytest

OUT, NUMBER, EXCLUDED, FAILED = None, 0, [], False


def pytest_addoption(parser):
    parser.addoption("--without", help="the list of tests that are left out")


def say(right, name, skipped=""):
    global NUMBER, FAILED
    NUMBER += 1
    FAILED = FAILED or not right
    # pytest captures the output; TAP goes to the original stream.
    line = f"{'' if right else 'not '}ok {NUMBER} - {name}{' # SKIP ' + skipped if skipped else ''}"
    OUT.write_line(line)


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    global OUT
    OUT = config.pluginmanager.getplugin("terminalreporter")
    with open(config.getoption("--without"), encoding="ascii") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                pattern, reason = line.rstrip("\n").split("\t")
                EXCLUDED.append([pattern, reason, 0])


def short(item_id):
    """FILE::NAME with its parameters, but for the device."""
    head, _, parameters = item_id.partition("[")
    kept = [p for p in parameters.rstrip("]").split(">-") if p and "factory" not in p and "pyopencl." not in p]
    return head.split("/")[-1] + (f"[{'-'.join(kept)}]" if kept else "")


def pytest_collection_modifyitems(items):
    for item in items:
        for entry in EXCLUDED:
            if fnmatch.fnmatchcase(short(item.nodeid), entry[0]):
                entry[2] += 1
                item.add_marker(pytest.mark.skip(reason=entry[1]))
                break


def pytest_runtest_logreport(report):
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else "expected to fail"
        say(True, short(report.nodeid), reason.replace("Skipped: ", "").replace("\n", " "))
    elif report.failed or report.when == "call":
        say(report.passed, short(report.nodeid))
        if report.failed:
            for line in str(report.longrepr).splitlines()[-30:]:
                OUT.write_line("# " + line)


def pytest_report_teststatus():
    return "", "", ""


def pytest_terminal_summary():
    for pattern, _, fits in EXCLUDED:
        if not fits:
            say(False, f"no test fits {pattern}")
    OUT.write_line(f"1..{NUMBER}")


def pytest_sessionfinish(session):
    if FAILED:
        session.exitstatus = 1
