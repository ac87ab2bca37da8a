/**
 * What the terminal costs: a streamed answer of 10,000 lines, a key in a message of 20,000 characters, and the time from Esc to a turn that
 * has stopped. The real program at a pseudo terminal, with a server that plays the model. CPU is that of the program's process, also as a
 * multiple of an empty start of Node measured in the same run. Linux only. Prints figures; exits with 1 where one misses its target.
 * npm run bench:terminal
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from '@lydell/node-pty';

const LINES = 10_000;
const TARGETS = { answer: 1_500, key: 5, stop: 200 };
const root = fileURLToPath(new URL('..', import.meta.url));
const TICKS_PER_SECOND = 100;

const lineOf = (n) =>
  n % 40 === 0
    ? `\n## Part ${n / 40}\n\n`
    : n % 7 === 0
      ? `- item **${n}** with \`code\`\n`
      : `Line ${n} of the answer, as long as most lines of an answer are.\n`;

/** Answers "long" with many lines, "hang" with a beginning and nothing after it, all else with a word. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (!request.url.startsWith('/v1/messages') || request.url.includes('count_tokens')) return response.writeHead(404).end('{}');
    const said = JSON.parse(body).messages.at(-1);
    const text = JSON.stringify(said);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const usage = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    send({ type: 'message_start', message });
    send({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    const say = (words) => send({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } });
    if (text.includes('hang')) return say('I begin');
    if (text.includes('long')) for (let n = 0; n < LINES; n++) say(lineOf(n));
    say('\n\nthat was all\n');
    send({ type: 'content_block_stop', index: 0 });
    send({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 10 } });
    send({ type: 'message_stop' });
    response.end();
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const home = mkdtempSync(join(tmpdir(), 'sanbot-bench-'));
const env = {
  ...{ PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color', CI: '1', SANBOT_SANDBOX: 'off' },
  ...{ SANBOT_MODEL: 'claude-sonnet-5-5', ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}` },
};
const pty = spawn(process.execPath, [join(root, 'bin', 'sanbot.js')], { cols: 100, rows: 30, cwd: home, env });
let shown = '';
let look = () => undefined;
pty.onData((chunk) => {
  shown += chunk;
  look();
});

/** Resolves when this comes from now on. */
const waitFor = (wanted) => {
  shown = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${wanted} did not come: ${shown.slice(-2_000)}`)), 60_000);
    look = () => {
      if (!wanted.test(shown)) return;
      clearTimeout(timer);
      resolve();
    };
  });
};

/** User and system time of the program so far, in milliseconds. */
function cpuMs() {
  const fields = readFileSync(`/proc/${pty.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

const nodeStart = () => {
  const started = spawnSync(process.execPath, ['-e', 'process.stdout.write(String(process.cpuUsage().user + process.cpuUsage().system))']);
  return Number(started.stdout.toString()) / 1_000;
};

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const PROMPT = /\n> (?:\u001b\[[\d;?]*[a-zA-Z])*$/;

try {
  await waitFor(PROMPT);
  const empty = median([nodeStart(), nodeStart(), nodeStart()]);
  // The first answer loads what draws it.
  const first = waitFor(/that was all[\s\S]*1 step/);
  pty.write('hello\r');
  await first;

  let before = cpuMs();
  const long = waitFor(/that was all[\s\S]*1 step/);
  pty.write('long\r');
  await long;
  const answer = cpuMs() - before;

  // A context this full would be compacted before the next answer.
  const cleared = waitFor(/Cleared/);
  pty.write('/clear\r');
  await cleared;

  const typed = waitFor(/end of it/);
  pty.write(`${'a word or two '.repeat(1_430)}end of it`);
  await typed;
  before = cpuMs();
  const KEYS = 200;
  for (let n = 0; n < KEYS; n++) {
    const drawn = waitFor(n % 2 === 0 ? /x/ : /./);
    pty.write(n % 2 === 0 ? 'x' : '\u007f');
    await drawn;
  }
  const key = (cpuMs() - before) / KEYS;
  pty.write('\u0003');

  const stops = [];
  for (let n = 0; n < 5; n++) {
    const begun = waitFor(/I begin/);
    pty.write('hang\r');
    await begun;
    const stopped = waitFor(/interrupted/);
    const at = performance.now();
    pty.write('\u001b');
    await stopped;
    stops.push(performance.now() - at);
  }
  const stop = median(stops);
  const rows = [
    ['answer', `an answer of ${LINES} lines`, answer, `${(answer / empty).toFixed(1)} starts of Node, CPU`],
    ['key', 'a key in 20,000 characters', key, `${(key / empty).toFixed(2)} starts of Node, CPU`],
    ['stop', 'from Esc to a stopped turn', stop, 'on the clock'],
  ];
  for (const [name, what, ms, more] of rows) {
    const isMet = ms <= TARGETS[name];
    if (!isMet) process.exitCode = 1;
    console.log(`${what}: ${ms.toFixed(1)} ms (${more}); target ${TARGETS[name]} ms: ${isMet ? 'met' : 'missed'}`);
  }
} finally {
  pty.kill('SIGKILL');
  server.close();
  server.closeAllConnections();
  rmSync(home, { recursive: true, force: true });
}
