import { describe, expect, test } from 'vitest';
import { createFidelity } from '../../../src/replay/fidelity.ts';
import { createGrounding } from '../../../src/replay/grounding.ts';
import { importTranscript } from '../../../src/replay/import-transcript.ts';
import { createLookUp, termsOf } from '../../../src/replay/look-up.ts';
import { mineProbes } from '../../../src/replay/mine.ts';
import { contextOf, user } from '../../support/build.ts';
import { asClaudeCode, small } from '../../support/recorded.ts';

const [transcript] = importTranscript('small', asClaudeCode(small));
if (transcript === undefined) throw new Error('nothing imported');
const factsOf = (kind: string) =>
  mineProbes(transcript)
    .filter((probe) => probe.kind === kind)
    .map((probe) => probe.answer);

describe('facts mined from a conversation', () => {
  test('are the files that calls changed, and not those that were only read', () => {
    expect(factsOf('file')).toEqual(['src/table.ts']);
  });

  test('are the first line of a failed command that names the fault', () => {
    expect(factsOf('error')).toEqual(['Error: cannot find parseTabel']);
  });

  test('are what the user forbids or demands, in English and Chinese', () => {
    expect(factsOf('constraint')).toEqual(['Never touch the vendor folder.', '以后必须先跑测试。']);
  });

  test('are names in code, each once', () => {
    expect(factsOf('identifier')).toEqual(['parseTable', 'readTable']);
  });
});

describe('judging what is left of them', () => {
  const judged = (text: string) => {
    const fidelity = createFidelity(transcript);
    fidelity.judge(contextOf([user(text)]), { until: transcript.steps.length, round: 1, atEnd: true });
    return fidelity;
  };

  test('a fact whose words stand in the context is known, however it is set', () => {
    const { rounds } = judged('Constraint: **Never touch the\n  vendor folder.** Changed: `src/table.ts`');
    expect(rounds[0]?.kinds.constraint.inContext).toBe(1);
    expect(rounds[0]?.kinds.file).toEqual({ inContext: 1, oneLookUp: 0, lost: 0 });
  });

  test('a fact that is nowhere in the context is one look-up away when a query without the answer finds it', () => {
    const { rounds, misses } = judged('nothing of it');
    expect(rounds[0]?.kinds.error).toEqual({ inContext: 0, oneLookUp: 1, lost: 0 });
    expect(misses().map((miss) => miss.verdict)).not.toContain('inContext');
  });

  test('a fact whose message still stands whole in the context has not left and is not counted', () => {
    const { rounds } = judged('Rename parseTable. Never touch the vendor folder.');
    expect(rounds[0]?.kinds.constraint).toEqual({ inContext: 0, oneLookUp: 1, lost: 0 });
  });
});

describe('a look-up', () => {
  test('finds a result by its call, and nothing that came later than asked for', () => {
    const lookUp = createLookUp(transcript.steps);
    expect(lookUp.find(termsOf('npm test'), 2).join('\n')).toContain('cannot find parseTabel');
    expect(lookUp.find(termsOf('npm test'), 1)).toEqual([]);
  });

  test('finds Chinese by any two neighbouring characters', () => {
    expect(createLookUp(transcript.steps).find(termsOf('跑测'), 6)).toContain('谢谢。以后必须先跑测试。');
  });
});

test('a name in a summary that nobody said, called or printed is not grounded', () => {
  const grounding = createGrounding(transcript.steps);
  grounding.check('Renamed `parseTable` to `readTable`, see `writeTable`. Body: /replay/offloaded/0123abcd.txt');
  expect(grounding.result()).toEqual({ identifiers: 3, grounded: 2, invented: ['writeTable'] });
});
