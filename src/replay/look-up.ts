import { isText, isToolUse } from '../domain/message.ts';
import type { Step } from './transcript.ts';

/** One full-text look-up over the recorded conversation, as an agent would do it that has forgotten something. */
export type LookUp = {
  /** The texts of the best passages from the steps before `until`, at most ten of 1,500 characters. */
  readonly find: (query: readonly string[], until: number) => readonly string[];
};

const PASSAGE_CHARS = 1_500;
const TITLE_CHARS = 200;
const MOST_RESULTS = 10;
/** What a person or an agent would type; of more words the rarest are taken. */
const MOST_TERMS = 8;
/** The usual constants of BM25. */
const K1 = 1.2;
const B = 0.75;

type Passage = { readonly text: string; readonly step: number; readonly terms: number };
type Posting = { readonly passage: number; readonly times: number };

export function createLookUp(steps: readonly Step[]): LookUp {
  const passages: Passage[] = [];
  const postings = new Map<string, Posting[]>();
  for (const [step, made] of steps.entries()) for (const text of passagesOf(made)) index(text, step);
  const average = Math.max(1, passages.reduce((sum, { terms }) => sum + terms, 0) / Math.max(1, passages.length));

  function index(text: string, step: number): void {
    const terms = termsOf(text);
    const times = new Map<string, number>();
    for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
    for (const [term, count] of times) {
      const list = postings.get(term) ?? [];
      list.push({ passage: passages.length, times: count });
      postings.set(term, list);
    }
    passages.push({ text, step, terms: terms.length });
  }

  const rarity = (term: string): number => {
    const holders = postings.get(term)?.length ?? 0;
    return holders === 0 ? 0 : Math.log(1 + (passages.length - holders + 0.5) / (holders + 0.5));
  };

  return {
    find: (query, until) => {
      const terms = [...new Set(query)].filter((term) => postings.has(term)).sort((a, b) => rarity(b) - rarity(a) || (a < b ? -1 : 1));
      const scores = new Map<number, number>();
      for (const term of terms.slice(0, MOST_TERMS)) {
        const weight = rarity(term);
        for (const { passage, times } of postings.get(term) ?? []) {
          const found = passages[passage];
          if (found === undefined || found.step >= until) continue;
          const share = (times * (K1 + 1)) / (times + K1 * (1 - B + (B * found.terms) / average));
          scores.set(passage, (scores.get(passage) ?? 0) + weight * share);
        }
      }
      const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_RESULTS);
      return best.map(([passage]) => passages[passage]?.text ?? '');
    },
  };
}

/** A call and its result are one document; every passage of a long one begins with the call. */
function passagesOf(step: Step): readonly string[] {
  if (step.type !== 'reply') return sliced(step.text, '');
  const said = step.content.filter(isText).flatMap((block) => sliced(block.text, ''));
  const done = step.content.filter(isToolUse).flatMap((call) => {
    const input = stringsIn(call.input).join(' ');
    const result = step.results.find((each) => each.toolUseId === call.id)?.content ?? '';
    const title = `${call.name} ${input}`.slice(0, TITLE_CHARS);
    return sliced(`${input.slice(TITLE_CHARS)}\n${result}`, `${title}\n`);
  });
  return [...said, ...done];
}

function sliced(text: string, title: string): readonly string[] {
  const made: string[] = [];
  for (let start = 0; start === 0 || start < text.length; ) {
    const end = start + PASSAGE_CHARS;
    const newline = end < text.length ? text.lastIndexOf('\n', end) : -1;
    const stop = newline > start + PASSAGE_CHARS / 2 ? newline : end;
    made.push(title + text.slice(start, stop));
    start = stop;
  }
  return made;
}

export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Words in lower case; of Chinese every pair of neighbouring characters. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  for (const [run] of text.matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+/gu)) {
    if (!/^\p{Script=Han}/u.test(run)) terms.push(run.toLowerCase());
    else if (run.length === 1) terms.push(run);
    else for (let i = 0; i + 1 < run.length; i++) terms.push(run.slice(i, i + 2));
  }
  return terms;
}
