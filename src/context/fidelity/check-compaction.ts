import type { SessionContext } from '../../domain/session/context.ts';
import type { BodyRef, Message } from '../../domain/session/message.ts';
import { collectSteps, takeMessage } from '../history/collect-steps.ts';
import { allKinds, createFidelity, type FindPassages, sumTallies, type Tally } from './fidelity.ts';

export type CompactionSample = {
  /** All messages before the compaction, including the summary of an earlier one. */
  readonly before: readonly Message[];
  readonly after: SessionContext;
  readonly cwd: string;
  readonly bodyOf: (ref: BodyRef) => string | undefined;
};

/**
 * Tallies what became of the facts that left the context in one compaction: files changed, errors of failed commands, constraints,
 * decisions and identifiers. They are found by the same miners as in `npm run bench:replay`.
 * Rejects with what `find` rejects with.
 */
export async function checkCompaction({ before, after, cwd, bodyOf }: CompactionSample, find: FindPassages): Promise<Tally> {
  const collector = collectSteps();
  collector.cwd(cwd);
  for (const message of before) takeMessage(message, collector, bodyOf);
  const transcript = collector.finish('sanbot');
  const fidelity = createFidelity(transcript, find);
  await fidelity.judge(after, { until: transcript.steps.length, round: 1, atEnd: false });
  return sumTallies(fidelity.rounds.map(({ kinds }) => allKinds(kinds)));
}
