import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { findCommands, findSkills } from '../../../../src/runtime/prompt/find-skills.ts';
import { afterThisTest } from '../../../support/clean-up.ts';

function createHome() {
  const home = mkdtempSync(join(tmpdir(), 'sanbot-skills-'));
  afterThisTest(() => rmSync(home, { recursive: true, force: true }));
  const put = (path: string, chars: number): void =>
    outputFileSync(join(home, path), `---\ndescription: ${'x'.repeat(chars)}\n---\nDo it.\n`);
  return { home, put, where: [{ cwd: () => home }, { home, trustsProject: false }] as const };
}

test('as many skills and commands as people have are read', async () => {
  const { put, where } = createHome();
  for (let n = 0; n < 200; n++) {
    put(`skills/s${n}/SKILL.md`, 1_000);
    put(`commands/c${n}.md`, 1_000);
  }
  expect([(await findSkills(...where)).skills.length, (await findCommands(...where)).commands.length]).toEqual([200, 200]);
});

test('front matter made to be long, file after file, is not parsed without end, and what is left out is told', async () => {
  const { put, where } = createHome();
  for (let n = 0; n < 60; n++) {
    put(`skills/s${n}/SKILL.md`, 16_000);
    put(`commands/c${n}.md`, 16_000);
  }
  const { skills, problems } = await findSkills(...where);
  const { commands, problems: others } = await findCommands(...where);
  expect([skills.length + problems.length, commands.length + others.length]).toEqual([60, 60]);
  expect([skills.length, commands.length]).toEqual([12, 12]);
  for (const { en } of [...problems, ...others]) expect(en).toContain('the front matter of all files together is too long');
});
