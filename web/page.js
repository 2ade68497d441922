// SPDX-License-Identifier: Apache-2.0
// The page: shows the answers of playground.h. It does not interpret instructions.
'use strict';

const LANES = 32, LINE_HEIGHT = 18, SLICE = 20000, MEMORY_BYTES = 1024, MEMORY_ROW = 16, QUIET_MS = 400;
const FOLDERS = ['web/kernels', 'kernels/apps'], PAGES = 'docs';
const KEYS = `Keys
  Ctrl+Enter   restart: from the first instruction      R, where nothing is typed
  F10          step: whichever warp is next             S
  Shift+F10    step this warp                           N
  F8           run to the next break, watch, or the end C
  Esc          stop a run that goes on
  ?            this page

The source is assembled when it has not been changed for a moment. A click on a line's number sets a break. The prompt
below takes the commands of docs/debug.md: break loop if R1.0 == 2, watch shared[0x20], print R5, warps, help.
Marked are the values that have changed since the run stopped last; grey are lanes that are not active.`;

const at = id => document.getElementById(id);
const hex = (number, digits) => (number >>> 0).toString(16).padStart(digits, '0');
const isActive = (mask, lane) => (mask >>> lane & 1) === 1;

function element(tag, text, classes) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

// --------------------------------------------------------------------------------------------------- the playground

let files;               // of the module: kernels and pages
const call = {};         // load, command, run, memory, picture
const kernels = new Map(); // texts, by their path
let path = '';           // of the kernel
let program = null;      // the answer of load; null: the text has errors
let state = null;        // the last answer of command or run
let running = false, stopping = false;
const breaks = new Set();      // lines
const before = new Map();      // value of a register or memory at the last stop, by name
let seen = new Map();          // present values

function open(module) {
  const types = {load: ['string', 'string'], command: ['string'], run: ['number'],
    memory: ['string', 'number', 'number', 'number'], picture: []};
  const playground = module.cwrap('playground_create', 'number', [])();
  for (const [name, parameters] of Object.entries(types)) {
    const function_ = module.cwrap(`playground_${name}`, 'string', ['number', ...parameters]);
    call[name] = (...values) => {
      const answer = JSON.parse(function_(playground, ...values));
      if (answer === null) say('out of memory: restart', 'error');
      return answer;
    };
  }
  files = module.FS;
}

const read = name => files.readFile(name, {encoding: 'utf8'});
const list = folder => files.readdir(folder).filter(name => name[0] !== '.' && name.includes('.')).sort();

// Assembles the editor's text, and stops before its first instruction.
function load() {
  clearTimeout(edited);
  const text = at('source').value;
  files.writeFile(path, text); // the debugger reads labels from the file
  const answer = call.load(path, text);
  at('log').textContent = '';
  before.clear();
  seen.clear();
  state = null;
  program = answer && answer.ok ? answer : null;
  if (answer && answer.messages) say(answer.messages, answer.ok ? '' : 'error');
  showErrors(answer ? answer.messages : '');
  if (program !== null) {
    listMemories();
    listCode();
    for (const line of breaks) call.command(`break :${line}`);
    state = call.command('');
  }
  show();
}

// A command and the run that it resumes, in slices, so that the page stays responsive.
async function go(line) {
  if (program === null || running) return;
  say(`(warp) ${line}`, 'typed');
  running = true;
  stopping = false;
  at('stop').disabled = false;
  state = call.command(line);
  say(state.said);
  for (let slice = 1; state.goes_on && !stopping; slice = Math.min(slice * 2, SLICE)) {
    state = call.run(slice);
    say(state.said);
    at('count').textContent = count();
    await new Promise(resolve => setTimeout(resolve));
  }
  if (state.goes_on) say('stopped');
  running = false;
  at('stop').disabled = true;
  readBreaks();
  show();
}

const inSource = code => code.file === path;

// Breakpoints that the prompt sets or removes appear in the editor, too.
function readBreaks() {
  breaks.clear();
  for (const stop of call.command('stops').said.matchAll(/break at pc 0x([0-9a-f]+)$/gm)) {
    const code = program.code.find(one => one.pc === parseInt(stop[1], 16));
    if (code && inSource(code)) breaks.add(code.line);
  }
}

