import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsFault } from '../../../../src/agent/turn/arguments-fault.ts';
import { INVALID_JSON } from '../../../../src/domain/session/admit-reply.ts';
import { parseJson } from '../../../../src/domain/value/json.ts';
import { runs } from '../../../support/runs.ts';

const faultOf = (text: string): string | undefined => argumentsFault({ input: { [INVALID_JSON]: text } })?.message;

describe('what is wrong with arguments [W5]', () => {
  test.each([
    ['{"path":"a" "b"}', '"\\"" at line 1, column 13 (character 13 of 16) cannot stand behind "{\\"path\\":\\"a\\" "'],
    ['{\n"a": 1,\n}', '"}" at line 3, column 1 (character 11 of 11) cannot stand behind'],
    ['{"a":', 'it ends at line 1, column 6, before the object does'],
    ['{"a":"tru', 'it ends at line 1, column 10, before the object does'],
    ['{"a":"x\ny"}', '"\\n" at line 1, column 8 (character 8 of 11)'],
    ['read a.txt', '"r" at line 1, column 1 (character 1 of 10) begins none'],
    ["{'a':1}", '"\'" at line 1, column 2'],
    ['[1]', 'it is a list'],
    ['7', 'it is a number'],
    ['{"a":1}}', '"}" at line 1, column 8'],
    ['{"路径":"读"文件"}', '"文" at line 1, column 10'],
  ])('%s', (text, expected) => {
    expect(faultOf(text)).toContain(expected);
    expect(faultOf(text)).not.toContain(INVALID_JSON);
  });

  test('is nothing where they are an object', () => {
    expect(argumentsFault({ input: { path: 'a' } })).toBeUndefined();
    expect(argumentsFault({ input: {} })).toBeUndefined();
  });

  test('is somewhere in every text that is no JSON, and nowhere in JSON', () => {
    const cut = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '}', ',', 'x', '\\', '\u0000')).map(([json, at, more]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + more + json.slice(place + 1);
    });
    fc.assert(
      fc.property(fc.oneof(fc.json(), cut, fc.string()), (text) => {
        const fault = faultOf(text);
        expect(fault).toMatch(parseJson(text) === undefined ? /character|before the object does|begins none/ : /: it is /);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
