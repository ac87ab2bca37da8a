import { expect, test } from 'vitest';
import { readCommandFile, readFrontMatter } from '../../../../src/domain/session/skill-front-matter.ts';

const between = (...lines: readonly string[]): string => `---\n${lines.join('\n')}\n---\nbody`;
const bomb = ['a: &a [1,1,1,1,1,1,1,1,1]', 'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]', 'c: [*b,*b,*b,*b,*b,*b]', 'description: x'];

test('a skill has the name and the description of its front matter, else the name of its folder', () => {
  expect(readFrontMatter(between('name: release', 'description: How we\tdo\n  it.', 'license: MIT'), 'x')).toEqual({
    name: 'release',
    description: 'How we do it.',
  });
  expect(readFrontMatter(`\uFEFF${between('description: 发布')}`.replaceAll('\n', '\r\n'), '发布')).toEqual({
    name: '发布',
    description: '发布',
  });
});

test.each([
  ['nothing', '', /does not begin with front matter/],
  ['no front matter', 'Just text.', /does not begin with front matter/],
  ['front matter that never ends', '---\nname: a\ndescription: b\n', /does not begin with front matter/],
  ['front matter further down', `\n${between('description: b')}`, /does not begin with front matter/],
  ['bytes', '\0\u0001\ud800', /does not begin with front matter/],
  ['no YAML', between('name: ['), /not YAML/],
  ['a key twice', between('description: a', 'description: b'), /not YAML/],
  ['an alias of nothing', between('description: *gone'), /not YAML|no description/],
  ['aliases that multiply', between(...bomb), /no description/],
  ['a list', between('- a'), /no description/],
  ['a word', between('a'), /no description/],
  ['no description', between('name: a'), /no description/],
  ['an empty description', between('description: " "'), /no description/],
  ['a description that is no text', between('description: [a]'), /no description/],
  ['a name that is no text', between('name: 3', 'description: a'), /its name is not text/],
  ['a name with a blank', between('name: "a b"', 'description: a'), /not made of letters/],
  ['a name that is a path', between('name: ../../etc', 'description: a'), /not made of letters/],
  ['a name that is an option', between('name: --yes', 'description: a'), /not made of letters/],
  ['a name that colours', between('name: "\\e[31mred"', 'description: a'), /not made of letters/],
  ['a name without end', between(`name: ${'a'.repeat(65)}`, 'description: a'), /not made of letters/],
])('a SKILL.md with %s is told in words', (_what, text, told) => {
  expect(readFrontMatter(text, 'folder')).toMatchObject({ en: expect.stringMatching(told), zh: expect.stringMatching(/\p{Script=Han}/u) });
});

test('what is no YAML is told with its place, and not in full', () => {
  expect(readFrontMatter(between('name: a', 'description: "a" "b" "c"'), 'x')).toMatchObject({
    en: 'its front matter is not YAML: Unexpected double-quoted-scalar at node end at line 2, column 18',
  });
  expect(JSON.stringify(readFrontMatter(between(`description: ${'!'.repeat(15_000)}`), 'x')).length).toBeLessThan(500);
});

test.each([
  ['no text', '', 'a', /it has no text: write what it is to say/],
  ['front matter alone', '---\ndescription: x\n---\n', 'a', /it has no text: write what it is to say/],
  ['no YAML', '---\nx: [\n---\nDo.', 'a', /not YAML/],
  ['a list', '---\n- x\n---\nDo.', 'a', /its front matter is no list of fields: write description/],
  ['a description that is no text', '---\ndescription: [x]\n---\nDo.', 'a', /in its front matter description is not text/],
  ['a hint that is no text', '---\nargument-hint: 3\n---\nDo.', 'a', /in its front matter argument-hint is not text/],
  ['a name that cannot be typed', 'Do.', 'a b', /not made of letters/],
])('a command of one’s own with %s is told in words', (_what, text, name, told) => {
  expect(readCommandFile(text, name)).toMatchObject({ en: expect.stringMatching(told), zh: expect.stringMatching(/\p{Script=Han}/u) });
});

// A process of its own would end with the abort that a parser without this bound causes.
test.each(['{', '[', '{a: ', '- ', '? ', 'a: '])('front matter that nests %j without end is refused, and ends nothing', (unit) => {
  for (const length of [4_000, 16_000, 1_000_000]) {
    const source = `---\ndescription: x\na: [${unit.repeat(length / unit.length)}\n---\nDo.`;
    expect(readFrontMatter(source, 'a')).toMatchObject({ en: expect.stringMatching(/nested too deeply|longer than/) });
    expect(readCommandFile(source, 'a')).toMatchObject({ en: expect.stringMatching(/nested too deeply|longer than/) });
  }
});

test('front matter in the form of a list, or with many brackets, is read', () => {
  const tools = `[${Array.from({ length: 150 }, (_, n) => `tool-${n}`).join(', ')}]`;
  expect(readFrontMatter(`---\ndescription: a - b - c\nallowed-tools: ${tools}\n---\n`, 'a')).toMatchObject({ name: 'a' });
});

test('takes a text with a colon in it without quotes, as people write it', () => {
  const read = readFrontMatter(
    '---\nname: review\ndescription: Use when asked: "review": all of it \nlicense: MIT: see LICENSE\n---\n',
    'x',
  );
  expect(read).toEqual({ name: 'review', description: 'Use when asked: "review": all of it' });
  expect(readFrontMatter('---\ndescription: a: b\nname: [\n---\n', 'x')).toMatchObject({ en: expect.stringContaining('not YAML') });
});
