import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rulesAbout } from '../../../src/context/permission/rules.ts';
import type { Skill } from '../../../src/domain/session/skill.ts';
import type { PathRules } from '../../../src/tools/place/ruled-paths.ts';
import { skillTool } from '../../../src/tools/skill.ts';
import { afterThisTest } from '../../support/clean-up.ts';

/** A skill with a good file and with whatever else can stand in a folder. */
function skills(deny: readonly string[] = [], used: string[] = []) {
  const base = mkdtempSync(join(tmpdir(), 'sanbot-skill-'));
  afterThisTest(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'release');
  mkdirSync(join(folder, 'notes'), { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), '---\nname: release\ndescription: x\n---\nTag it.');
  writeFileSync(join(folder, 'notes', 'tags.md'), 'Tags.');
  writeFileSync(join(folder, 'binary'), 'a\0b');
  writeFileSync(join(folder, 'large'), 'x'.repeat(300_000));
  writeFileSync(join(base, 'secret'), 'no');
  symlinkSync(join(base, 'secret'), join(folder, 'link'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  const all: readonly Skill[] = [
    { name: 'release', description: 'How we release.', folder, source: 'user' },
    { name: 'gone', description: 'Its folder was deleted.', folder: join(base, 'gone'), source: 'user' },
  ];
  const rules: PathRules = { deny: deny.map((path) => ({ tool: '*', path })), ask: [], about: rulesAbout };
  const tool = skillTool.make({ skills: all, noteUse: (name) => void used.push(name), cwd: base, pathRules: () => rules });
  return async (input: object): Promise<string> => {
    const plan = await tool.plan(input);
    if (plan.kind !== 'ready') return plan.message;
    const outcome = await plan.run(new AbortController().signal, () => undefined);
    return `${outcome.ok ? 'ok' : 'failed'}: ${String(outcome.content)}`;
  };
}

test('a skill that is read is noted by its name, neither a search nor one that is not there', async () => {
  const used: string[] = [];
  const read = skills([], used);
  await read({ query: 'release' });
  await read({ name: 'nothing' });
  expect(used).toEqual([]);
  await read({ name: 'RELEASE' });
  expect(used).toEqual(['release']);
});

test('a skill is read without its front matter, in any case, with its files by name', async () => {
  const ask = skills();
  expect(await ask({ name: 'Release' })).toMatch(
    /^ok: Tag it\.\n\nThe skill's folder: .*\n\nIts files, to be read with file: .*notes\/tags\.md/s,
  );
  expect(await ask({ name: 'release', file: 'notes/tags.md' })).toBe('ok: Tags.');
  expect(await ask({ query: 'RELEASE now' })).toBe('ok: - release: How we release.');
});

test.each([
  ['nothing', {}, /give the name of a skill, or a query/],
  ['a file of no skill', { file: 'x' }, /give the name of a skill, or a query/],
  ['an empty name', { name: '' }, /name/],
  ['a name that is no text', { name: 3 }, /name/],
  ['a name without end', { name: 'x'.repeat(101) }, /name/],
  ['an unknown field', { skill: 'release' }, /skill/],
  ['a name that is near one', { name: 'relaese' }, /there is no skill "relaese"\. Did you mean release\?/],
  ['a name like nothing', { name: 'zzzzzz' }, /Use a query to find one\./],
  ['words of nothing', { query: 'zebra' }, /^ok: No skill matches\.$/],
  ['signs alone', { query: '?!' }, /^ok: No skill matches\.$/],
  ['a skill that was deleted since', { name: 'gone' }, /^failed: gone/],
  ['a file that is not there', { name: 'release', file: 'none.md' }, /^failed: none\.md/],
  ['a folder', { name: 'release', file: 'notes' }, /^failed: it is no file/],
  ['a pipe', { name: 'release', file: 'pipe' }, /^failed: it is no file/],
  ['a link to nothing', { name: 'release', file: 'dangling' }, /^failed: dangling/],
  ['a link out of it', { name: 'release', file: 'link' }, /^failed: link is not in the folder of the skill/],
  ['a way out of it', { name: 'release', file: '../secret' }, /^failed: \.\.\/secret is not in the folder/],
  ['bytes', { name: 'release', file: 'binary' }, /^failed: it is no text/],
  ['a large file', { name: 'release', file: 'large' }, /^failed: it has 300000 bytes; at most 262144 are read/],
  ['a name that no file can have', { name: 'release', file: 'a\0b' }, /^failed: /],
])('the tool is answered in words: %s', async (_what, input, told) => {
  expect(await skills()(input)).toMatch(told);
});

test('a file of a skill that a rule forbids to read is not read', async () => {
  const ask = skills(['release/notes/**']);
  expect(await ask({ name: 'release', file: 'notes/tags.md' })).toMatch(/^failed: .*a rule of the user forbids to read notes\/tags\.md/);
  expect(await ask({ name: 'release' })).toMatch(/^ok: Tag it/);
});
