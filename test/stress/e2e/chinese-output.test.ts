import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';

/** A session with a compaction, a memory and a rule: something for each command to show. */
async function usedHome(): Promise<Sandbox> {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000' });
  mkdirSync(world.home, { mode: 0o700 });
  const compaction = { maxMessages: 2, minMessagesBeforeCompact: 2, keepRecentMessages: 1, keepRecentTokens: 50 };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction }));
  await world.run(['-p', 'We decided to use vermilion for the door']);
  for (const text of [`hello ${'and again '.repeat(500)}`, 'status', 'status']) await world.run(['-p', text, '--continue']);
  await world.run(['memory', 'add', 'I prefer short commit messages']);
  await world.run(['permissions', 'allow', 'run_command', 'npm test *']);
  return world;
}

let world: Sandbox;
let id: string;
beforeAll(async () => {
  world = await usedHome();
  id = world.names('sessions')[0] ?? '';
});

const inChinese = { env: { SANBOT_LANGUAGE: 'zh' } };

describe('what commands print in Chinese', () => {
  it.each<[readonly string[], string]>([
    [['history'], '会话'],
    [['history', '--session', 'ID'], '压缩'],
    [['history', '--snapshot', 'SNAPSHOT'], '快照 .*\n {2}内容 .*条消息'],
    [['sessions', 'show', 'ID'], '上次使用.*\n[\\s\\S]*删除后保留'],
    [['sessions', 'search', 'vermilion'], '处匹配'],
    [['sessions', 'rename', 'ID', 'A title'], '现名为 "A title"'],
    [['context', '--session', 'ID'], '系统提示词'],
    [['memory'], '2 条。查看来源：sanbot memory show ID'],
    [['doctor', '--no-endpoint'], '个会话和 \\d+ 个快照：一切正常。'],
    [['doctor'], '模型：离线，没有可检查的端点。'],
    [['config', 'show'], '键 +值 +来源'],
    [['config', 'path'], '用户 .*config.json'],
    [['config', 'validate'], '配置有效。'],
    [['models'], 'offline +内置，不是语言模型'],
    [['search', 'nothing-like-it'], '没有找到'],
    [['trust', 'list'], '没有受信任的文件夹。'],
    [['permissions'], '\\p{Script=Han}'],
    [['permissions', 'readonly', 'ask'], '经证明只读的命令'],
    [['mcp', 'list'], '\\p{Script=Han}'],
    [['clean', '--dry-run'], '将保留 \\d+ 个快照'],
    [['purge', '--match', 'vermilion-secret', '--dry-run'], 'SanBot 保存的内容中没有文本'],
    [['purge', '--match', 'vermilion', '--dry-run'], '个文件中出现 \\d+ 次：'],
    [['purge', '--match', 'vermilion'], '清除需要确认，但没有可供询问的终端'],
    [['metrics'], '压缩后仍在上下文中的事实'],
    [['events', '--type', 'rolled_back'], '没有找到事件'],
    [['consolidate', '--dry-run'], '\\p{Script=Han}'],
    [['rollback', '--last', '--dry-run', '--session', 'ID'], '\\p{Script=Han}'],
    [['export', '--session', 'ID', '-o', 'session.jsonl'], '已导出到 session.jsonl（'],
    [['export', '--session', 'ID', '-o', 'session.jsonl'], '已经存在\n {2}没有做任何更改。请在 -o 后另给一个文件名。'],
    [['import', 'session.jsonl'], '已导入会话 .*（原 id .* 已被占用），含 \\d+ 个快照'],
    [['report', '--session', 'ID', '--html', 'report.html'], '已写入 report.html（'],
    [['setup'], 'sanbot setup 需要在终端上提问'],
    [['demo', '--fast'], '已修复[\\s\\S]*已撤销[\\s\\S]*该文件夹已删除'],
  ])('%j', async (words, expected) => {
    const snapshot = JSON.parse((await world.run(['history', '--session', id, '--json'])).out)[0]?.id ?? '';
    const args = words.map((word) => (word === 'ID' ? id : word === 'SNAPSHOT' ? snapshot : word));
    const { out, err } = await world.run(args, inChinese);
    expect(`${out}${err}`).toMatch(new RegExp(expected, 'u'));
  });
});

/** What differs from run to run: times, the sums over lines with them, and how the language was set. */
const masked = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| \d\d:\d\d:\d\d)/g, 'TIME')
    .replace(/("key": "ui.language",)[^}]*/, '$1')
    .replaceAll(/"(?:crc|sha256)":"[0-9a-f]+"/g, '"SUM"');

describe('what programs read', () => {
  it.each([
    ['history', '--session', 'ID', '--json'],
    ['sessions', '--json'],
    ['sessions', 'show', 'ID', '--json'],
    ['context', '--session', 'ID', '--json'],
    ['memory', '--json'],
    ['search', 'vermilion', '--json'],
    ['events', '--json'],
    ['metrics', '--json'],
    ['metrics', '--prometheus'],
    ['doctor', '--json'],
    ['config', 'show', '--json'],
    ['models', '--all', '--json'],
    ['permissions', '--json'],
    ['mcp', '--json'],
    ['trust', 'list', '--json'],
    ['clean', '--dry-run', '--json'],
    ['purge', '--match', 'vermilion', '--dry-run', '--json'],
    ['consolidate', '--dry-run', '--json'],
    ['rollback', '--session', 'ID', '--last', '--dry-run', '--json'],
  ])('is the same in both languages: %s %s %s %s %s', async (...words) => {
    await world.run(['export', '--session', id, '-o', 'other.jsonl']);
    const args = words.map((word) => (word === 'ID' ? id : word));
    const english = await world.run(args);
    const chinese = await world.run(args, inChinese);
    expect(english.out).not.toBe('');
    expect(masked(chinese.out)).toBe(masked(english.out));
    expect(chinese.code).toBe(english.code);
  });

  it.each([
    ['report', '--html', 'html'],
    ['export', '-o', 'md'],
    ['export', '-o', 'html'],
    ['export', '-o', 'jsonl'],
  ])('stands in files in English: %s %s x.%s', async (command, option, ending) => {
    const write = async (name: string, more: object): Promise<string> => {
      await world.run([command, '--session', id, option, `${name}.${ending}`], more);
      return readFileSync(join(world.cwd, `${name}.${ending}`), 'utf8');
    };
    expect(masked(await write(`${command}-zh`, inChinese))).toBe(masked(await write(`${command}-en`, {})));
  });
});