function toggleBreak(line) {
  if (program === null || running) return;
  const code = program.code.find(one => inSource(one) && one.line === line);
  if (!code) return;
  const stop = call.command('stops').said.match(new RegExp(`^ *(\\d+) break at pc 0x${code.pc.toString(16)}\\b`, 'm'));
  call.command(stop ? `delete ${stop[1]}` : `break :${line}`);
  readBreaks();
  showLines();
}

// --------------------------------------------------------------------------------------------------- messages

// Places in the source become links.
function say(text, kind) {
  if (!text) return;
  const log = at('log');
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const row = log.appendChild(element('div', undefined, kind));
    const place = line.match(/^(.*?):(\d+)(?::(\d+))?: (error|warning)/) || line.match(/\(([^()]*):(\d+)\)$/);
    if (!place || place[1] !== path) {
      row.textContent = line || '\u00a0';
      continue;
    }
    const link = row.appendChild(element('a', line, place[4]));
    link.onclick = () => showPlace(Number(place[2]), Number(place[3] || 1));
  }
  log.scrollTop = log.scrollHeight;
}

let errors = new Set(); // lines
function showErrors(messages) {
  errors = new Set();
  for (const message of messages.matchAll(/^(.*?):(\d+):\d+: error/gm))
    if (message[1] === path) errors.add(Number(message[2]));
}

function showPlace(line, column) {
  const source = at('source');
  const start = source.value.split('\n').slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  source.focus();
  source.setSelectionRange(start + column - 1, start + column - 1);
  scrollTo(line);
}

// --------------------------------------------------------------------------------------------------- the editor

let edited; // a timer
function scrollTo(line) {
  const source = at('source'), top = (line - 1) * LINE_HEIGHT;
  if (top < source.scrollTop || top > source.scrollTop + source.clientHeight - 3 * LINE_HEIGHT)
    source.scrollTop = Math.max(0, top - source.clientHeight / 2);
}

function currentCode() {
  const pc = state && state.warp ? state.warp.pc : -1;
  return program ? program.code.find(one => one.pc === pc) : undefined;
}

function showLines() {
  const gutter = at('gutter'), lines = at('source').value.split('\n').length;
  while (gutter.children.length > lines) gutter.lastChild.remove();
  while (gutter.children.length < lines) gutter.append(element('div', gutter.children.length + 1));
  for (let i = 0; i < lines; i++) {
    gutter.children[i].classList.toggle('error', errors.has(i + 1));
    gutter.children[i].classList.toggle('break', breaks.has(i + 1));
  }
  showMark();
}

function showMark() {
  const source = at('source'), code = currentCode();
  at('gutter').scrollTop = source.scrollTop;
  at('mark').hidden = !code || !inSource(code);
  if (code) at('mark').style.top = `${8 + (code.line - 1) * LINE_HEIGHT - source.scrollTop}px`;
}

function choose(name) {
  path = name;
  breaks.clear();
  at('source').value = kernels.get(name);
  at('source').scrollTop = 0;
  load();
}

// --------------------------------------------------------------------------------------------------- the warp

const count = () => state ? `${state.instructions.toLocaleString('en')} warp instructions` : '';

// True if the value differs from the last stop; false the first time.
function hasChanged(name, value) {
  seen.set(name, value);
  return before.has(name) && before.get(name) !== value;
}

function showVerdict() {
  const ended = state ? state.ended : '';
  at('verdict').textContent = program === null ? 'does not assemble' : ended;
  at('verdict').className = program === null ? 'error' : ended;
  at('count').textContent = count();
  at('verdicts').hidden = !state || state.expect.length === 0;
  at('expect').replaceChildren(...(state ? state.expect : []).map(one => {
    const verdict = one.wrong === 0 ? 'passed' : `failed: ${one.wrong} bytes are wrong`;
    const item = element('li', `0x${one.addr.toString(16)}, ${one.bytes} bytes: ${verdict}`,
      one.wrong === 0 ? 'pass' : 'failed');
    item.onclick = () => showGlobal(one.addr);
    return item;
  }));
}

