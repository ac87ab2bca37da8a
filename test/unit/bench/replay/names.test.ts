import { expect, test } from 'vitest';
import { createGrounding } from '../../../../bench/replay/measure/grounding.ts';
import { judgeReferences, mineReferences } from '../../../../bench/replay/measure/references.ts';
import { importTranscript } from '../../../../src/commands/sessions/recordings/import-transcript.ts';
import type { Step } from '../../../../src/domain/session/transcript.ts';
import { asClaudeCode, small } from '../../../support/recorded.ts';

test('a name in a summary that nobody said, called or printed is not grounded', () => {
  const [transcript] = importTranscript('small', asClaudeCode(small));
  const grounding = createGrounding(transcript?.steps ?? []);
  grounding.check('Renamed `parseTable` to `readTable`, see `writeTable`. Body: /replay/offloaded/0123456789abcdef0123456789abcdef.txt');
  expect(grounding.result()).toEqual({ identifiers: 3, grounded: 2, invented: ['writeTable'] });
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
