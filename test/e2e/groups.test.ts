import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

/** Two groups that have said, kept and been told different things. */
async function twoGroups() {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000' });
  mkdirSync(world.home, { mode: 0o700 });
  const compaction = { maxMessages: 2, minMessagesBeforeCompact: 2, keepRecentMessages: 1, keepRecentTokens: 50 };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ compaction }));
  for (const [group, word] of [
    ['red', 'vermilion'],
    ['blue', 'ultramarine'],
  ] as const) {
    const folder = join(world.home, 'groups', group);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'SANBOT.md'), `Always say ${word}-house.`);
    const say = (text: string, ...more: readonly string[]) =>
      world.run(['-p', text, '--group', group, '--permission-mode', 'bypass', ...more]);
    await say(`We decided to use ${word} for the door`);
    const id = world.records('context/events.jsonl').at(-1)?.sessionId;
    for (const text of [`hello ${'and again '.repeat(500)}`, 'status', 'status']) await say(text, '--resume', String(id));
  }
  return world;
}

test('a group has none of the instructions, archives, memories and finds of another one', async () => {
  const { run, names, read, records, home } = await twoGroups();
  for (const [own, other, word, foreign] of [
    ['red', 'blue', 'vermilion', 'ultramarine'],
    ['blue', 'red', 'ultramarine', 'vermilion'],
  ] as const) {
    const pages = names(`groups/${own}/conversations`).map((name) => read(`groups/${own}/conversations/${name}`));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.join('\n')).toContain(word);
    expect(pages.join('\n')).not.toContain(foreign);
    const decisions = read(`groups/${own}/memory/extracted/decisions.md`);
    expect(decisions).toContain(word);
    expect(decisions).not.toContain(foreign);
    expect(JSON.parse((await run(['search', word, '--group', own, '--json'])).out).length).toBeGreaterThan(0);
    expect(JSON.parse((await run(['search', foreign, '--group', own, '--json'])).out)).toEqual([]);
    const recalled = await run(['-p', `recall ${foreign}`, '--group', own]);
    expect(recalled.out).toContain('Nothing was found');
    // Another group's files lie in SanBot's own folder, which no tool reads, whatever the mode.
    const asked = await run(['-p', `read ${home}/groups/${other}/SANBOT.md`, '--group', own, '--permission-mode', 'bypass']);
    expect(asked.out).toContain("lies in SanBot's own folder");
    expect(asked.out).not.toContain(`${foreign}-house`);
    const headers = names('sessions').flatMap((id) =>
      records(`sessions/${id}/log.jsonl`)
        .slice(0, 1)
        .map((header) => JSON.stringify(header)),
    );
    const mine = headers.filter((header) => header.includes(`"group":"${own}"`));
    expect(mine.length).toBeGreaterThan(0);
    for (const header of mine) {
      expect(header).toContain(`${word}-house`);
      expect(header).not.toContain(`${foreign}-house`);
    }
  }
});

test('a group may be named in any script', async () => {
  const { run, names, read, records } = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const group = ['--group', '工作'];
  expect((await run(['memory', 'add', 'We decided to use SQLite', ...group])).code).toBe(0);
  expect(read('groups/工作/memory/extracted/decisions.md')).toContain('SQLite');
  expect((await run(['-p', 'status', ...group])).code).toBe(0);
  const [id = ''] = names('sessions');
  expect(records(`sessions/${id}/log.jsonl`)[0]).toMatchObject({ group: '工作' });
  const [hit] = JSON.parse((await run(['search', 'SQLite', ...group, '--json'])).out);
  expect(hit.ref).toMatch(/^memory:工作:/);
  expect((await run(['show', hit.ref])).out).toContain('SQLite');
  expect(JSON.parse((await run(['search', 'SQLite', '--json'])).out)).toEqual([]);
  await run(['export', '--session', id, '-o', 'session.jsonl']);
  expect((await run(['import', 'session.jsonl'])).code).toBe(0);
});

test.each(['ÉTÉ', '../oben', '工/作', '.', 'con', '工'.repeat(65), ''])('a group cannot be named %j', async (name) => {
  const { run, names } = createSandbox({ SANBOT_PROVIDER: 'offline' });
  expect(await run(['memory', 'list', '--group', name])).toMatchObject({ code: 2, out: '' });
  expect(names('groups')).toEqual([]);
});

test('a letter and its mark name the same group as the letter with it', async () => {
  const { run, names } = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await run(['memory', 'add', 'We decided to use SQLite', '--group', 'caf\u00e9']);
  expect((await run(['memory', 'list', '--group', 'cafe\u0301'])).out).toContain('SQLite');
  expect(names('groups')).toEqual(['caf\u00e9']);
});
