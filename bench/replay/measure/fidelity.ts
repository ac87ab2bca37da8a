/** How much of a replayed session is known after each of its compactions, by kind of fact. */

import {
  type FindPassages,
  isFound,
  judgeFacts,
  type RecallVerdict,
  soughtIn,
  type Tally,
  tallyOf,
} from '../../../src/context/fidelity/fidelity.ts';
import { type Probe, type ProbeKind, probeKinds } from '../../../src/context/fidelity/mine.ts';
import type { SessionContext } from '../../../src/domain/session/context.ts';
import type { Transcript } from '../../../src/domain/session/transcript.ts';

export const emptyTally: Tally = tallyOf([]);

export const sumTallies = (all: readonly Tally[]): Tally =>
  all.reduce((a, b) => ({ inContext: a.inContext + b.inContext, oneLookUp: a.oneLookUp + b.oneLookUp, lost: a.lost + b.lost }), emptyTally);

export const totalOf = (tally: Tally): number => tally.inContext + tally.oneLookUp + tally.lost;

export type TalliesByKind = Readonly<Record<ProbeKind, Tally>>;

export type JudgedProbe = {
  readonly kind: ProbeKind;
  readonly answer: string;
  readonly verdict: RecallVerdict;
  readonly step: number;
  readonly round: number;
};

/** One judgement of the context: right after a compaction (its number, from 1), or at the end. */
export type RoundFidelity = { readonly round: number; readonly atEnd: boolean; readonly kinds: TalliesByKind };

/** `find` looks up in what the replayed session contains at that moment. */
export function createFidelity(transcript: Transcript, find: FindPassages) {
  const sought = soughtIn(transcript);
  const rounds: RoundFidelity[] = [];
  const lookUps = new Map<Probe, { readonly until: number; readonly isFound: boolean }>();
  let lastJudged: readonly JudgedProbe[] = [];
  return {
    rounds,
    /** Facts that were not in the context at the last judgement, lost ones first. */
    misses: (): readonly JudgedProbe[] => lastJudged.filter(({ verdict }) => verdict !== 'inContext').sort((a, b) => rank(a) - rank(b)),
    /** Judges every fact of the steps before `until` whose source is no longer whole in the context. */
    judge: async (context: SessionContext, { until, round, atEnd }: Omit<RoundFidelity, 'kinds'> & { readonly until: number }) => {
      const facts = sought.filter(({ probe }) => probe.step < until);
      const judged = await judgeFacts(facts, context, async (fact) => {
        const earlier = lookUps.get(fact.probe);
        if (earlier !== undefined && until < earlier.until * RECHECK_GROWTH) return earlier.isFound;
        const found = await isFound(fact, context, find);
        lookUps.set(fact.probe, { until, isFound: found });
        return found;
      });
      lastJudged = judged.map(({ probe: { kind, answer, step }, verdict }) => ({ kind, answer, verdict, step, round }));
      rounds.push({ round, atEnd, kinds: byKind((kind) => tallyOf(lastJudged.filter((each) => each.kind === kind))) });
    },
  };
}

/** A look-up is repeated once the conversation has grown by a quarter since then: more text changes the ranks. */
const RECHECK_GROWTH = 1.25;

const rank = ({ verdict }: JudgedProbe): number => (verdict === 'lost' ? 0 : 1);

export const sumKinds = (all: readonly TalliesByKind[]): TalliesByKind => byKind((kind) => sumTallies(all.map((kinds) => kinds[kind])));

const byKind = (tally: (kind: ProbeKind) => Tally): TalliesByKind => ({
  file: tally('file'),
  error: tally('error'),
  constraint: tally('constraint'),
  decision: tally('decision'),
  identifier: tally('identifier'),
});

export const allKinds = (kinds: TalliesByKind): Tally => sumTallies(probeKinds.map((kind) => kinds[kind]));
