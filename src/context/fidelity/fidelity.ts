/**
 * How much of what was said and done is still known after a compaction: facts are mined from the conversation, and looked for in the
 * context that is left and by one look-up.
 *
 * A conversation as steps and a context come in; tallies by kind of fact come out: in the context, one look-up away, lost.
 *
 * The miners share no code with what writes summaries and ledgers: otherwise a fact that both overlook would count as kept. They judge
 * text, not meaning, so a fact in other words counts as lost. Whoever looks up is given from outside; nothing here reads a disk.
 */

import type { SessionContext } from '../../domain/session/context.ts';
import { isText, isToolResult, isToolUse, type Message, resultText } from '../../domain/session/message.ts';
import type { Transcript } from '../../domain/session/transcript.ts';
import { callSource, mineProbes, type Probe, type ProbeKind, probeKinds } from './mine.ts';

/**
 * Looks up words in what the session contains so far, for an agent that has these messages in its context and is not shown them again.
 * Returns what it would be shown, the best first.
 */
export type FindPassages = (words: readonly string[], context: readonly Message[]) => Promise<readonly string[]>;

export type RecallVerdict = 'inContext' | 'oneLookUp' | 'lost';
export type Tally = Readonly<Record<RecallVerdict, number>>;

export const emptyTally: Tally = { inContext: 0, oneLookUp: 0, lost: 0 };

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

type Sought = { readonly probe: Probe; readonly needles: readonly string[]; readonly query: readonly string[] };

/** `find` looks up in what the replayed session contains at that moment. */
export function createFidelity(transcript: Transcript, find: FindPassages) {
  const probes = mineProbes(transcript).map((probe) => ({ probe, needles: needlesOf(probe, transcript.cwd), query: queryOf(probe) }));
  const rounds: RoundFidelity[] = [];
  const lookUps = new Map<Probe, { readonly until: number; readonly isFound: boolean }>();
  let lastJudged: readonly JudgedProbe[] = [];

  const canBeFound = async ({ probe, needles, query }: Sought, context: SessionContext, until: number): Promise<boolean> => {
    const earlier = lookUps.get(probe);
    if (earlier !== undefined && until < earlier.until * RECHECK_GROWTH) return earlier.isFound;
    const isFound =
      query.length > 0 && (await find(query, context.messages)).some((passage) => includesAny(normalizeText(passage), needles));
    lookUps.set(probe, { until, isFound });
    return isFound;
  };

  return {
    rounds,
    /** Facts that were not in the context at the last judgement, lost ones first. */
    misses: (): readonly JudgedProbe[] => lastJudged.filter(({ verdict }) => verdict !== 'inContext').sort((a, b) => rank(a) - rank(b)),
    /** Judges every fact of the steps before `until` whose source is no longer whole in the context. */
    judge: async (context: SessionContext, { until, round, atEnd }: Omit<RoundFidelity, 'kinds'> & { readonly until: number }) => {
      const view = viewOf(context);
      const judged: JudgedProbe[] = [];
      for (const sought of probes) {
        const { probe, needles } = sought;
        if (probe.step >= until || view.verbatim.has(probe.source)) continue;
        const verdict = view.holds(needles) ? 'inContext' : (await canBeFound(sought, context, until)) ? 'oneLookUp' : 'lost';
        judged.push({ kind: probe.kind, answer: probe.answer, verdict, step: probe.step, round });
      }
      lastJudged = judged;
      rounds.push({ round, atEnd, kinds: tallyByKind(judged) });
    },
  };
}

/** A look-up is repeated once the conversation has grown by a quarter since then: more text changes the ranks. */
const RECHECK_GROWTH = 1.25;

const rank = ({ verdict }: JudgedProbe): number => (verdict === 'lost' ? 0 : 1);

function tallyByKind(judged: readonly JudgedProbe[]): TalliesByKind {
  const of = (kind: ProbeKind, verdict: RecallVerdict): number =>
    judged.filter((each) => each.kind === kind && each.verdict === verdict).length;
  return byKind((kind) => ({ inContext: of(kind, 'inContext'), oneLookUp: of(kind, 'oneLookUp'), lost: of(kind, 'lost') }));
}

export const sumKinds = (all: readonly TalliesByKind[]): TalliesByKind => byKind((kind) => sumTallies(all.map((kinds) => kinds[kind])));

