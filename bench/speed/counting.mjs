/** How fast tokens are counted by a process that has counted nothing yet: the first megabyte of each kind of text. */
import { environment, inFolder, median, root, runNode } from './run-program.mjs';

const PROGRAM = `
  const { loadTokenCounter } = await import(process.argv[1] + '/dist/runtime/token-counter.js');
  const count = loadTokenCounter({ packageRoot: process.argv[1] });
  count('Loaded.');
  let seed = 7;
  const random = (n) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const words = Array.from({ length: 4_000 }, () => Array.from({ length: 2 + random(8) }, () => String.fromCharCode(97 + random(26))).join(''));
  const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const HAN = '我们决定使用关系数据库保存会话消息在压缩之前写入快照失败时历史不变用户可以回滚到任何时刻并且每个请求都经过检查以免超出窗口的是不了人在有这中大来上';
  const kinds = {
    prose: () => words[random(4_000)] + (random(12) === 0 ? '. ' : ' '),
    code: () => '  const ' + words[random(4_000)] + ' = ' + words[random(4_000)] + '(' + random(1_000) + ', { ok: true });\\n',
    JSON: () => '{"id":' + random(1e6) + ',"name":"' + words[random(4_000)] + '","ok":false},',
    Chinese: () => HAN[random(HAN.length)] + (random(15) === 0 ? '，' : ''),
    base64: () => BASE64[random(64)],
    'one letter': () => 'a',
    punctuation: () => '=-*#_'[random(5)],
    emoji: () => ['😀', '🚀', '👩‍💻', '❤️'][random(4)],
  };
  const [, , name] = process.argv;
  let text = '';
  while (Buffer.byteLength(text) < 1_000_000) text += Array.from({ length: 2_000 }, kinds[name]).join('');
  const bytes = Buffer.byteLength(text);
  const started = process.cpuUsage();
  count(text);
  const { user, system } = process.cpuUsage(started);
  console.log(JSON.stringify({ mbPerSecond: bytes / (user + system) }));`;

export const KINDS = ['prose', 'code', 'JSON', 'Chinese', 'base64', 'one letter', 'punctuation', 'emoji'];

export async function measureCounting({ rounds = 3 } = {}) {
  const rows = [];
  for (const name of KINDS) {
    const speeds = [];
    for (let round = 0; round < rounds; round++)
      await inFolder(async (folder) => {
        const { printed } = await runNode(['--input-type=module', '-e', PROGRAM, root, name], { cwd: folder, env: environment(folder) });
        speeds.push(JSON.parse(printed).mbPerSecond);
      });
    rows.push({ name, mbPerSecond: median(speeds) });
  }
  return rows;
}
