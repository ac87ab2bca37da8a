import { describe, expect, test } from 'vitest';
import { completeLine } from '../../../../src/terminal/input/complete-line.ts';

const there = ['my docs/', 'my docs/a b.txt', 'my docs/c.txt', 'my-file', 'plain/', 'plain/x.txt', 'sa"id so', '一 份.md'];

/** As a folder answers: what begins so, up to the next slash. */
const files = async (prefix: string): Promise<readonly string[]> =>
  there.filter((path) => path.startsWith(prefix) && !/\/./.test(path.slice(prefix.length)));

const choices: Readonly<Record<string, readonly { readonly text: string; readonly detail: string }[]>> = {
  resume: [
    { text: '20260201-1122', detail: 'an hour ago  Fix the login' },
    { text: '20260131-9911', detail: 'yesterday  Write the notes' },
  ],
};

/** What is offered, and what of the line it replaces. */
async function completed(before: string): Promise<readonly [readonly string[], string] | undefined> {
  const completion = await completeLine(before, { files, own: [], arguments: async (command) => choices[command] ?? [] });
  return completion && [completion.items.map(({ insert }) => insert), completion.replaced];
}

describe('a path after an @', () => {
  test.each([
    ['read @pl', ['@plain/'], '@pl'],
    ['read @my', ['@"my docs/', '@"my-file"'], '@my'],
    ['read @"my', ['@"my docs/', '@"my-file"'], '@"my'],
    ['read @"my docs/', ['@"my docs/', '@"my docs/a b.txt"', '@"my docs/c.txt"'], '@"my docs/'],
    ['read @"my docs/a b', ['@"my docs/a b.txt"'], '@"my docs/a b'],
    ['@一', ['@"一 份.md"'], '@一'],
    ['read @sa', ['@sa"id so'], '@sa'],
    ['read @"my docs/c.txt" and @plain/', ['@plain/', '@plain/x.txt'], '@plain/'],
  ])('%s is completed, in quotes where there is a blank in it', async (before, candidates, replaced) => {
    expect(await completed(before)).toEqual([candidates, replaced]);
  });

  test('is not looked for behind a quote that has ended, or in an address', async () => {
    for (const before of ['read @"my docs/c.txt" and', 'write to me@pl']) expect(await completed(before)).toBeUndefined();
  });

  test('with nothing typed of it yet, a blank in one of many puts no quotes around the others', async () => {
    const [candidates] = (await completed('read @')) ?? [];
    expect(candidates).toContain('@"my docs/');
    expect(candidates).toContain('@plain/');
  });
});

describe('a command', () => {
  test.each([
    ['/ro', ['/rollback ', '/background']],
    ['/res', ['/resume ']],
    ['/co', ['/context', '/compact ', '/cost', '/config ']],
    ['/back', ['/background', '/rollback ']],
    ['/context now', []],
    ['a /co', undefined],
  ])('%s can be %j', async (before, offered) => {
    expect((await completed(before))?.[0]).toEqual(offered);
  });
});

describe('what stands behind a command', () => {
  test.each([
    ['/resume ', ['20260201-1122', '20260131-9911'], ''],
    ['/resume 2026013', ['20260131-9911'], '2026013'],
    ['/resume LOGIN', ['20260201-1122'], 'LOGIN'],
    ['/resume 20260131-9911', [], '20260131-9911'],
    ['/resume no such', [], 'no such'],
    ['/export my', ['"my docs/"', 'my-file'], 'my'],
  ])('%s can be %j', async (before, offered, replaced) => {
    expect(await completed(before)).toEqual([offered, replaced]);
  });

  test('is not chosen until somebody does', async () => {
    const completion = await completeLine('/resume ', { files, own: [], arguments: async () => choices.resume ?? [] });
    expect(completion).toMatchObject({ isOptional: true, items: [{ label: '20260201-1122', detail: 'an hour ago  Fix the login' }, {}] });
  });
});
