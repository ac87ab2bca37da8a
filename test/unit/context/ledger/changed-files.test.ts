import { describe, expect, test } from 'vitest';
import { changedFiles } from '../../../../src/context/ledger/files/changed-files.ts';
import { toolCalls } from '../../../../src/context/ledger/tool-calls.ts';
import { type Message, messageSchema } from '../../../../src/domain/session/message.ts';
import { answers, calls } from '../../../support/build.ts';

type Ran = {
  readonly command: string;
  readonly files?: readonly string[];
  readonly deleted?: readonly string[];
  readonly name?: string;
  readonly isError?: boolean;
};

/** What a log gives back of commands that ran, with what was found changed after each. */
const session = (...ran: readonly Ran[]): readonly Message[] =>
  ran.flatMap(({ command, files = [], deleted = [], name = 'run_command', isError = false }, i) => {
    const id = `t${i}`;
    const changed = [{ toolUseId: id, files: [...files], deleted: [...deleted] }];
    return [
      calls({ id, name, input: { command } }),
      { ...answers({ id, content: 'done', isError }), ...(files.length + deleted.length > 0 && { changed }) },
    ].map((message) => messageSchema.parse(JSON.parse(JSON.stringify(message))));
  });

const ledgerOf = (...ran: readonly Ran[]) => {
  const { filesModified, filesDeleted } = changedFiles(toolCalls(session(...ran), () => undefined));
  return { filesModified, filesDeleted };
};

describe('the changed files of a ledger', () => {
  test('have those that a command was found to have changed, whatever it says and however it ended', () => {
    expect(
      ledgerOf(
        { command: 'node generate.js', files: ['src/gen/a.ts', '/tmp/甲'], deleted: ['old.ts'] },
        { command: 'make', files: ['out.h'], isError: true },
        { command: 'x', name: 'mcp__files__move', files: ['b'], deleted: ['a'] },
      ),
    ).toEqual({ filesModified: ['src/gen/a.ts', '/tmp/甲', 'out.h', 'b'], filesDeleted: ['old.ts', 'a'] });
  });

  test('name a file once that the command names from another folder', () => {
    expect(ledgerOf({ command: 'cd src && echo x > ./a.ts', files: ['src/a.ts'] }).filesModified).toEqual(['src/a.ts']);
    expect(ledgerOf({ command: 'echo x > a.ts', files: ['a.ts'] }).filesModified).toEqual(['a.ts']);
  });

  test('have nothing of what git brought in or took back', () => {
    const generated = { command: 'node generate.js', files: ['gen.ts'] };
    for (const command of ['git checkout main', 'git pull', 'git -C sub switch x', 'cd sub && git merge x'])
      expect(ledgerOf({ command, files: ['theirs.ts'], deleted: ['other.ts'] })).toEqual({ filesModified: [], filesDeleted: [] });
    expect(ledgerOf(generated, { command: 'git checkout .', files: ['gen.ts'] }).filesModified).toEqual([]);
    expect(ledgerOf(generated, { command: 'git reset --hard', deleted: ['gen.ts'] }).filesModified).toEqual([]);
    expect(ledgerOf(generated, { command: 'git commit -qam x', files: [] }).filesModified).toEqual(['gen.ts']);
  });

  test('follow what is deleted and made again', () => {
    const [make, remove] = [
      { command: 'node a.js', files: ['x'] },
      { command: 'node b.js', deleted: ['x'] },
    ];
    expect(ledgerOf(make, remove)).toEqual({ filesModified: [], filesDeleted: ['x'] });
    expect(ledgerOf(make, remove, make)).toEqual({ filesModified: ['x'], filesDeleted: [] });
  });
});
