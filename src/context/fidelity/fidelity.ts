/**
 * How much of what was said and done is still known after a compaction: facts are mined from the conversation, and looked for in the
 * context that is left and by one look-up.
 *
 * The miners share no code with what writes summaries and ledgers: a fact that both overlook would count as kept. They judge text, not
 * meaning, so a fact in other words counts as lost. Nothing here reads a disk.
 */

import type { SessionContext } from '../../domain/session/context.ts';
import { isText, isToolResult, isToolUse, type Message, type ReadBody, resultText } from '../../domain/session/message.ts';
import type { Transcript } from '../../domain/session/transcript.ts';
import { collectSteps, takeMessage } from '../history/collect-steps.ts';
import { callSource, mineProbes, type Probe } from './mine.ts';

/** Looks up words in the session, for an agent that has these messages in its context. Returns what it would be shown, the best first. */
export type FindPassages = (words: readonly string[], context: readonly Message[]) => Promise<readonly string[]>;

export type RecallVerdict = 'inContext' | 'oneLookUp' | 'lost';
export type Tally = Readonly<Record<RecallVerdict, number>>;

type Sought = { readonly probe: Probe; readonly needles: readonly string[]; readonly query: readonly string[] };

export const tallyOf = (judged: readonly { readonly verdict: RecallVerdict }[]): Tally => {
  const of = (verdict: RecallVerdict): number => judged.filter((each) => each.verdict === verdict).length;
  return { inContext: of('inContext'), oneLookUp: of('oneLookUp'), lost: of('lost') };
};

export type CompactionSample = {
  readonly before: readonly Message[];
  readonly after: SessionContext;
  readonly cwd: string;
  readonly bodyOf: ReadBody;
};

/** Tallies what became of the facts that left the context in one compaction. Rejects with what `find` rejects with. */
export async function checkCompaction({ before, after, cwd, bodyOf }: CompactionSample, find: FindPassages): Promise<Tally> {
  const collector = collectSteps();
  collector.cwd(cwd);
  for (const message of before) takeMessage(message, collector, bodyOf);
  const facts = soughtIn(collector.finish('sanbot'));
  return tallyOf(await judgeFacts(facts, after, (fact) => isFound(fact, after, find)));
}

export const soughtIn = (transcript: Transcript): readonly Sought[] =>
  mineProbes(transcript).map((probe) => ({ probe, needles: needlesOf(probe, transcript.cwd), query: queryOf(probe) }));

export const isFound = async ({ needles, query }: Sought, { messages }: SessionContext, find: FindPassages): Promise<boolean> =>
  query.length > 0 && (await find(query, messages)).some((passage) => includesAny(normalizeText(passage), needles));

export async function judgeFacts(facts: readonly Sought[], context: SessionContext, canBeFound: (fact: Sought) => Promise<boolean>) {
  const view = viewOf(context);
  const judged: { readonly probe: Probe; readonly verdict: RecallVerdict }[] = [];
  for (const fact of facts) {
    if (view.verbatim.has(fact.probe.source)) continue;
    const verdict = view.holds(fact.needles) ? 'inContext' : (await canBeFound(fact)) ? 'oneLookUp' : 'lost';
    judged.push({ probe: fact.probe, verdict });
  }
  return judged;
}

/** Removes Markdown marks and makes all white space one space: a fact that is only formatted differently is the same fact. */
export const normalizeText = (text: string): string => text.replace(/[`*]/g, '').replace(/\s+/g, ' ').trim();

/** A longer sentence is recognised by its beginning. A colon at its end belongs to what followed it. */
const SENTENCE_CHARS = 160;

/** Returns the forms in which the fact counts as present: as recorded, and for a path in the working folder also relative to it. */
export function needlesOf({ kind, answer }: Probe, cwd: string | undefined): readonly string[] {
  const start = normalizeText(answer).slice(0, SENTENCE_CHARS);
  const sentence = start.replace(/[:：]$/, '').trim();
  const relativePath = kind === 'file' && cwd !== undefined && answer.startsWith(`${cwd}/`) ? answer.slice(cwd.length + 1) : undefined;
  return relativePath === undefined ? [sentence] : [sentence, normalizeText(relativePath)];
}

export const includesAny = (text: string, needles: readonly string[]): boolean => needles.some((needle) => text.includes(needle));

/** Returns words around the fact, without its own; for a sentence also the few of its own that name its topic. */
function queryOf({ kind, answer, cue, topic }: Probe): readonly string[] {
  const isSentence = kind === 'constraint' || kind === 'decision';
  if (!isSentence) return queryWords(answer, { topic, cue });
  const topical = queryWords('', { topic, cue: '' });
  return [...topical, ...queryWords(answer, { topic: '', cue })].slice(0, MAX_QUERY_TERMS);
}

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

const MAX_QUERY_TERMS = 8;

/** Returns the words of a query: those of `topic` first, then those of `cue`, the longest of each first, without words of the answer. */
export function queryWords(answer: string, { topic, cue }: { readonly topic: string; readonly cue: string }): readonly string[] {
  const answerTerms = new Set(termsOf(answer));
  const from = (text: string): readonly string[] =>
    [...new Set(termsOf(text))].filter((term) => !answerTerms.has(term) && term.length > 1).sort((a, b) => b.length - a.length);
  return [...new Set([...from(topic), ...from(cue)])].slice(0, MAX_QUERY_TERMS);
}
