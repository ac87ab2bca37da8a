import type { CountTokens } from '../../context/measure/count.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { isText, isToolUse } from '../../domain/session/message.ts';
import type { Step, Transcript } from '../import/transcript.ts';
import type { FindPassages } from '../place.ts';
import { stands, textsOf } from './context-texts.ts';
import { identifiersSaid } from './mine-text.ts';
import { noTally, type Tally, type Verdict } from './tally.ts';
import { queryWords, stringsIn } from './terms.ts';

/** A name that the recorded agent used again after so many tokens in which it did not appear. */
const LONG_RANGE_TOKENS = 16_000;
/** Longer arguments are contents of files, and no names that the agent had to know. */
const MOST_ARGUMENT_CHARS = 300;
const MOST_SAID_CHARS = 6_000;
const CUE_CHARS = 400;

export type Reference = { readonly name: string; readonly words: readonly string[] };

/** By step: the names that its reply uses again over a long range, with the words to look each up by. */
export function mineReferences({ steps }: Pick<Transcript, 'steps'>, count: CountTokens): ReadonlyMap<number, readonly Reference[]> {
  const used = steps.map(namesUsed);
  const byWord = indexed(new Set(used.flat()));
  const seenAt = new Map<string, { readonly tokens: number; readonly text: string }>();
  const found = new Map<number, readonly Reference[]>();
  let at = 0;
  let asked = '';
  for (const [index, step] of steps.entries()) {
    if (step.type === 'user') asked = step.text.slice(0, CUE_CHARS);
    const again = (used[index] ?? []).filter((name) => at - (seenAt.get(name)?.tokens ?? at) > LONG_RANGE_TOKENS);
    const cue = `${saidIn(step)} ${asked}`;
    if (again.length > 0)
      found.set(
        index,
        again.map((name) => ({ name, words: queryWords(name, { topic: beside(name, seenAt.get(name)?.text ?? ''), cue }) })),
      );
    for (const text of textsIn(step)) {
      at += count(text);
      for (const name of namesStanding(text, byWord)) seenAt.set(name, { tokens: at, text });
    }
  }
  return found;
}

/** Whether the context, just before the reply, still has each name; else whether one look-up brings it back. */
export async function judgeReferences(references: readonly Reference[], context: SessionContext, find: FindPassages): Promise<Tally> {
  const texts = textsOf(context);
  const tally: Record<Verdict, number> = { ...noTally };
  for (const { name, words } of references) {
    const verdict = stands(name, texts)
      ? 'inContext'
      : words.length > 0 && (await find(words)).some((passage) => passage.includes(name))
        ? 'oneLookUp'
        : 'lost';
    tally[verdict] += 1;
  }
  return tally;
}

const BESIDE_CHARS = 120;

/** What stood next to the name, in its line, when it was last seen: what one who has forgotten the name may still know of it. */
function beside(name: string, text: string): string {
  const at = text.indexOf(name);
  const before = text.slice(Math.max(0, at - BESIDE_CHARS), at);
  const after = text.slice(at + name.length, at + name.length + BESIDE_CHARS);
  return `${before.slice(before.lastIndexOf('\n') + 1)} ${after.split('\n', 1)[0] ?? ''}`;
}

const saidIn = (step: Step): string =>
  step.type === 'reply'
    ? step.content
        .filter(isText)
        .map(({ text }) => text)
        .join(' ')
        .slice(0, CUE_CHARS)
    : '';

function namesUsed(step: Step): readonly string[] {
  if (step.type !== 'reply') return [];
  const texts = step.content.flatMap((block): readonly string[] => {
    if (isText(block)) return block.text.length <= MOST_SAID_CHARS ? [block.text] : [];
    return isToolUse(block) ? stringsIn(block.input).filter((text) => text.length <= MOST_ARGUMENT_CHARS) : [];
  });
  return [...new Set(texts.flatMap(identifiersSaid))];
}

const textsIn = (step: Step): readonly string[] =>
  step.type === 'reply'
    ? [
        ...step.content.flatMap((block) => (isText(block) ? [block.text] : isToolUse(block) ? stringsIn(block.input) : [])),
        ...step.results.map(({ content }) => content),
      ]
    : [step.text];

type ByWord = ReadonlyMap<string, readonly string[]>;

/** Each name under its longest word, so that a text is scanned once however many names there are; under '' those without one. */
function indexed(names: ReadonlySet<string>): ByWord {
  const byWord = new Map<string, string[]>();
  for (const name of names) {
    const word = [...name.matchAll(/\w+/g)].map(([all]) => all).sort((a, b) => b.length - a.length)[0] ?? '';
    byWord.set(word, [...(byWord.get(word) ?? []), name]);
  }
  return byWord;
}

function namesStanding(text: string, byWord: ByWord): readonly string[] {
  const words = new Set(text.match(/\w+/g));
  const near = [...words, ''].flatMap((word) => byWord.get(word) ?? []);
  return near.filter((name) => text.includes(name));
}
