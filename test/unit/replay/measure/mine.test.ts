import { describe, expect, test } from 'vitest';
import { importTranscript } from '../../../../src/replay/import/import-transcript.ts';
import type { Step } from '../../../../src/replay/import/transcript.ts';
import { createFidelity } from '../../../../src/replay/measure/fidelity.ts';
import { createGrounding } from '../../../../src/replay/measure/grounding.ts';
import { mineProbes } from '../../../../src/replay/measure/mine.ts';
import { firstErrorLine, onlyLooks } from '../../../../src/replay/measure/mine-calls.ts';
import { statesDecision } from '../../../../src/replay/measure/mine-text.ts';
import { judgeReferences, mineReferences } from '../../../../src/replay/measure/references.ts';
import { queryWords } from '../../../../src/replay/measure/terms.ts';
import type { FindPassages } from '../../../../src/replay/replay-store.ts';
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

test('a name in a summary that nobody said, called or printed is not grounded', () => {
  const grounding = createGrounding(transcript.steps);
  grounding.check('Renamed `parseTable` to `readTable`, see `writeTable`. Body: /replay/offloaded/0123456789abcdef0123456789abcdef.txt');
  expect(grounding.result()).toEqual({ identifiers: 3, grounded: 2, invented: ['writeTable'] });
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

test('names used again are those of things, not the settings of a call, and a path is known by its end', async () => {
  const call = (id: string, input: object): Step => ({
    type: 'reply',
    content: [{ type: 'tool_use', id, name: 'Search', input }],
    results: [{ toolUseId: id, ok: true, content: 'found' }],
  });
  const input = {
    path: '/home/ann/boat/src/sails/main_sail.ts',
    output_mode: 'files_with_matches',
    timeout: 300_000,
    pattern: 'reef_points',
  };
  const steps: readonly Step[] = [
    { type: 'user', text: 'look at the sails' },
    call('a', input),
    { type: 'user', text: 'water '.repeat(20_000) },
    call('b', input),
  ];
  const references = mineReferences({ steps }, (text) => Math.ceil(text.length / 4)).get(3) ?? [];
  expect(references.map(({ name }) => name).toSorted()).toEqual(['/home/ann/boat/src/sails/main_sail.ts', 'reef_points']);
  const context = { system: '', shortTermSummary: 'changed src/sails/main_sail.ts', tools: [], messages: [], anchorFloor: 0 };
  expect(await judgeReferences(references, context, async () => ['see reef_points'])).toEqual({ inContext: 1, oneLookUp: 1, lost: 0 });
  expect(await judgeReferences(references, { ...context, shortTermSummary: 'main_sail.ts' }, async () => [])).toEqual({
    ...{ inContext: 0, oneLookUp: 0, lost: 2 },
  });
});
