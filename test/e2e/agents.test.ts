import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helperTask, helperWorld } from '../support/helpers.ts';
import type { Sandbox } from '../support/sanbot.ts';
import { createSandbox } from '../support/sanbot.ts';
import { callsTool, callsTools, replies, type Script } from '../support/scenario.ts';

type Files = Readonly<Record<string, string>>;

/** Writes files of agents, by their paths from the working folder, or from the home behind ~/. */
function write({ home, cwd }: Pick<Sandbox, 'home' | 'cwd'>, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const full = path.startsWith('~/') ? join(home, path.slice(2)) : join(cwd, path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, text);
  }
}

const reviewer = `---
name: reviewer
description: Use it to review changes: it is strict.
tools: Read, Grep, Bash
model: claude-haiku-4-5
permissionMode: bypassPermissions
---
You review, and say "REVIEWED" first.
`;
const careful = '---\ndescription: Looks and touches nothing.\npermissionMode: read-only\neffort: low\n---\nLook only.\n';

const asks = (calls: readonly object[], steps: Script): Script => {
  const main = calls.map((input) => callsTool('task', input));
  return (request, n) => (helperTask(request) === undefined ? (main.shift() ?? replies('done')) : steps(request, n));
};

describe('an agent', () => {
  test('is chosen by its description, and is a helper with the instructions, the tools and the model of its file', async () => {
    const world = await helperWorld(asks([{ task: 'look at a.txt', agent: 'reviewer' }], () => replies('REVIEWED: fine')));
    write(world, { '~/agents/reviewer.md': reviewer });
    const ran = await world.say('review it');
    expect(ran).toMatchObject({ code: 0, out: 'done\n' });
    const [main] = world.main();
    const spec = main?.request.tools.find(({ name }) => name === 'task');
    expect(spec?.description).toContain('- reviewer: Use it to review changes: it is strict.');
    expect(JSON.stringify(spec?.inputSchema)).toContain('"agent"');
    const [helper] = world.of('look at a.txt');
    expect(helper?.request.system.join('\n')).toContain('You review, and say "REVIEWED" first.');
    expect(helper?.request.model).toBe('claude-haiku-4-5');
    expect(helper?.request.tools.map(({ name }) => name)).toEqual(['read_file', 'search', 'run_command', 'read_output', 'stop_command']);
    expect(JSON.stringify(world.main()[1]?.body)).toContain('REVIEWED: fine');
  });

  test('never gets more than its session has, and a deny rule holds for it', async () => {
    const tries = callsTools([
      { name: 'run_command', input: { command: 'touch made.txt' } },
      { name: 'write_file', input: { path: 'made.txt', content: 'x' } },
      { name: 'read_file', input: { path: 'a.txt' } },
    ]);
    const script = asks(
      [
        { task: 'try', agent: 'reviewer' },
        { task: 'try', agent: 'careful' },
      ],
      ({ messages }) => (messages.length === 1 ? tries : replies('tried')),
    );
    const world = await helperWorld(script, { permissions: { deny: [{ tool: 'read_file', path: 'a.txt' }] } });
    write(world, { '~/agents/reviewer.md': reviewer, '~/agents/careful.md': careful });
    await world.say('go', '--permission-mode', 'accept-edits');
    const [, first, , second] = world.of('try').map(({ body }) => JSON.stringify(body));
    expect(first).toContain("it needs a person's yes");
    expect(first).toContain('There is no tool named \\"write_file\\"');
    expect(first).toContain('a deny rule of the user covers it');
    expect(second?.match(/the permission mode is read-only/g)).toHaveLength(2);
    expect(existsSync(join(world.cwd, 'made.txt'))).toBe(false);
  });

  test.each([
    [{ task: 'x', agent: 'nobody' }, 'there is no agent \\"nobody\\"; there are reviewer'],
    [{ task: 'x', agent: 'reviewer', tools: ['edit_file'] }, 'an agent has tools of its own and begins anew'],
  ])('is refused in words: %j', async (input, told) => {
    const world = await helperWorld(asks([input], () => replies('never')));
    write(world, { '~/agents/reviewer.md': reviewer });
    await world.say('go');
    expect(JSON.stringify(world.main()[1]?.body)).toContain(told);
  });

  test('that nobody has costs no byte of a request, and one of a project counts only where that is trusted', async () => {
    const script: Script = () => replies('ok');
    const [plain, project, trusted] = [await helperWorld(script), await helperWorld(script), await helperWorld(script)];
    for (const world of [project, trusted]) write(world, { '.claude/agents/reviewer.md': reviewer });
    const toolsOf = async (world: typeof plain, ...args: readonly string[]) => {
      await world.say('hello', ...args);
      return JSON.stringify(world.main()[0]?.body.tools);
    };
    const base = await toolsOf(plain);
    expect(base).not.toMatch(/"agent"|Agents are/);
    expect(await toolsOf(project)).toBe(base);
    expect(await toolsOf(trusted, '--trust')).toContain('- reviewer: Use it');
  });

  test('that is named and is not there is told, once', async () => {
    const world = await helperWorld(() => replies('ok'));
    expect((await world.say('@agent-nobody look')).err).toContain('There is no agent nobody. /agents lists them.');
  });
});

