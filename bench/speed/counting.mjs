/**
 * How fast tokens are counted by a process that has counted nothing yet: the first megabyte of each kind of text, in texts that are each
 * counted whole (longer ones are sampled), and none of which repeats itself; beside it, the same megabyte as one text.
 */
import { environment, inFolder, median, root, runNode } from './run-program.mjs';

const PROGRAM = `
  const { loadTokenCounter } = await import(process.argv[1] + '/dist/runtime/token-counter.js');
  const count = loadTokenCounter({ packageRoot: process.argv[1] });
  count('Loaded.');
  let seed = 7;
  const random = (n) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const words = Array.from({ length: 4_000 }, () => Array.from({ length: 2 + random(8) }, () => String.fromCharCode(97 + random(26))).join(''));
  const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const han = Array.from({ length: 20_000 }, () => Array.from({ length: 1 + random(4) }, () => String.fromCharCode(0x4e00 + random(3_500))).join(''));
  const kinds = {
    prose: () => words[random(4_000)] + (random(12) === 0 ? '. ' : ' '),
    code: () => '  const ' + words[random(4_000)] + ' = ' + words[random(4_000)] + '(' + random(1_000) + ', { ok: true });\\n',
    JSON: () => '{"id":' + random(1e6) + ',"name":"' + words[random(4_000)] + '","ok":false},',
    Chinese: () => han[random(20_000)] + (random(8) === 0 ? '，' : ''),
    base64: () => BASE64[random(64)],
    'small letters': () => String.fromCharCode(97 + random(26)),
    Thai: () => String.fromCharCode(0xe01 + random(58)),
    'one letter': () => 'a',
    punctuation: () => '=-*#_'[random(5)],
    emoji: () => ['😀', '🚀', '👩‍💻', '❤️'][random(4)],
  };
  const [, , name] = process.argv;
  const TEXT_CHARS = 90_000;
  const texts = [];
  for (let bytes = 0; bytes < 1_000_000; bytes += Buffer.byteLength(texts.at(-1))) {
    let text = '';
    while (text.length < TEXT_CHARS && bytes + Buffer.byteLength(text) < 1_000_000) text += Array.from({ length: 500 }, kinds[name]).join('');
    texts.push(text.slice(0, 100_000));
  }
  const whole = texts.join('');
  const cpuMs = (work) => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  };
  const ms = cpuMs(() => texts.forEach((text) => count(text)));
  const wholeMs = cpuMs(() => count(whole));
  console.log(JSON.stringify({ mbPerSecond: Buffer.byteLength(whole) / 1_000 / ms, wholeMs }));`;

export const KINDS = ['prose', 'code', 'JSON', 'Chinese', 'base64', 'small letters', 'Thai', 'one letter', 'punctuation', 'emoji'];

export async function measureCounting({ rounds = 3 } = {}) {
  const rows = [];
  for (const name of KINDS) {
    const runs = [];
    for (let round = 0; round < rounds; round++)
      await inFolder(async (folder) => {
        const { printed } = await runNode(['--input-type=module', '-e', PROGRAM, root, name], { cwd: folder, env: environment(folder) });
        runs.push(JSON.parse(printed));
      });
    const of = (key) => median(runs.map((run) => run[key]));
    rows.push({ name, mbPerSecond: of('mbPerSecond'), wholeMs: of('wholeMs') });
  }
  return rows;
}
