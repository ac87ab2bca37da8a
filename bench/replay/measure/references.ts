import { type FindPassages, type RecallVerdict, stringsIn, type Tally } from '../../../src/context/fidelity/fidelity.ts';
import { mineIdentifiers } from '../../../src/context/fidelity/mine.ts';
import type { CountTokens } from '../../../src/context/measure/count.ts';
import type { SessionContext } from '../../../src/domain/session/context.ts';
import { isText, isToolResult, isToolUse, type Message, resultText } from '../../../src/domain/session/message.ts';
import type { Step, Transcript } from '../../../src/domain/session/transcript.ts';
import { isObject } from '../../../src/domain/value/json.ts';
import { memoizeByObject } from '../../../src/domain/value/memoize.ts';
import { emptyTally } from './fidelity.ts';

/** A name counts when the recorded agent used it again after more than this many tokens without it. */
const LONG_RANGE_TOKENS = 16_000;
/** A longer argument is the content of a file, not a name that the agent had to know. */
const MAX_ARGUMENT_CHARS = 300;
const MAX_PROSE_CHARS = 6_000;
/** Arguments that set how a call works. What they may be stands in the description of the tool, which recordings leave out. */
const SETTING = /(?:mode|status|type|kind|level|priority|timeout|limit|offset|lines|count|max|min)$|^-/i;

export type Reference = { readonly name: string; readonly words: readonly string[] };

/** Returns, by step, the names that its reply says or its calls take again over a long range, with the words to look each up by. */
export function mineReferences({ steps }: Pick<Transcript, 'steps'>, count: CountTokens): ReadonlyMap<number, readonly Reference[]> {
  const used = steps.map(namesUsed);
  const byWord = indexByWord(new Set(used.flat()));
  const lastSeen = new Map<string, number>();
  const byStep = new Map<number, readonly Reference[]>();
  let tokensSoFar = 0;
  for (const [index, step] of steps.entries()) {
    const repeated = (used[index] ?? []).filter((name) => tokensSoFar - (lastSeen.get(name) ?? tokensSoFar) > LONG_RANGE_TOKENS);
    const use = saidIn(step).join('\n');
    if (repeated.length > 0)
      byStep.set(
        index,
        repeated.map((name) => ({ name, words: wordsAround(name, use) })),
      );
    for (const text of textsIn(step)) {
      tokensSoFar += count(text);
      for (const name of namesIn(text, byWord)) lastSeen.set(name, tokensSoFar);
    }
  }
  return byStep;
}

/** Judges whether the context, just before the reply, still has each name; if not, whether one look-up brings it back. */
export async function judgeReferences(references: readonly Reference[], context: SessionContext, find: FindPassages): Promise<Tally> {
  const texts = contextTexts(context);
  const tally: Record<RecallVerdict, number> = { ...emptyTally };
  for (const { name, words } of references) {
    const verdict = formsOf(name).some((form) => includesName(form, texts))
      ? 'inContext'
      : words.length > 0 &&
          (await find(words, context.messages)).slice(0, MAX_HITS).some((passage) => formsOf(name).some((form) => passage.includes(form)))
        ? 'oneLookUp'
        : 'lost';
    tally[verdict] += 1;
  }
  return tally;
}

/** A whole path is known by its last three parts: the folder above them is that of the project. */
const formsOf = (name: string): readonly string[] => {
  const end = /^[/~].*?\/([^/]+\/[^/]+\/[^/]+)$/.exec(name)?.[1];
  return end === undefined ? [name] : [name, end];
};

/** On each side: 240 characters in all. */
const AROUND_CHARS = 120;
/** Of what a look-up shows, so many are read. */
const MAX_HITS = 5;

/** Returns what stands around the name where it is used, without the name: what one who has forgotten it still knows. */
function wordsAround(name: string, text: string): readonly string[] {
  const at = text.indexOf(name);
  const around = `${text.slice(Math.max(0, at - AROUND_CHARS), at)} ${text.slice(at + name.length, at + name.length + AROUND_CHARS)}`;
  const words = around.replaceAll(name, ' ').toWellFormed().trim();
  return words === '' ? [] : words.split(/\s+/);
}

function namesUsed(step: Step): readonly string[] {
  if (step.type !== 'reply') return [];
  const texts = step.content.flatMap((block): readonly string[] => {
    if (isText(block)) return block.text.length <= MAX_PROSE_CHARS ? [block.text] : [];
    return isToolUse(block) ? argumentsOf(block.input).filter((text) => text.length <= MAX_ARGUMENT_CHARS) : [];
  });
  const calls = step.content.filter(isToolUse).flatMap(({ input }) => argumentsOf(input));
  return [
    ...new Set([...texts.flatMap(mineIdentifiers), ...calls.filter((text) => text.length <= MAX_ARGUMENT_CHARS).flatMap(namesInCall)]),
  ];
}

/** An argument that is one name, and names of types, which in prose might be any word. */
const namesInCall = (text: string): readonly string[] => [
  ...(/^(?=.*[a-z])(?!\d+$)[\w@~./:#-]{4,}$/i.test(text) && !/^[A-Za-z]?[a-z]+$/.test(text) ? [text] : []),
  ...(text.match(/\b[A-Z][a-z\d]+(?:[A-Z][a-z\d]+)+\b/g) ?? []),
];

/** The strings of a call's arguments, without those that set how it works. */
function argumentsOf(input: unknown): readonly string[] {
  if (Array.isArray(input)) return input.flatMap(argumentsOf);
  if (!isObject(input)) return stringsIn(input);
  return Object.entries(input).flatMap(([key, value]) => (SETTING.test(key) ? [] : argumentsOf(value)));
}

const saidIn = (step: Step): readonly string[] =>
  step.type === 'reply'
    ? step.content.flatMap((block) => (isText(block) ? [block.text] : isToolUse(block) ? stringsIn(block.input) : []))
    : [step.text];

const textsIn = (step: Step): readonly string[] => [
  ...saidIn(step),
  ...(step.type === 'reply' ? step.results.map(({ content }) => content) : []),
];

type NamesByWord = ReadonlyMap<string, readonly string[]>;

/** Indexes each name by its longest word, so that a text is scanned once however many names there are; '' holds those without a word. */
function indexByWord(names: ReadonlySet<string>): NamesByWord {
  const byWord = new Map<string, string[]>();
  for (const name of names) {
    const word = [...name.matchAll(/\w+/g)].map(([all]) => all).sort((a, b) => b.length - a.length)[0] ?? '';
    byWord.set(word, [...(byWord.get(word) ?? []), name]);
  }
  return byWord;
}

function namesIn(text: string, byWord: NamesByWord): readonly string[] {
  const words = new Set(text.match(/\w+/g));
  const candidates = [...words, ''].flatMap((word) => byWord.get(word) ?? []);
  return candidates.filter((name) => text.includes(name));
}

/** Returns everything that the next request says, one text per message. Messages never change, so each text is built once. */
export const contextTexts = ({ system, shortTermSummary, messages }: SessionContext): readonly string[] => [
  system,
  shortTermSummary,
  ...messages.map(messageTexts),
];

const messageTexts = memoizeByObject(({ content }: Message): string =>
  content
    .flatMap((block): readonly string[] => {
      if (isText(block)) return [block.text];
      if (isToolResult(block)) return [resultText(block)];
      return isToolUse(block) ? [block.name, ...stringsIn(block.input)] : [];
    })
    .join('\n'),
);

export const includesName = (name: string, texts: readonly string[]): boolean => texts.some((text) => text.includes(name));
