import type { SessionContext } from '../../domain/session/context.ts';
import { isText, isToolResult, isToolUse, type Message, resultText } from '../../domain/session/message.ts';
import type { Transcript } from '../import/transcript.ts';
import type { FindPassages } from '../place.ts';
import { callSource, mineProbes, type Probe, type ProbeKind, probeKinds } from './mine.ts';
import { sumTallies, type Tally, type Verdict } from './tally.ts';
import { queryWords, stringsIn, termsOf } from './terms.ts';

export type ByKind = Readonly<Record<ProbeKind, Tally>>;

export type Judged = {
  readonly kind: ProbeKind;
  readonly answer: string;
  readonly verdict: Verdict;
  readonly step: number;
  readonly round: number;
};

/** One look at the context: right after a compaction (its number, from 1), or at the end. */
export type RoundFidelity = { readonly round: number; readonly atEnd: boolean; readonly kinds: ByKind };

export type Fidelity = {
  /** Judges every fact of the steps before `until` whose source no longer stands whole in the context. */
  readonly judge: (
    context: SessionContext,
    at: { readonly until: number; readonly round: number; readonly atEnd: boolean },
  ) => Promise<void>;
  readonly rounds: readonly RoundFidelity[];
  /** Facts not in context at the last look, lost ones first. */
  readonly misses: () => readonly Judged[];
};

/** `find` looks up in what the replayed session holds at that moment. */
export function createFidelity(transcript: Transcript, find: FindPassages): Fidelity {
  const probes = mineProbes(transcript).map((probe) => ({ probe, needles: needlesOf(probe, transcript.cwd), query: queryOf(probe) }));
  const rounds: RoundFidelity[] = [];
  const found = new Map<Probe, { readonly until: number; readonly yes: boolean }>();
  let last: readonly Judged[] = [];

  const canBeFound = async (probe: Probe, needles: readonly string[], query: readonly string[], until: number): Promise<boolean> => {
    const known = found.get(probe);
    if (known !== undefined && until < known.until * STILL_KNOWN) return known.yes;
    const yes = query.length > 0 && (await find(query)).some((passage) => hasOne(plain(passage), needles));
    found.set(probe, { until, yes });
    return yes;
  };

  return {
    rounds,
    misses: () => last.filter(({ verdict }) => verdict !== 'inContext').sort((a, b) => rank(a) - rank(b)),
    judge: async (context, { until, round, atEnd }) => {
      const view = viewOf(context);
      const judged: Judged[] = [];
      for (const { probe, needles, query } of probes) {
        if (probe.step >= until || view.whole.has(probe.source)) continue;
        const verdict = view.holds(needles) ? 'inContext' : (await canBeFound(probe, needles, query, until)) ? 'oneLookUp' : 'lost';
        judged.push({ kind: probe.kind, answer: probe.answer, verdict, step: probe.step, round });
      }
      last = judged;
      rounds.push({ round, atEnd, kinds: tallied(judged) });
    },
  };
}

/** A look-up is done anew once the conversation has grown by a quarter since: more text, other ranks. */
const STILL_KNOWN = 1.25;

const rank = ({ verdict }: Judged): number => (verdict === 'lost' ? 0 : 1);

function tallied(judged: readonly Judged[]): ByKind {
  const of = (kind: ProbeKind, verdict: Verdict): number => judged.filter((each) => each.kind === kind && each.verdict === verdict).length;
  const tally = (kind: ProbeKind): Tally => ({
    inContext: of(kind, 'inContext'),
    oneLookUp: of(kind, 'oneLookUp'),
    lost: of(kind, 'lost'),
  });
  return {
    file: tally('file'),
    error: tally('error'),
    constraint: tally('constraint'),
    decision: tally('decision'),
    identifier: tally('identifier'),
  };
}

export function sumKinds(all: readonly ByKind[]): ByKind {
  const sum = (kind: ProbeKind): Tally => sumTallies(all.map((kinds) => kinds[kind]));
  return {
    file: sum('file'),
    error: sum('error'),
    constraint: sum('constraint'),
    decision: sum('decision'),
    identifier: sum('identifier'),
  };
}

export const allKinds = (kinds: ByKind): Tally => sumTallies(probeKinds.map((kind) => kinds[kind]));

/** Without marks of Markdown, and every space one: a fact that was only set differently is the same fact. */
export const plain = (text: string): string => text.replace(/[`*]/g, '').replace(/\s+/g, ' ').trim();

/** Beyond this a sentence is known by its beginning. */
const SENTENCE_CHARS = 160;

/** The forms in which the fact counts as there: as recorded, and for a path in the working folder also as seen from it. */
export function needlesOf({ kind, answer }: Probe, cwd: string | undefined): readonly string[] {
  const whole = plain(answer).slice(0, SENTENCE_CHARS).trim();
  const inside = kind === 'file' && cwd !== undefined && answer.startsWith(`${cwd}/`) ? answer.slice(cwd.length + 1) : undefined;
  return inside === undefined ? [whole] : [whole, plain(inside)];
}

export const hasOne = (text: string, needles: readonly string[]): boolean => needles.some((needle) => text.includes(needle));

/** The words around the fact without its own; of a sentence also the few that name its topic. */
function queryOf({ kind, answer, cue, topic }: Probe): readonly string[] {
  const isSentence = kind === 'constraint' || kind === 'decision';
  if (!isSentence) return queryWords(answer, { topic, cue });
  const topical = queryWords('', { topic, cue: '' });
  return [...topical, ...queryWords(answer, { topic: '', cue })].slice(0, MOST_WORDS);
}

const MOST_WORDS = 8;

type View = {
  /** Texts of the blocks that stand in the context as they were recorded, and the calls. */
  readonly whole: ReadonlySet<string>;
  readonly holds: (needles: readonly string[]) => boolean;
};

function viewOf({ system, shortTermSummary, messages }: SessionContext): View {
  const whole = new Set<string>();
  const texts = [system, shortTermSummary];
  for (const message of messages) take(message, whole, texts);
  const text = plain(texts.join('\n'));
  const terms = new Set(termsOf(text));
  return {
    whole,
    holds: (needles) =>
      needles.some(
        (needle) =>
          termsOf(needle)
            .slice(1, -1)
            .every((term) => terms.has(term)) && text.includes(needle),
      ),
  };
}

function take(message: Message, whole: Set<string>, texts: string[]): void {
  for (const block of message.content) {
    if (isText(block)) {
      texts.push(block.text);
      if (message.origin !== 'summary') whole.add(block.text);
    } else if (isToolResult(block)) {
      const text = resultText(block);
      texts.push(text);
      whole.add(text);
    } else if (isToolUse(block)) {
      texts.push(...stringsIn(block.input));
      whole.add(callSource(block.id));
    }
  }
}
