import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMeasure, SEED_RATIO } from '../../../../src/context/measure/measure.ts';
import { skillsBlock } from '../../../../src/context/prompt/system-prompt.ts';
import { configSchema } from '../../../../src/domain/config/config.ts';
import type { Skill } from '../../../../src/domain/session/skill.ts';
import { roughTokens } from '../../../../src/model/rough-tokens.ts';
import { choosePromptForm } from '../../../../src/runtime/prompt/render-system.ts';
import { toolSpecs } from '../../../../src/tools/tools.ts';
import { contextOf } from '../../../support/build.ts';
import { countTokens } from '../../../support/count-tokens.ts';
import { root } from '../../../support/source.ts';

const prompt = (name: string): string => readFileSync(join(root, 'prompts', `${name}.md`), 'utf8');
/** However many tools the servers have, no more of them stands in the list. */
const everything = { recall: true, remember: true, skills: true, mcp: [] };
const tools = toolSpecs({ describe: (name) => prompt(`tools/${name}`), ...everything });
const measure = createMeasure(countTokens);
const config = configSchema.parse({});
const baseIn = (windowTokens: number) => choosePromptForm({ render: prompt, tools }, { config, windowTokens });
/** As a session counts it before any usage is known, the provider's own text about tools included. */
const tokensIn = (windowTokens: number): number => measure.context(contextOf([], baseIn(windowTokens)), SEED_RATIO).tokens;

/** More than are listed, each with as much to say as there is room for. */
const skills = Array.from(
  { length: 30 },
  (_, i): Skill => ({
    name: `release-checklist-${i}`,
    description: `Steps ${i} for releasing a package: versions, changelog, tags, registries, signatures, announcements, and going back`,
    folder: `/home/dev/.sanbot/skills/release-checklist-${i}`,
    source: 'user',
  }),
);
const skillsTokens = Math.ceil(countTokens(skillsBlock({ skills, tokens: 2_000, weigh: roughTokens })) * SEED_RATIO);

/** What the tool for helpers may take. */
const ROOM_FOR_TASK = 350;

describe('the system prompt and the tools, with everything switched on', () => {
  test('stay under 4,900 tokens, the tools for servers among them, and what is told of skills under 2 % of the soft window', () => {
    const full = tokensIn(200_000) + (tools.some(({ name }) => name === 'task') ? 0 : ROOM_FOR_TASK);
    console.info(`base tokens: ${full} in full, ${tokensIn(8_000)} at 8k, ${tokensIn(4_096)} at 4k; skills ${skillsTokens}`);
    expect(full).toBeLessThan(4_900);
    expect(skillsTokens).toBeLessThan(2_000);
  });

  test('take 2,000 tokens at most in a window of 8k, and no more than before there were other tools in one of 4k', () => {
    expect(tokensIn(8_000)).toBeLessThanOrEqual(2_000);
    expect(tokensIn(8_192)).toBeLessThanOrEqual(2_000);
    expect(tokensIn(4_096)).toBeLessThanOrEqual(1_820);
  });

  test('are told below 16k without the tools that a small window has no room for', () => {
    const named = (windowTokens: number) => baseIn(windowTokens).tools.map(({ name }) => name);
    expect(named(16_000)).toEqual(tools.map(({ name }) => name));
    expect(named(15_999)).toEqual([
      ...['read_file', 'write_file', 'edit_file', 'list_files', 'search', 'run_command', 'todo', 'recall', 'remember'],
    ]);
    expect(named(4_000)).toEqual(['read_file', 'write_file', 'edit_file', 'list_files', 'search', 'run_command', 'recall']);
  });

  test('say what an engineer does', () => {
    const text = prompt('system');
    for (const said of ['tests', 'Git', 'conventions', 'todo list']) expect(text).toContain(said);
  });
});
