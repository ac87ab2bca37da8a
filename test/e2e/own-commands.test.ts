import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/domain/session/message.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { startTalk, talkToBinary } from '../support/talk.ts';

const sent = (fake: FakeApi): string => textOf(fake.requests.at(-1)?.request.messages.at(-1)?.content ?? []);
const write = (folder: string, name: string, text: string): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
};
const userFolder = (world: Sandbox): string => join(world.home, 'commands');
const projectFolder = (world: Sandbox): string => join(world.cwd, '.sanbot', 'commands');

describe('a command of the user’s own', () => {
  test('is in the menu with what it does, and sends its text with the words in their places', async () => {
    const world = createSandbox();
    write(
      userFolder(world),
      'review.md',
      '---\ndescription: Look for faults\nargument-hint: "[file]"\n---\nRead $2, then $1. All: $ARGUMENTS\n',
    );
    const { terminal, fake } = await talkToBinary({ world });
    terminal.send('/rev');
    await terminal.waitForScreen(/\/review \[file\]\s+Look for faults/);
    terminal.send('iew "a b.ts" c.ts\r');
    await terminal.waitFor('reply 0');
    expect(sent(fake)).toBe('Read c.ts, then a b.ts. All: "a b.ts" c.ts');
    await terminal.waitFor(/> $/);
    terminal.send('/help review\r');
    await terminal.waitFor('/review [file]: Look for faults');
  });

  test('without places for words has them at its end, and needs no front matter', async () => {
    const world = createSandbox();
    write(userFolder(world), 'shout.md', 'Say it loudly.\n');
    const { terminal, fake } = await talkToBinary({ world });
    terminal.send('/shout hello there\r');
    await terminal.waitFor('reply 0');
    expect(sent(fake)).toBe('Say it loudly.\n\nhello there');
  });

  test('with a name that something else has is told, and the first one wins', async () => {
    const world = createSandbox();
    write(userFolder(world), 'cost.md', 'Mine.');
    write(userFolder(world), 'two.md', 'The user’s.');
    write(projectFolder(world), 'two.md', 'The project’s.');
    write(projectFolder(world), 'three.md', 'The project’s three.');
    for (const [folder, name] of [
      [world.home, 'two'],
      [world.home, 'three'],
      [join(world.cwd, '.agents'), 'four'],
    ] as const)
      write(join(folder, 'skills', name), 'SKILL.md', `---\nname: ${name}\ndescription: A skill.\n---\nDo it.`);
    write(userFolder(world), 'broken.md', '---\ndescription: [\n---\nx');
    const { terminal, fake } = await talkToBinary({ world, args: ['--trust'] });
    for (const line of [
      /Your command cost is not used/,
      /two\.md\s+is\s+left\s+out:/,
      /\/two\s+is\s+your\s+command;\s+ask\s+for\s+the\s+skill\s+two\s+in\s+words/,
      /\/three\s+is\s+your\s+command;\s+ask\s+for\s+the\s+skill\s+three\s+in\s+words/,
      /broken\.md\s+is\s+left\s+out:\s+its\s+front\s+matter\s+is\s+not\s+YAML/,
    ])
      expect(terminal.text()).toMatch(line);
    terminal.send('/cost\r');
    await terminal.waitFor(/> $/);
    terminal.send('/two\r');
    await terminal.waitFor('reply 0');
    expect(sent(fake)).toBe('The user’s.');
    terminal.send('/three\r');
    await terminal.waitFor('reply 1');
    expect(sent(fake)).toBe('The project’s three.');
    terminal.send('/four\r');
    await terminal.waitFor('reply 2');
    expect(sent(fake)).toBe('Use the skill four.');
  });
});

describe('a command of a project', () => {
  test('that leads to a file with keys, or out of the project, is not there [S-18]', async () => {
    const world = createSandbox();
    writeFileSync(join(world.cwd, '.env'), 'API_KEY=4711');
    writeFileSync(join(world.cwd, '..', 'other.md'), 'other');
    mkdirSync(projectFolder(world), { recursive: true });
    symlinkSync('../../.env', join(projectFolder(world), 'keys.md'));
    symlinkSync('../../../other.md', join(projectFolder(world), 'outside.md'));
    const listed = await world.run(['trust', 'add', '--yes']);
    expect(listed.out + listed.err).not.toMatch(/keys\.md|outside\.md/);
    const { terminal } = await talkToBinary({ world });
    for (const name of ['keys', 'outside']) {
      terminal.send(`/${name}\r`);
      await terminal.waitFor(`There is no command /${name}.`);
    }
    terminal.kill('SIGKILL');
    await terminal.exit;
  });

  test('is not there until the folder is trusted, stands in the list, and needs a new yes when it changes [S-18]', async () => {
    const world = createSandbox();
    write(projectFolder(world), 'deploy.md', 'Deploy it.');
    const first = await startTalk({ world });
    await first.terminal.waitFor(/commands of its own:\s+\.sanbot\/commands\/deploy\.md/);
    await first.terminal.waitFor('Trust this folder?');
    first.terminal.send('n\r');
    await first.terminal.waitFor(/> $/);
    first.terminal.send('/deploy\r');
    await first.terminal.waitFor('There is no command /deploy.');
    first.terminal.send('/quit\r');
    await first.terminal.exit;

    expect((await world.run(['trust', 'add', '--yes'])).code).toBe(0);
    const second = await talkToBinary({ world });
    second.terminal.send('/deploy\r');
    await second.terminal.waitFor('reply 0');
    expect(sent(second.fake)).toBe('Deploy it.');
    second.terminal.kill('SIGKILL');
    await second.terminal.exit;

    write(projectFolder(world), 'deploy.md', 'Delete it.');
    const third = await startTalk({ world });
    await third.terminal.waitFor(/The commands of \S+\s+have\s+changed since you trusted it\./);
    await third.terminal.waitFor('Trust this folder?');
    third.terminal.send('n\r');
    await third.terminal.waitFor(/> $/);
    third.terminal.send('/deploy\r');
    await third.terminal.waitFor('There is no command /deploy.');
    expect(third.fake.requests).toEqual([]);
  });
});
