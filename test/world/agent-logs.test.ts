import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importTranscript } from '../../src/commands/sessions/recordings/import-transcript.ts';
import { isText, isToolUse } from '../../src/domain/session/message.ts';
import type { Transcript } from '../../src/domain/session/transcript.ts';
import { fewRuns } from '../support/runs.ts';
import { fileOf, histories, mishaps, write, writers } from './agent-logs.ts';

/** What came in of what was said, text for text: notices are the program's. */
const cameIn = ({ steps }: Transcript): readonly string[] =>
  steps.flatMap((step) => {
    if (step.type !== 'reply') return step.type === 'user' ? [step.text] : [];
    return step.content.flatMap((block) => {
      if (isText(block)) return [block.text];
      return isToolUse(block) ? [step.results.find(({ toolUseId }) => toolUseId === block.id)?.content ?? 'none'] : [];
    });
  });

const countOf = ({ leftOut }: Transcript, kind: string): number => leftOut.find((each) => each.kind === kind)?.count ?? 0;

test.each(Object.entries(writers))(
  'a log of %s gives what the conversation still holds, once and in order, and counts the rest [B-43, B-44]',
  (name, writer) => {
    fc.assert(
      fc.property(histories, mishaps, (history, mishap) => {
        const { lines, said, leftLines } = write(writer, history);
        const [transcript, ...others] = importTranscript('log', fileOf(lines, mishap));
        if (transcript === undefined) throw new Error('no conversation');
        expect([transcript.format, others]).toEqual([name, []]);
        expect(cameIn(transcript)).toEqual(said.held);
        expect(countOf(transcript, name === 'pi' ? 'other branch' : 'rewound') > 0).toBe(said.left.length > 0);
        if (name === 'claude-code' || name === 'qwen-code') expect(countOf(transcript, 'rewound')).toBe(leftLines);
        expect(transcript.damaged).toHaveLength(mishap.isCut ? 1 : 0);
      }),
      { numRuns: fewRuns(1_000) },
    );
  },
);

test('a log with lines gone, in another order or mixed with those of another program is refused or gives pairs that are whole [B-44]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(writers)),
      fc.constantFrom(...Object.values(writers)),
      histories,
      fc.infiniteStream(fc.nat()),
      (one, other, history, dice) => {
        const lines = [...write(one, history).lines, ...write(other, history).lines];
        const kept = lines.filter(() => (dice.next().value ?? 0) % 5 !== 0);
        const mixed = kept.map((line) => [dice.next().value ?? 0, JSON.stringify(line)] as const).toSorted(([a], [b]) => (a % 3) - (b % 3));
        try {
          for (const { steps } of importTranscript('log', mixed.map(([, text]) => text).join('\n')))
            for (const step of steps)
              if (step.type === 'reply')
                expect(step.results.map(({ toolUseId }) => toolUseId)).toEqual(step.content.filter(isToolUse).map(({ id }) => id));
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' });
        }
      },
    ),
    { numRuns: fewRuns(1_000) },
  );
});