function showWarps() {
  const warps = state ? state.warps : [];
  at('warps').replaceChildren(...warps.map(warp => {
    const item = element('option', `block ${warp.block} warp ${warp.warp} (slot ${warp.slot}): ${warp.state}`);
    item.value = `${warp.sm} ${warp.slot}`;
    item.selected = state.warp !== null && warp.sm === state.warp.sm && warp.slot === state.warp.slot;
    return item;
  }));
  if (state && !state.warp) at('warps').prepend(new Option('none is there', '', true, true));
  const code = currentCode(), warp = state && state.warp;
  at('place').textContent = code ? `pc 0x${code.pc.toString(16)}: ${code.text}` : warp ? `pc 0x${hex(warp.pc)}` : '';
  at('masks').replaceChildren(...(warp ? Array.from({length: LANES}, (_, lane) =>
    element('span', lane, isActive(warp.active, lane) ? '' : isActive(warp.alive, lane) ? 'off' : 'dead')) : []));
}

const FLAGS = 'OCSZ';
const view = new DataView(new ArrayBuffer(4));
const FORMATS = {
  hex: word => hex(word, 8), signed: word => word | 0, unsigned: word => word,
  float: word => { view.setUint32(0, word); return Number(view.getFloat32(0).toPrecision(6)); },
};

function registerText(name, word) {
  if (name[0] === 'C') return [...FLAGS].filter((_, i) => word & 8 >> i).join('') || '-';
  return name[0] === 'A' ? hex(word, 4) : FORMATS[at('format').value](word);
}

function showRegisters() {
  const warp = state && state.warp;
  if (!warp) { // values of a finished warp stay, in grey
    for (const cell of at('registers').querySelectorAll('td')) cell.className = 'off';
    return;
  }
  const {block, warp: number} = state.warps.find(one => one.sm === warp.sm && one.slot === warp.slot);
  const rows = [element('tr')];
  rows[0].append(element('th'), ...Array.from({length: LANES}, (_, lane) => element('th', lane)));
  for (const [name, words] of Object.entries(warp.registers)) {
    const row = element('tr');
    row.append(element('th', name));
    words.forEach((word, lane) => {
      const changed = hasChanged(`${block} ${number} ${name} ${lane}`, word);
      const cell = row.appendChild(element('td', registerText(name, word)));
      cell.classList.toggle('off', !isActive(warp.active, lane));
      cell.classList.toggle('changed', changed);
    });
    rows.push(row);
  }
  at('registers').replaceChildren(...rows);
}

function showStack() {
  const stack = state && state.warp ? state.warp.stack : [];
  at('stack').replaceChildren(...stack.map(entry => {
    const row = element('tr'), code = program.code.find(one => one.pc === entry.pc);
    row.append(element('td', entry.token), element('td', hex(entry.mask, 8)), element('td', `pc 0x${hex(entry.pc)}`),
      element('td', code ? `line ${code.line}` : '', 'off'));
    return row;
  }).reverse());
  if (stack.length === 0) at('stack').append(element('tr', 'empty', 'off'));
}

// --------------------------------------------------------------------------------------------------- memory, code

function listMemories() {
  const chosen = at('memory').value;
  at('memory').replaceChildren(...program.memories.map(one => {
    const name = one.bank === undefined ? one.name : `${one.name} ${one.bank}`;
    return new Option(`${name} (${one.bytes} bytes)`, name, false, name === chosen);
  }));
}

function showGlobal(addr) {
  at('memory').value = 'global';
  at('from').value = `0x${addr.toString(16)}`;
  showMemory();
}

function showMemory() {
  const [name, bank] = at('memory').value.split(' '), dump = at('dump');
  at('lanes').hidden = name !== 'local';
  dump.replaceChildren();
  if (program === null) return;
  const from = Math.max(0, Number(at('from').value) || 0) & ~(MEMORY_ROW - 1);
  const which = name === 'local' ? Number(at('lane').value) : Number(bank || 0);
  const bytes = call.memory(name, which, from, MEMORY_BYTES).hex.match(/../g) || [];
  const owner = name === 'shared' || name === 'local' ? at('warps').value : '';
  bytes.forEach((byte, i) => {
    if (i % MEMORY_ROW === 0) dump.append(`${i ? '\n' : ''}${hex(from + i, 6)}: `);
    if (i % 4 === 0) dump.append(' ');
    const changed = hasChanged(`${name} ${which} ${owner} ${from + i}`, byte);
    dump.append(changed ? element('span', byte, 'changed') : byte, ' ');
  });
  if (bytes.length === 0) dump.append('nothing is there');
}

