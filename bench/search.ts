/**
 * How fast the search index is built, and how fast a query is answered: on generated sessions, in a temporary home. Prints figures.
 * Node 22.18 and later run it as it is: node bench/search.ts [MESSAGES]
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/app/open-store.ts';
import { search } from '../src/app/recall.ts';
import { realWorld } from '../src/app/world.ts';

const messages = Number(process.argv[2] ?? 100_000);
const SESSIONS = 50;
const home = mkdtempSync(join(tmpdir(), 'sanbot-bench-'));
async function measure(): Promise<void> {
  const random = randomFrom(1);
  const perSession = Math.ceil(messages / SESSIONS);
  const bytes = Array.from({ length: SESSIONS }, (_, i) => writeSession(i, perSession, random)).reduce((sum, size) => sum + size, 0);
  const world = realWorld();
  const tell = (): void => undefined;
  const place = { world, home, store: openStore(world, home, { maxSessionBytes: Number.MAX_SAFE_INTEGER, tell }), group: 'main', tell };
  const { signal } = new AbortController();
  const ask = async (query: string): Promise<number> => {
    const start = performance.now();
    await search(place, { query, limit: 10 }, signal);
    return performance.now() - start;
  };
  const cpu = process.cpuUsage();
  const built = await ask('nothing-like-it');
  const { user, system } = process.cpuUsage(cpu);
  const rate = (ms: number): string => (bytes / 1000 / ms).toFixed(1);
  console.log(`${messages} messages, ${(bytes / 1e6).toFixed(1)} MB of logs in ${SESSIONS} sessions`);
  console.log(`indexed in ${(built / 1000).toFixed(1)} s: ${rate(built)} MB/s, ${rate((user + system) / 1000)} MB per second of CPU`);
  console.log(`index.db: ${(statSync(join(home, 'index.db')).size / 1e6).toFixed(1)} MB`);
  for (const query of [
    'error',
    'retry delay',
    'src/store/log.ts',
    '数据',
    '数据库 缓存',
    'npm run build',
    'the user asks for a retry',
    'compac*',
  ]) {
    const times = [await ask(query), await ask(query), await ask(query), await ask(query), await ask(query)].sort((a, b) => a - b);
    console.log(`${JSON.stringify(query)}: median ${times[2]?.toFixed(0)} ms, worst ${times[4]?.toFixed(0)} ms`);
  }
}

type Random = () => number;

/** The same numbers each time, from 0 to 1. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const ENGLISH =
  'the of to and a in is it for that on with as was be this are by from at or an not have but has all can will its if one when which their more time other into some than then now only its over also after use two how our work first well way even new want because any these give day most us error file test retry delay user asks request response build store log cache config window token compaction offload summary session message result command path line value type function return const import export class async await promise timeout failed passed expected received'.split(
    ' ',
  );
const CHINESE =
  '我们决定使用关系数据库缓存请求用户错误测试文件配置会话消息结果命令路径函数返回超时失败通过需要保留检查修改提交代码项目接口设计实现性能日志部署环境变量权限安全'.split(
    '',
  );

const pick = <T>(from: readonly T[], random: Random): T | undefined => from[Math.floor(random() ** 2 * from.length)];
const prose = (words: number, random: Random): string =>
  Array.from({ length: words }, () => (random() < 0.04 ? identifier(random) : pick(ENGLISH, random))).join(' ');
const chinese = (chars: number, random: Random): string => Array.from({ length: chars }, () => pick(CHINESE, random)).join('');
const identifier = (random: Random): string =>
  `${pick(ENGLISH, random)}${['_', '.', '-', 'Of', 'To'][Math.floor(random() * 5)]}${pick(ENGLISH, random)}${Math.floor(random() * 50)}`;
const path = (random: Random): string => `src/${pick(ENGLISH, random)}/${pick(ENGLISH, random)}.ts`;

/** Returns the bytes of its log. */
function writeSession(serial: number, count: number, random: Random): number {
  const sessionId = `20260101-${String(serial).padStart(6, '0')}-bench0`;
  const at = new Date(Date.UTC(2026, 0, 1 + serial)).toISOString();
  const context = { system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 };
  const lines: object[] = [{ type: 'header', v: 1, sessionId, group: 'main', cwd: '/work', model: 'bench', context }];
  const say = (role: string, origin: string, content: readonly object[]): void => {
    lines.push({ type: 'message', message: { id: `${serial}-${lines.length}`, at, role, origin, content } });
  };
  for (let i = 0; i < count; i += 4) {
    const id = `call${i}`;
    say('user', 'user', [{ type: 'text', text: i % 8 === 0 ? chinese(60, random) : prose(40, random) }]);
    const command = `npm run ${pick(ENGLISH, random)} -- ${path(random)}`;
    say('assistant', 'model', [
      { type: 'text', text: prose(30, random) },
      { type: 'tool_use', id, name: 'run_command', input: { command } },
    ]);
    const output = Array.from({ length: 40 }, (_, line) => `${path(random)}:${line}: ${prose(9, random)}`).join('\n');
    say('user', 'tools', [{ type: 'tool_result', tool_use_id: id, content: `exit ${i % 20 === 0 ? 1 : 0}\n${output}` }]);
    say('assistant', 'model', [{ type: 'text', text: prose(60, random) }]);
  }
  const text = lines.map((record, n) => `${JSON.stringify({ ...record, n, at })}\n`).join('');
  const folder = join(home, 'sessions', sessionId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'log.jsonl'), text, { mode: 0o600 });
  return Buffer.byteLength(text);
}

// Last, when all of the above is known.
try {
  await measure();
} finally {
  rmSync(home, { recursive: true, force: true });
}
