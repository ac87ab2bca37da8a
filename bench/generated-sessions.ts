import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomFrom } from './seeded-random.ts';

const SESSIONS = 50;

/** Sessions of a home, the same ones each time, with so many messages in all: prose, Chinese, and commands with their output. Returns the bytes of their logs. */
export function writeGeneratedSessions(home: string, messages: number): number {
  const random = randomFrom(1);
  const count = Math.ceil(messages / SESSIONS);
  return Array.from({ length: SESSIONS }, (_, i) => writeSession(home, i, { count, random })).reduce((sum, size) => sum + size, 0);
}

/** Common and rare words, names, paths, Chinese, beginnings, and sentences. */
export const GENERATED_QUERIES: readonly string[] = [
  'error',
  'retry delay',
  'src/store/log.ts',
  '数据',
  '数据库 缓存',
  'npm run build',
  'the user asks for a retry',
  'compac*',
];

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

function writeSession(home: string, serial: number, { count, random }: { readonly count: number; readonly random: Random }): number {
  const sessionId = `20260101-${String(serial).padStart(6, '0')}-bench0`;
  const at = new Date(Date.UTC(2026, 0, 1 + serial)).toISOString();
  const context = { system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 };
  const lines: object[] = [{ type: 'header', v: 1, sessionId, group: 'main', cwd: '/srv/project', model: 'bench', context }];
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
