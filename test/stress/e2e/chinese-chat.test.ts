import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { englishProse } from '../../support/english-prose.ts';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';
import { pdf } from '../../support/pictures.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, callsTools, replies, type Step } from '../../support/scenario.ts';

let api: FakeApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

// The first start loads the program, which takes longer than a terminal is waited for where much else runs.
beforeAll(async () => void (await createSandbox({ SANBOT_PROVIDER: 'offline' }).run([], { stdin: '状态\n' })));

/** A chat in Chinese with a model that follows the scenario. */
async function chat(steps: readonly Step[], mode: string, columns = 120) {
  const world = createSandbox({ SANBOT_LANGUAGE: 'zh' });
  mkdirSync(join(world.cwd, 'folder'));
  writeFileSync(join(world.cwd, 'a.txt'), 'alpha\n');
  writeFileSync(join(world.cwd, 'bin.dat'), Buffer.from([1, 0, 2]));
  writeFileSync(join(world.cwd, 'cut.pdf'), pdf(1).subarray(0, 60));
  writeFileSync(join(world.cwd, 'broken.pdf'), pdf(101));
  api = await startFakeApi(steps, { home: world.home });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const terminal = await world.runAtTerminal(['--permission-mode', mode], { env, columns });
  await terminal.waitForScreen('/help 列出命令');
  return { ...world, terminal };
}

const calls: readonly (readonly [string, unknown])[] = [
  ['read_file', { path: 'none.txt' }],
  ['read_file', { path: 'folder' }],
  ['read_file', { path: 'bin.dat' }],
  ['read_file', { path: 'a.txt', offset: 99 }],
  ['read_file', { path: 'a.txt', offset: 1, char_offset: 1 }],
  ['read_file', { path: '~/a.txt' }],
  ['read_file', { path: 'https://example.com' }],
  ['read_file', { way: 'a.txt' }],
  ['edit_file', { path: 'a.txt', old_string: 'beta', new_string: 'x' }],
  ['edit_file', { path: 'a.txt', old_string: 'alpha', new_string: 'alpha' }],
  ['edit_file', { path: 'none.txt', old_string: 'a', new_string: 'b' }],
  ['edit_file', { path: 'a.txt' }],
  ['write_file', { path: 'folder', content: 'x' }],
  ['write_file', { path: 'folder/', content: 'x' }],
  ['write_file', { path: 'a.txt/b', content: 'x' }],
  ['list_files', { path: 'none' }],
  ['list_files', { path: 'a.txt' }],
  ['search', { pattern: '甲', path: '没有' }],
  ['run_command', { command: 'exit 3' }],
  ['run_command', { command: ' ' }],
  ['run_command', { command: 'true', keep: true }],
  ['read_output', { name: 'job-9' }],
  ['stop_command', { name: 'job-9' }],
  ['fetch_url', { url: 'nowhere' }],
  ['fetch_url', { url: 'ftp://example.com' }],
  ['fetch_url', { url: 'http://127.0.0.1:9/' }],
  ['todo', { items: 'x' }],
  ['ask_user', { question: '', choices: [] }],
  ['task', { task: ' ' }],
  ['recall', { ref: 'none:1' }],
  ['recall', {}],
  ['remember', { text: '.', kind: 'facts' }],
  ['remember', { text: '长'.repeat(600), kind: 'facts' }],
  ['unheard_of', {}],
  ['read_file', 'a.txt'],
  ['read_file', { path: 5 }],
  ['read_file', { path: 'cut.pdf' }],
  ['read_file', { path: 'broken.pdf' }],
  ['search', { pattern: '(' }],
  ['search', { pattern: 'x', context: 99 }],
  ['todo', { items: [{ text: 'x', status: 'soon' }] }],
  ['run_command', { command: 'echo ANTHROPIC_API_KEY; exit 4' }],
  ['run_command', { command: 'kill -9 $$' }],
  ['run_command', { command: 'sleep 60', timeout_ms: 50 }],
  ['task', { task: 'x', tools: ['none'] }],
  ['task', { task: 'x', helper: 'none' }],
  ['skill', { name: 'none' }],
  ['call_tool', { name: 'mcp__none__x' }],
  ['call_tool', { name: 'read_file' }],
];

describe('in Chinese', () => {
  test.each(calls)('a failed call of %s with %j gives its reason in Chinese', async (name, input) => {
    const { terminal } = await chat([callsTool(name, input), replies('完毕。')], 'bypass');
    terminal.send('开始\r');
    await terminal.waitForScreen(/完毕。[\s\S]*>/);
    const shown = terminal.rows().slice(terminal.rows().findIndex((row) => row.startsWith('✗')));
    expect(englishProse(shown.join('\n')).join('\n')).toBe('');
    expect(shown.slice(0, 2).join('\n')).toMatch(/^✗.*\p{Script=Han}/u);
  });

  test('a call that is not allowed, a job, a change by hand and every slash command say all of it in Chinese', async () => {
    const steps = [
      callsTool('run_command', { command: 'touch x' }),
      replies('好的。'),
      callsTools([{ name: 'run_command', input: { command: 'sleep 600', background: true } }]),
      replies('已在后台。'),
    ];
    const { terminal } = await chat(steps, 'ask');
    terminal.send('运行\r');
    await terminal.waitForScreen('运行吗？');
    terminal.send('n');
    await terminal.waitForScreen('好的。');
    terminal.send('再次运行\r');
    await terminal.waitForScreen('运行吗？');
    terminal.send('y');
    await terminal.waitForScreen('已在后台。');
    for (const [command, wanted] of commands) {
      terminal.send(`${command}\r`);
      await terminal.waitFor(wanted);
    }
    expect(terminal.text()).toContain('$ sleep 600（后台）');
    expect(englishProse(terminal.text()).join('\n')).toBe('');
    terminal.send('/quit\r');
    await terminal.exit;
  });
});

const commands: readonly (readonly [string, RegExp])[] = [
  ['/context', /占上限/],
  ['/help', /补全命令/],
  ['/help compact', /示例/],
  ['/config ui', /ui\.language/],
  ['/tools', /run_command/],
  ['/jobs', /sleep 600/],
  ['/mcp', /没有 MCP/],
  ['/permissions', /规则/],
  ['/memory', /没有记住/],
  ['/history', /快照|没有/],
  ['/undo', /没有可撤销/],
  ['/cost', /缓存/],
  ['/sessions', /正在使用/],
  ['/pins', /没有/],
  ['/skills', /没有技能/],
  ['/todo', /没有|待办/],
  ['/events', /turn_started/],
  ['/remember .', /没有记住/],
  ['/compact', /压缩/],
  ['/clear', /清空|清除/],
  ['/nonsense', /没有 \/nonsense/],
];
