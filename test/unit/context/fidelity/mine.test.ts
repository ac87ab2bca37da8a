import { describe, expect, test } from 'vitest';
import { createFidelity } from '../../../../bench/replay/measure/fidelity.ts';
import { importTranscript } from '../../../../src/commands/sessions/recordings/import-transcript.ts';
import { type FindPassages, queryWords } from '../../../../src/context/fidelity/fidelity.ts';
import { firstErrorLine, mineProbes, onlyLooks, statesDecision } from '../../../../src/context/fidelity/mine.ts';
import { contextOf, user } from '../../../support/build.ts';
import { asClaudeCode, small } from '../../../support/recorded.ts';

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
  /** Finds every text of the session that has one of the words. */
  const find: FindPassages = async (words) => texts.filter((text) => words.some((word) => text.toLowerCase().includes(word)));
  const texts = transcript.steps.flatMap((step) =>
    step.type === 'reply'
      ? step.results.map(({ content, toolUseId }) => `${toolUseId === 'c2' ? 'npm test' : ''} ${content}`)
      : [step.text],
  );
  const judged = async (text: string, look: FindPassages = find) => {
    const fidelity = createFidelity(transcript, look);
    await fidelity.judge(contextOf([user(text)]), { until: transcript.steps.length, round: 1, atEnd: true });
    return fidelity;
  };

  test('a fact whose words stand in the context is known, however it is set', async () => {
    const { rounds } = await judged('Constraint: **Never touch the\n  vendor folder.** Changed: `src/table.ts`');
    expect(rounds[0]?.kinds.constraint.inContext).toBe(1);
    expect(rounds[0]?.kinds.file).toEqual({ inContext: 1, oneLookUp: 0, lost: 0 });
  });

  test('a fact that is nowhere in the context is one look-up away when a query without the answer finds it', async () => {
    const { rounds, misses } = await judged('nothing of it');
    expect(rounds[0]?.kinds.error).toEqual({ inContext: 0, oneLookUp: 1, lost: 0 });
    expect(misses().map((miss) => miss.verdict)).not.toContain('inContext');
  });

  test('a fact whose message still stands whole in the context has not left and is not counted', async () => {
    const { rounds } = await judged('Rename parseTable. Never touch the vendor folder.');
    expect(rounds[0]?.kinds.constraint).toEqual({ inContext: 0, oneLookUp: 1, lost: 0 });
  });
});

test('the words of a look-up are few and none of them is a word of the answer', () => {
  const words = queryWords('src/table.ts', {
    topic: 'rename the table in src',
    cue: '跑测试 with npm, then compile the vendored parser once more',
  });
  expect(words).toEqual(['rename', 'the', 'in', 'vendored', 'compile', 'parser', 'with', 'then']);
});

test('a look at what is not there, and the lines of a debugger, are no errors to remember', () => {
  expect(onlyLooks('cd src && grep -n mast none.ts')).toBe(true);
  expect(onlyLooks('npm test | grep mast')).toBe(false);
  expect(firstErrorLine('Error in the js-debug bootloader, please report\nmast.ts: cannot find the sail')).toBe(
    'mast.ts: cannot find the sail',
  );
});

test('no decision is the next step, what another one chose, or what would be if', () => {
  for (const said of [
    "Let's take a closer look at the mast.",
    "I'll use the sailing agent to look at the mast.",
    'This is fine (the user chose to sail alone).',
    'If we go with option 2, the mast is shorter.',
  ])
    expect(statesDecision(said), said).toBe(false);
  for (const said of ["Let's go with the short mast.", "We'll use a mast of wood.", 'We decided to sail alone.'])
    expect(statesDecision(said), said).toBe(true);
});
