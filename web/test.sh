#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The page of the playground in a headless Chromium, if both are available. Prints TAP.
set -u
cd "$(dirname "$0")/.." || exit 2
page=build/web/index.html
[ -f "$page" ] || { printf '1..1\nok 1 - the page # SKIP it is not built: there is no emscripten\n'; exit; }
command -v chromium > /dev/null || { printf '1..1\nok 1 - the page # SKIP there is no chromium\n'; exit; }
PYTHONDONTWRITEBYTECODE=1 python3 web/test_page.py "$page"
