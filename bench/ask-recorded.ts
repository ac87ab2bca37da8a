import { includesAny, normalizeText, queryWords, stringsIn, termsOf } from '../src/context/fidelity/fidelity.ts';
import type { Probe } from '../src/context/fidelity/mine.ts';
import { isToolUse } from '../src/domain/session/message.ts';
import type { Transcript } from '../src/domain/session/transcript.ts';

/** A recorded session as it was imported. */
export type Session = { readonly sessionId: string; readonly transcript: Transcript };

export type Ask = (
  query: string,
  limit: number,
  filter?: { readonly session?: string; readonly errors: boolean },
) => Promise<readonly { readonly refs: readonly string[]; readonly sessionId: string /** As shown. */; readonly text: string }[]>;

/** A fact of a session; a text that contains one of `needles` has it. */
export type Mined = { readonly probe: Probe; readonly sessionId: string; readonly needles: readonly string[] };
export type Tally = { readonly asked: number; readonly found: number };

export type Looked = {
  /** Those beside which there are words enough to tell them by. */
  readonly told: Tally;
  readonly kinds: ReadonlyMap<string, Tally>;
  /** With those that have fewer, or none. */
  readonly all: Tally;
  /** All of them without naming the session, nor that it is a failure. */
  readonly anywhere: Tally;
};

/** One or two everyday words describe nothing. */
export const LEAST_WORDS = 3;

type Looking = { readonly ask: Ask; readonly hits: number; readonly showMisses: boolean };

/** Asks for each fact by its words and looks whether it is in the first hits. */
export async function lookFor(mined: readonly Mined[], { ask, hits: limit, showMisses }: Looking): Promise<Looked> {
  const kinds = new Map<string, Tally>();
  let [told, all, anywhere]: Tally[] = [nothing, nothing, nothing];
  for (const { probe, sessionId, needles } of mined) {
    const words = wordsFor(probe);
    const has = (hits: Awaited<ReturnType<Ask>>): boolean => hits.some(({ text }) => includesAny(normalizeText(text), needles));
    const query = words.join(' ');
    const hits = query === '' ? [] : await ask(query, limit, { session: sessionId, errors: probe.kind === 'error' });
    const yes = has(hits);
    all = plus(all, yes);
    anywhere = plus(anywhere, query !== '' && has(await ask(query, limit)));
    if (!yes && showMisses)
      console.log(JSON.stringify({ kind: probe.kind, query, answer: probe.answer, hits: hits.map(({ refs: [ref] }) => ref) }));
    if (words.length < (probe.kind === 'error' ? 1 : LEAST_WORDS)) continue;
    told = plus(told, yes);
    kinds.set(probe.kind, plus(kinds.get(probe.kind) ?? nothing, yes));
  }
  return { told: told ?? nothing, all: all ?? nothing, anywhere: anywhere ?? nothing, kinds };
}

const nothing: Tally = { asked: 0, found: 0 };
const plus = ({ asked, found }: Tally = nothing, yes: boolean): Tally => ({ asked: asked + 1, found: found + (yes ? 1 : 0) });

const MOST_COMMAND_WORDS = 12;

/** Words around the fact; of a failed command its own. None of them is a word of the answer. */
export function wordsFor({ kind, answer, cue, topic }: Probe): readonly string[] {
  if (kind !== 'error') return queryWords(answer, { topic, cue });
  const own = new Set(termsOf(answer));
  const words = cue.split(/\s+/).filter((word) => termsOf(word).length > 0 && !termsOf(word).some((term) => own.has(term)));
  return words.slice(0, MOST_COMMAND_WORDS);
}

/** So many of the Chinese words of two characters are asked for, at even distances. */
const CHINESE_QUERIES = 400;
const MANY_HITS = 2_000;

/** Of the sessions that have a word, how many its hits name. */
export async function chineseWords(sessions: readonly Session[], ask: Ask): Promise<Tally & { readonly words: number }> {
  const having = new Map<string, Set<string>>();
  for (const { sessionId, transcript } of sessions)
    for (const [run] of transcript.steps
      .flatMap(textsOf)
      .join('\n')
      .matchAll(/\p{Script=Han}{2,}/gu))
      for (let at = 0; at + 1 < run.length; at++)
        having.set(run.slice(at, at + 2), (having.get(run.slice(at, at + 2)) ?? new Set()).add(sessionId));
  const all = [...having].filter(([word]) => [...word].length === 2);
  const chosen = all.filter((_, i) => i % Math.max(1, Math.floor(all.length / CHINESE_QUERIES)) === 0);
  let [asked, found] = [0, 0];
  for (const [word, sessionIds] of chosen) {
    const hits = new Set((await ask(word, MANY_HITS)).map(({ sessionId }) => sessionId));
    asked += sessionIds.size;
    found += [...sessionIds].filter((sessionId) => hits.has(sessionId)).length;
  }
  return { words: chosen.length, asked, found };
}

function textsOf(step: Transcript['steps'][number]): readonly string[] {
  if (step.type !== 'reply') return [step.text];
  return [
    ...step.content.flatMap((block) => (isToolUse(block) ? stringsIn(block.input) : typeof block.text === 'string' ? [block.text] : [])),
    ...step.results.map(({ content }) => content),
  ];
}