function listCode() {
  at('code').replaceChildren(...program.code.map(one => {
    const row = element('tr');
    row.append(element('td', hex(one.pc, 4), 'off'), element('td', one.text),
      element('td', one.line ? `line ${one.line}` : '', 'off'));
    row.onclick = () => inSource(one) && showPlace(one.line, 1);
    return row;
  }));
}

function showCode() {
  const code = currentCode();
  if (program === null) at('code').replaceChildren();
  [...at('code').children].forEach((row, i) => row.classList.toggle('here', program.code[i] === code));
  if (code && inSource(code)) scrollTo(code.line);
}

function show() {
  showVerdict();
  showWarps();
  showRegisters();
  showStack();
  showMemory();
  showCode();
  showLines();
  for (const [name, value] of seen) before.set(name, value);
  seen = new Map();
}

// -------------------------------------------------------------------------------------------------------- actions

const ACTIONS = {
  step: () => go('step'), next: () => go('next'), continue: () => go('continue'),
  stop: () => { stopping = true; },
  restart: () => { if (!running) load(); },
  help: () => { at('pages').showModal(); showPage(); },
  draw: () => { at('picture').innerHTML = program ? call.picture().svg : ''; },
};
const KEYS_ANYWHERE = {'F8': 'continue', 'F10': 'step', 'Shift+F10': 'next', 'Ctrl+Enter': 'restart', 'Escape': 'stop'};
const KEYS_BESIDE = {s: 'step', n: 'next', c: 'continue', r: 'restart', '?': 'help'};

function showPage() {
  at('text').textContent = at('page').value === 'keys' ? KEYS : read(at('page').value);
}

function pressKey(event) {
  const typing = /^(TEXTAREA|INPUT|SELECT)$/.test(event.target.tagName) || at('pages').open;
  const name = (event.ctrlKey ? 'Ctrl+' : '') + (event.shiftKey && event.key.length > 1 ? 'Shift+' : '') + event.key;
  const action = KEYS_ANYWHERE[name] || (!typing && KEYS_BESIDE[name]);
  if (!action || event.altKey || event.metaKey || (name === 'Escape' && !running)) return;
  event.preventDefault();
  ACTIONS[action]();
}

function listen() {
  for (const [name, action] of Object.entries(ACTIONS)) at(name).onclick = action;
  document.addEventListener('keydown', pressKey);
  at('kernels').onchange = () => { location.hash = at('kernels').value; };
  window.onhashchange = chooseNamed;
  at('source').oninput = () => {
    showLines();
    clearTimeout(edited);
    edited = setTimeout(function again() {
      stopping = true;
      if (running) edited = setTimeout(again, QUIET_MS);
      else load();
    }, QUIET_MS);
  };
  at('source').onscroll = showMark;
  at('gutter').onclick = event => {
    if (event.target !== at('gutter')) toggleBreak([...at('gutter').children].indexOf(event.target) + 1);
  };
  at('prompt').onsubmit = event => {
    event.preventDefault();
    go(at('command').value || 'step').then(() => at('command').focus());
    at('command').value = '';
  };
  at('warps').onchange = () => go(`warp ${at('warps').value}`);
  at('format').onchange = showRegisters;
  for (const id of ['memory', 'lane', 'from']) at(id).onchange = showMemory;
  at('page').onchange = showPage;
}

// The kernel that the address names after its #, otherwise the first one.
function chooseNamed() {
  const options = [...at('kernels').options];
  const chosen = options.find(one => one.value === location.hash.slice(1)) || options[0];
  at('kernels').value = chosen.value;
  choose(chosen.dataset.path);
}

Warpstep().then(module => {
  open(module);
  for (const folder of FOLDERS)
    for (const file of list(folder).filter(name => name.endsWith('.sass'))) {
      const item = new Option(file.replace('.sass', ''), file.replace('.sass', ''));
      item.dataset.path = `${folder}/${file}`;
      kernels.set(item.dataset.path, read(item.dataset.path));
      at('kernels').append(item);
    }
  at('page').append(new Option('Keys', 'keys'), ...list(PAGES).map(file => new Option(file, `${PAGES}/${file}`)));
  listen();
  chooseNamed();
});