test('sanbot agents lists them with where they come from, and one line for what is wrong; the rest works', async () => {
  const world = createSandbox();
  mkdirSync(world.home, { mode: 0o700 });
  const wrong: Files = {
    '~/agents/no-yaml.md': '---\n{\n---\nx\n',
    '~/agents/no-front.md': 'just text\n',
    '~/agents/empty.md': '',
    '~/agents/list.md': '---\n- a\n---\nx\n',
    '~/agents/no-text.md': '---\ndescription: d\n---\n',
    '~/agents/no-description.md': '---\nname: a\n---\nx\n',
    '~/agents/mode.md': '---\ndescription: d\npermissionMode: everything\n---\nx\n',
    '~/agents/effort.md': '---\ndescription: d\neffort: 11\n---\nx\n',
    '~/agents/xhigh.md': '---\ndescription: d\neffort: xhigh\n---\nx\n',
    '~/agents/turns.md': '---\ndescription: d\nmaxTurns: many\n---\nx\n',
    '~/agents/tools.md': '---\ndescription: d\ntools: Read, Teleport, Bash(git *)\n---\nx\n',
    '.sanbot/agents/reviewer.md': reviewer,
  };
  write(world, { ...wrong, '~/agents/reviewer.md': reviewer, '~/agents/looks careful.md': careful.replace('---\n', '---\nname: 小心\n') });
  const { out } = await world.run(['agents', '--trust', '--json']);
  const { agents, problems } = JSON.parse(out);
  expect(agents).toMatchObject([
    { name: '小心', permissionMode: 'read-only', effort: 'low' },
    { name: 'reviewer', source: 'user', tools: ['read_file', 'search', 'run_command'], permissionMode: 'bypass' },
    { name: 'tools', tools: ['read_file'] },
    { name: 'xhigh', effort: 'max' },
  ]);
  const text = problems.join('\n');
  expect(problems).toHaveLength(11);
  for (const told of [
    'no-yaml.md is left out: its front matter is not YAML',
    'no-front.md is left out: it does not begin with front matter between two lines of ---.',
    'empty.md is left out: it does not begin with front matter between two lines of ---.',
    'list.md is left out: its front matter has no description: write when to use it.',
    'no-text.md is left out: there is no text below its front matter',
    'no-description.md is left out: its front matter has no description: write when to use it.',
    'mode.md is left out: its permissionMode is "everything"; write ask, accept-edits, plan, read-only, bypass',
    'effort.md is left out: its effort cannot be read; write low, medium, high, max.',
    'turns.md is left out: its maxTurns cannot be read; write a whole number from 1.',
    'tools.md has its tools without "Teleport", "Bash(git *)"',
    'has the same name, reviewer.',
  ])
    expect(text).toContain(told);
  const shown = await world.run(['agents', '--trust'], { env: { LANG: 'zh_CN.UTF-8', SANBOT_LANGUAGE: 'zh' } });
  expect(shown.out).toMatch(/@agent-小心（你的）[\s\S]*权限最多为 read-only/);
  expect((await world.run(['agents'])).out).toContain('.sanbot/agents/reviewer.md: not used, since you have not trusted this folder');
});
