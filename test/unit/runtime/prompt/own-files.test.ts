import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findAgents } from '../../../../src/runtime/agents/find-agents.ts';
import { findCommands, findSkills } from '../../../../src/runtime/prompt/find-skills.ts';
import { createSandbox } from '../../../support/sanbot.ts';

const little = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const encodings = [little, (text: string) => little(text).swap16(), (text: string) => Buffer.from(`\ufeff${text}`)];

function createHome() {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const put = (path: string, content: Buffer | string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
  };
  const where = [{ cwd: () => sandbox.cwd }, { home: sandbox.home, trustsProject: false }] as const;
  return { ...sandbox, put, where, inHome: (path: string) => join(sandbox.home, path) };
}

test.each(encodings)('settings, servers, memories, skills and commands with a mark of their encoding are read [B-47]', async (encode) => {
  const { put, where, inHome, run, cwd, names, read } = createHome();
  put(inHome('config.json'), encode('{"model":{"name":"模型"},"hooks":{"SessionStart":[{"command":"echo of the hook"}]}}'));
  put(join(cwd, '.mcp.json'), encode('{"mcpServers":{"notes":{"command":"/nonexistent/notes"}}}'));
  put(inHome('memory/soul.md'), encode('端口是 7001。\n'));
  put(inHome('skills/tidy/SKILL.md'), encode('---\nname: tidy\ndescription: 整理\n---\nDo it.\n'));
  put(inHome('commands/fix.md'), encode('---\ndescription: Fixes.\n---\nFix it.\n'));
  expect(await findSkills(...where)).toMatchObject({ skills: [{ name: 'tidy', description: '整理' }], problems: [] });
  expect(await findCommands(...where)).toMatchObject({ commands: [{ name: 'fix', description: 'Fixes.' }], problems: [] });
  expect((await run(['config', 'show', 'model.name'])).out).toContain('模型');
  expect(await run(['trust', 'add', '--yes'])).toMatchObject({ code: 0 });
  expect((await run(['mcp', 'list'])).out).toContain('notes');
  expect(await run(['-p', 'status'])).toMatchObject({ code: 0 });
  const [id = ''] = names('sessions');
  expect(read(`sessions/${id}/log.jsonl`)).toMatch(/端口是 7001。[\s\S]*of the hook/);
});

test('one that is wrong, or one too many, is named and takes no other with it [B-41]', async () => {
  const { put, where, inHome } = createHome();
  for (const [name, text] of Object.entries({
    good: '---\nname: good\ndescription: d\n---\nDo it.\n',
    none: 'no front matter',
    list: '---\n- a\n---\n',
    broken: '---\nname: [\n---\n',
    binary: '\0\0\0',
    number: '---\nname: 7\ndescription: []\n---\n',
    last: '---\nname: last\ndescription: d\n---\nDo it.\n',
  })) {
    put(inHome(`skills/${name}/SKILL.md`), text);
    put(inHome(`commands/${name}.md`), text);
  }
  mkdirSync(inHome('skills/folder/SKILL.md'), { recursive: true });
  const { skills, problems } = await findSkills(...where);
  expect(skills.map(({ name }) => name)).toEqual(['good', 'last']);
  for (const name of ['none', 'list', 'broken', 'binary', 'number', 'folder'])
    expect(problems.map(({ en }) => en).join('\n')).toContain(`skills/${name}/SKILL.md is left out`);
  const { commands } = await findCommands(...where);
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['good', 'last']));

  for (let n = 0; n < 505; n++) put(inHome(`skills/x${n}/SKILL.md`), '---\ndescription: d\n---\n');
  expect((await findSkills(...where)).problems.map(({ en }) => en).join('\n')).toMatch(
    /skills holds 513: those behind the first 500 are left out/,
  );
});

test.each(['agents', 'commands', 'skills'])(
  'a file or a dead link in place of the folder %s is told, and the rest works [B-41]',
  async (folder) => {
    const { put, where, inHome } = createHome();
    const find = async () => [await findAgents(...where), await findCommands(...where), await findSkills(...where)] as const;
    const told = async () => (await find()).flatMap(({ problems }) => problems.map(({ en }) => en));
    expect(await told()).toEqual([]);
    for (const other of ['agents/a.md', 'commands/a.md', 'skills/a/SKILL.md'])
      if (!other.startsWith(folder)) put(inHome(other), '---\nname: a\ndescription: d\n---\nDo it.\n');
    put(inHome(folder), 'no folder');
    expect(await told()).toEqual([`${inHome(folder)}: this is to be a folder. Move it away, then make one`]);
    const [{ agents }, { commands }, { skills }] = await find();
    expect([...agents, ...commands, ...skills]).toHaveLength(2);
    rmSync(inHome(folder));
    symlinkSync('nowhere', inHome(folder));
    expect(await told()).toEqual([`${inHome(folder)}: the link leads nowhere. Remove or mend it`]);
  },
);
