import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSkills } from '../../../../src/runtime/prompt/find-skills.ts';
import { instructionFiles, instructionFilesBelow, leftOutBy } from '../../../../src/runtime/prompt/project-context.ts';
import { newFolder } from '../../store/files/world.ts';

test('instructions and skills that a rule forbids to read, or says to ask about, are left out, by each of their names', async () => {
  const cwd = realpathSync(newFolder());
  for (const folder of ['.git', 'sub', 'docs', '.claude/skills/a', '.claude/skills/b']) mkdirSync(join(cwd, folder), { recursive: true });
  for (const name of ['AGENTS.md', 'sub/CLAUDE.md', 'docs/more.md', 'docs/guide.md'])
    writeFileSync(join(cwd, name), `${name} @docs/more.md`);
  symlinkSync('docs/guide.md', join(cwd, 'CLAUDE.md'));
  for (const name of ['a', 'b']) writeFileSync(join(cwd, `.claude/skills/${name}/SKILL.md`), `---\nname: ${name}\ndescription: x\n---\n`);
  const read = async (deny: readonly string[], ask: readonly string[]) => {
    const rulesOf = (paths: readonly string[]) => paths.map((path) => ({ tool: 'read_file', path }));
    const isLeftOut = leftOutBy({ deny: rulesOf(deny), ask: rulesOf(ask) }, cwd);
    const { skills } = await findSkills({ cwd: () => cwd }, { home: join(cwd, 'home'), trustsProject: true, isLeftOut });
    return [
      ...instructionFiles(cwd, { isLeftOut }).map(({ path }) => path),
      ...instructionFilesBelow(cwd, 'sub/a.txt', isLeftOut).flatMap(({ files }) => files.map(({ path }) => path)),
      ...skills.map(({ name }) => name),
    ].sort();
  };
  expect(await read([], [])).toEqual(['AGENTS.md', 'CLAUDE.md', 'a', 'b', 'docs/more.md', 'sub/CLAUDE.md']);
  expect(await read(['AGENTS.md', 'docs/guide.md'], ['sub/**', '.claude/skills/b/**'])).toEqual(['a']);
  expect(await read(['docs/more.md'], [])).toEqual(['AGENTS.md', 'CLAUDE.md', 'a', 'b', 'sub/CLAUDE.md']);
});
