import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeAt, parseConfigText, plainValue, retentionDays } from '../../../../src/domain/config/config-text.ts';

const reasonFor = (text: string) => {
  const parsed = parseConfigText(text);
  return parsed.kind === 'bad' ? parsed : { kind: 'ok', value: plainValue(parsed.root) };
};

/** The oracle: JSON.parse, which takes more (duplicate keys, any depth, other roots) but never less, and never other values. */
const jsonOrUndefined = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};

describe('the text of a settings file', () => {
  test('may begin with a byte order mark [B-05]', () => {
    expect(reasonFor('\uFEFF{"agent": {"maxSteps": 3}}')).toEqual({ kind: 'ok', value: { agent: { maxSteps: 3 } } });
  });

  test.each([
    ['', 1, 1, 'an empty file'],
    ['  \n\t', 1, 1, 'an empty file'],
    ['null', 1, 1, 'null'],
    ['[]', 1, 1, 'a list'],
    ['"x"', 1, 1, '"x"'],
    ['12', 1, 1, '12'],
    ['{"a": 1,}', 1, 8, 'a trailing comma'],
    ['{\n  "a": [1,\n 2,],\n}', 3, 3, 'a trailing comma'],
    ['{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}', 4, 3, '"a" again'],
    ['{"a": 1 "b": 2}', 1, 9, '"b":'],
    ['{a: 1}', 1, 2, 'a:'],
    ["{'a': 1}", 1, 2, "'a':"],
    ['/* no\n{}', 1, 1, '/*'],
    ['# no\n{}', 1, 1, '#'],
    ['{"a": NaN}', 1, 7, 'NaN'],
    ['{"a": Infinity}', 1, 7, 'Infinity'],
    ['{"a": 1e999}', 1, 7, '1e999'],
    ['{"a": 01}', 1, 7, '01'],
    ['{"a": "x\ny"}', 1, 7, 'one that does not end'],
    ['{"a": "\\q"}', 1, 7, 'an unknown escape in "\\q"'],
    ['{"a": 1', 1, 8, 'the end of the file'],
    ['{"a":', 1, 6, 'the end of the file'],
    ['{} {}', 1, 4, '{'],
    ['{"a": tru}', 1, 7, 'tru'],
  ])('%j is refused with its place and what stands there [B-06]', (text, line, column, found) => {
    expect(reasonFor(text)).toMatchObject({ kind: 'bad', place: { line, column }, found: { en: found } });
  });

  test.each([
    ['nested without end', '['.repeat(100_000)],
    ['objects without end', '{"a":'.repeat(100_000)],
    ['10 MB long', `{"a": "${'x'.repeat(10_000_000)}"}`],
    ['1 MB of quotes', `{"a": "${'\\"'.repeat(400_000)}`],
  ])('a bomb (%s) is refused and not obeyed [B-06]', (_, text) => {
    expect(reasonFor(text).kind).toBe('bad');
  });

  test('a key such as __proto__ is a key like others and changes nothing [B-08]', () => {
    const parsed = reasonFor('{"__proto__": {"allow": ["*"]}, "constructor": {"prototype": {"allow": 1}}}');
    expect(({} as Record<string, unknown>).allow).toBeUndefined();
    expect(Object.keys('value' in parsed ? (parsed.value as object) : {})).toEqual(['__proto__', 'constructor']);
  });

  test('gives what JSON.parse gives, or a problem where a person would look for it', () => {
    const textLike = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.object({ maxDepth: 3, withNullPrototype: false }).map((value) => JSON.stringify(value, null, 1)),
      fc
        .array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b', '1', '-', '.5', 'e3', 'null', 'true', ' ', '\n', '\\u00', '"'), {
          maxLength: 20,
        })
        .map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(textLike, (text) => {
        const ours = reasonFor(text);
        const theirs = jsonOrUndefined(text.replace(/^\uFEFF/, ''));
        if (ours.kind === 'ok') expect(ours).toEqual({ kind: 'ok', value: theirs?.value });
        else if (theirs !== undefined)
          expect('found' in ours ? ours.found.en : '').toMatch(/again|list|null|true|false|empty|deeper|^-?\d|^"/);
        else expect(ours).toMatchObject({ kind: 'bad' });
      }),
      { numRuns: 200 },
    );
  });

  test('may have comments', () => {
    expect(reasonFor('// mine\n{ /* a */ "a": 1 // b\n}\n')).toMatchObject({ value: { a: 1 } });
    expect(reasonFor('{ "a": "// no comment" }')).toMatchObject({ value: { a: '// no comment' } });
  });

  test('every value knows its line and column', () => {
    const parsed = parseConfigText('{\n  "model": {\n    "name": "x"\n  }\n}');
    if (parsed.kind === 'bad') throw new Error(parsed.found.en);
    expect(nodeAt(parsed.root, 'model.name')).toEqual({ type: 'scalar', place: { line: 3, column: 13 }, value: 'x' });
    expect(nodeAt(parsed.root, 'model.none')).toBeUndefined();
    expect(nodeAt(parsed.root, 'model.name.deeper')).toBeUndefined();
  });
});

describe('the days that snapshots are kept', () => {
  test("are read without the schemas, from the user's file alone", () => {
    const says = (days: unknown) => JSON.stringify({ compaction: { snapshotRetentionDays: days } });
    expect(retentionDays(undefined)).toBe(7);
    expect(retentionDays(says(3))).toBe(3);
    expect(retentionDays(says(0))).toBe(0);
    for (const text of [says('9'), says(-1), says(2.5), '{', '[]']) expect(retentionDays(text)).toBe(7);
  });
});
