import type { SummaryWords } from '../rules/rule-summary-words.ts';
import { isBinding, judge } from '../sentence/judge.ts';
import { cutAt, splitSentences } from '../text/sentences.ts';
import type { FitLine, TokenBudget } from './fit-sections.ts';

type Span = { readonly from: number; readonly to: number };

/** What a request that binds is worth more than others: none of these is left out for one that is done with. */
const BINDING_BONUS = 2;
const WHOLE_SHARE = 0.4;
/** What is shown of the beginning of a shortened request: what it is about. */
const TOPIC_CHARS = 60;
/** A smaller gap is not worth its mark. */
const MIN_GAP_CHARS = 48;
const MAX_BINDING_CHARS = 500;

const QUOTED_REQUEST = /^(- [^"]{2,80}: ")(.*)(")$/;

/** Returns where the text says what is to hold, what to avoid or what was chosen; the last of these, where they are too long together. */
export function bindingSpans(text: string, elsewhere: ReadonlySet<string> = new Set()): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const sentence of splitSentences(text)) {
    const at = text.indexOf(sentence, from);
    if (at === -1) continue;
    from = at + sentence.length;
    if (!elsewhere.has(sentence) && isBinding(judge(sentence))) spans.push({ from: at, to: from });
  }
  let room = MAX_BINDING_CHARS;
  return spans
    .toReversed()
    .filter((span) => {
      room -= span.to - span.from;
      return room >= 0;
    })
    .toReversed();
}

/** Returns the text without what lies between the spans, each gap with its mark. */
export function keepSpans(text: string, spans: readonly Span[], words: SummaryWords): string {
  const parts: string[] = [];
  let end = 0;
  for (const span of [...spans, { from: text.length, to: text.length }].toSorted((a, b) => a.from - b.from)) {
    const gap = text.slice(end, span.from);
    if (gap.length >= MIN_GAP_CHARS) parts.push(words.leftOut(gap.trim().length));
    else if (gap.trim() !== '') parts.push(gap.trim());
    if (span.to > end) parts.push(text.slice(Math.max(end, span.from), span.to).trim());
    end = Math.max(end, span.to);
  }
  return parts.filter((part) => part !== '').join(' ');
}

/** Puts requests that bind first, and shortens the oldest to what they say is to hold where all would take too much room whole. */
export function placeBindingFirst(
  lines: readonly FitLine[],
  { tokens, count, words, elsewhere }: TokenBudget & { readonly words: SummaryWords; readonly elsewhere: ReadonlySet<string> },
): readonly FitLine[] {
  const found = lines.map(({ text }) => {
    const [, label = '', quoted = '', end = ''] = QUOTED_REQUEST.exec(text) ?? [];
    const spans = bindingSpans(quoted, elsewhere);
    return spans.length === 0 ? undefined : { label, quoted, end, spans };
  });
  let excess = lines.reduce((sum, { text }, at) => sum + (found[at] === undefined ? 0 : count(`${text}\n`)), 0) - tokens * WHOLE_SHARE;
  return lines.map((line, at) => {
    const request = found[at];
    if (request === undefined) return line;
    const worth = line.worth + BINDING_BONUS;
    if (excess <= 0) return { text: line.text, worth };
    const topic = cutAt(request.quoted, TOPIC_CHARS).replace(/\s\S{0,59}$/, '').length;
    const text = `${request.label}${keepSpans(request.quoted, [{ from: 0, to: topic }, ...request.spans], words)}${request.end}`;
    if (text.length >= line.text.length) return { text: line.text, worth };
    excess -= count(`${line.text}\n`) - count(`${text}\n`);
    return { text, worth };
  });
}