const byKind = (tally: (kind: ProbeKind) => Tally): TalliesByKind => ({
  file: tally('file'),
  error: tally('error'),
  constraint: tally('constraint'),
  decision: tally('decision'),
  identifier: tally('identifier'),
});

export const allKinds = (kinds: TalliesByKind): Tally => sumTallies(probeKinds.map((kind) => kinds[kind]));

/** Removes Markdown marks and makes all white space one space: a fact that is only formatted differently is the same fact. */
export const normalizeText = (text: string): string => text.replace(/[`*]/g, '').replace(/\s+/g, ' ').trim();

/** A longer sentence is recognised by its beginning. A colon at its end belongs to what followed it. */
const SENTENCE_CHARS = 160;

/** Returns the forms in which the fact counts as present: as recorded, and for a path in the working folder also relative to it. */
export function needlesOf({ kind, answer }: Probe, cwd: string | undefined): readonly string[] {
  const sentence = normalizeText(answer)
    .slice(0, SENTENCE_CHARS)
    .replace(/[:：]$/, '')
    .trim();
  const relativePath = kind === 'file' && cwd !== undefined && answer.startsWith(`${cwd}/`) ? answer.slice(cwd.length + 1) : undefined;
  return relativePath === undefined ? [sentence] : [sentence, normalizeText(relativePath)];
}

export const includesAny = (text: string, needles: readonly string[]): boolean => needles.some((needle) => text.includes(needle));

/** Returns words around the fact, without its own; for a sentence also the few of its own that name its topic. */
function queryOf({ kind, answer, cue, topic }: Probe): readonly string[] {
  const isSentence = kind === 'constraint' || kind === 'decision';
  if (!isSentence) return queryWords(answer, { topic, cue });
  const topical = queryWords('', { topic, cue: '' });
  return [...topical, ...queryWords(answer, { topic: '', cue })].slice(0, MAX_QUERY_WORDS);
}

const MAX_QUERY_WORDS = 8;

function viewOf({ system, shortTermSummary, messages }: SessionContext) {
  const verbatim = new Set<string>();
  const texts = [system, shortTermSummary];
  for (const message of messages) collectTexts(message, verbatim, texts);
  const text = normalizeText(texts.join('\n'));
  const terms = new Set(termsOf(text));
  return {
    /** The texts of blocks that are in the context as they were recorded, and the sources of its calls. */
    verbatim,
    holds: (needles: readonly string[]): boolean =>
      needles.some(
        (needle) =>
          termsOf(needle)
            .slice(1, -1)
            .every((term) => terms.has(term)) && text.includes(needle),
      ),
  };
}

function collectTexts(message: Message, verbatim: Set<string>, texts: string[]): void {
  for (const block of message.content) {
    if (isText(block)) {
      texts.push(block.text);
      if (message.origin !== 'summary') verbatim.add(block.text);
    } else if (isToolResult(block)) {
      const text = resultText(block);
      texts.push(text);
      verbatim.add(text);
    } else if (isToolUse(block)) {
      texts.push(...stringsIn(block.input));
      verbatim.add(callSource(block.id));
    }
  }
}

export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Returns the words in lower case; for Chinese, every pair of neighbouring characters. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  for (const [run] of text.matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+/gu)) {
    if (!/^\p{Script=Han}/u.test(run)) terms.push(run.toLowerCase());
    else if (run.length === 1) terms.push(run);
    else for (let i = 0; i + 1 < run.length; i++) terms.push(run.slice(i, i + 2));
  }
  return terms;
}

/** About as many as a person or an agent would type. */
const MAX_QUERY_TERMS = 8;

/** Returns the words of a query: those of `topic` first, then those of `cue`, the longest of each first, without words of the answer. */
export function queryWords(answer: string, { topic, cue }: { readonly topic: string; readonly cue: string }): readonly string[] {
  const answerTerms = new Set(termsOf(answer));
  const from = (text: string): readonly string[] =>
    [...new Set(termsOf(text))].filter((term) => !answerTerms.has(term) && term.length > 1).sort((a, b) => b.length - a.length);
  return [...new Set([...from(topic), ...from(cue)])].slice(0, MAX_QUERY_TERMS);
}
