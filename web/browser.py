# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium with one page, told what to do through a pipe, in the DevTools protocol.

    with Browser(path_of_page) as browser:
        browser.press("F10")
        text = browser.evaluate("document.title")
"""
import json
import os
import shutil
import subprocess
import tempfile

POLLS, POLL_MS = 1200, 50
KEY_CODES = {"F8": 119, "F10": 121, "Escape": 27, "Enter": 13}
MODIFIERS = {"Ctrl": 2, "Shift": 8}


class Browser:
    def __init__(self, page):
        self.home = tempfile.mkdtemp()
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()
        self.answers = b""
        self.number = 0
        # It reads from descriptor 3 and writes to 4.
        command = ('exec 3<&"$1" 4>&"$2"; shift 2; exec chromium --headless --no-sandbox --disable-gpu --no-first-run '
                   '--disable-dev-shm-usage --window-size=1400,1000 --remote-debugging-pipe --user-data-dir="$1" '
                   'about:blank')
        self.process = subprocess.Popen(["bash", "-c", command, "bash", str(to_read), str(to_write), self.home],
                                        pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Page.navigate", url="file://" + os.path.abspath(page))
        while self.next_message().get("method") != "Page.loadEventFired":
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write)
        self.process.terminate()
        self.process.wait()
        os.close(self.read)
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, **parameters):
        """A method of the protocol, and what it returns."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next_message(self):
        while b"\0" not in self.answers:
            more = os.read(self.read, 1 << 16)
            if not more:
                raise RuntimeError("chromium has gone")
            self.answers += more
        message, self.answers = self.answers.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, expression):
        """The value of an expression, or of the promise that it is."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, condition):
        """Until the condition holds; gives up after a minute's worth of looks."""
        held = self.evaluate(f"new Promise(done => {{ let left = {POLLS}; (function look() {{"
                             f" let holds = false; try {{ holds = {condition}; }} catch (e) {{ }}"
                             f" if (holds || left-- === 0) done(!!holds); else setTimeout(look, {POLL_MS}); }})(); }})")
        if not held:
            raise RuntimeError(f"does not become true: {condition}")

    def press(self, chord):
        """A key, perhaps behind Ctrl+ or Shift+: "F10", "Ctrl+Enter", "s"."""
        *modifiers, key = chord.split("+")
        code = KEY_CODES.get(key, ord(key[0].upper()))
        text = {"text": "\r" if key == "Enter" else key} if key in ("Enter", key[0]) and not modifiers else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code,
                      modifiers=sum(MODIFIERS[one] for one in modifiers), **(text if kind == "keyDown" else {}))

    def type(self, text):
        """Into what has the focus."""
        self.call("Input.insertText", text=text)

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")
