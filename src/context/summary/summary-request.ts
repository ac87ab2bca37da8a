import { SanbotError } from '../../domain/errors.ts';
import type { BodyOf } from '../../domain/session/message.ts';
import { isText, isToolResult, type Message, resultText, type Summary } from '../../domain/session/message.ts';
import { MOST_SAID_CHARS, renderTranscript } from '../history/transcript.ts';
import type { CountTokens } from '../measure/count.ts';
import { quoted } from '../text/quote.ts';
import { cutAt } from '../text/sentences.ts';
import { fillParts, type PromptValues } from './fill-prompt.ts';

/** The texts of compact-summary.md, compact-update.md and compact-merge.md. */
export type SummaryPrompts = { readonly first: string; readonly update: string; readonly merge: string };

export type SummaryWish = {
  readonly earlier: Summary | undefined;
  /** What the user or a hook wants kept; it is in every part's request. */
  readonly instructions: string | undefined;
  /** Of the model that summarises. */
  readonly windowTokens: number;
  readonly targetTokens: number;
  /** Without the ratio. */
  readonly count: CountTokens;
  readonly ratio: number;
  readonly bodyOf: BodyOf;
  readonly prompts: SummaryPrompts;
};

export type SummaryRequest = { readonly system: string; readonly user: string };

export type SummaryPlan = {
  /** The material in the order in which it is to be read; each part fits the window beside a summary of what came before. */
  readonly parts: readonly string[];
  /** `earlierText` is the summary so far: of the part before, or, for the first part, the one of the last compaction. */
  readonly request: (part: number, earlierText: string | undefined) => SummaryRequest;
};

/** More parts than this are not worth their time; then long tool results are shown by head and tail. Nothing that was said is cut. */
const MOST_PARTS = 4;
const RESULT_CHARS = [undefined, 100_000, 30_000, 10_000, 4_000, 2_000] as const;
const THINKING_TOKENS = 8_000;
/** What counts wrongly by a little must still fit. */
const MARGIN = 0.95;

/**
 * How to have the messages summarised: in as many parts as the window of the summariser needs, each continuing the summary of the
 * part before. A message longer than a part is split; nothing is dropped in silence.
 */
export function planSummary(messages: readonly Message[], wish: SummaryWish): SummaryPlan {
  const target = Math.max(1, Math.min(wish.targetTokens, Math.floor(wish.windowTokens / 4)));
  const earlierTokens = wish.count(wish.earlier?.text ?? '') * wish.ratio;
  const fits = earlierTokens <= wish.windowTokens / 3;
  const carried = fits ? wish.earlier?.text : undefined;
  const room = partTokens(wish, { target, earlierTokens: fits ? earlierTokens : 0 });
  const lead = fits || wish.earlier === undefined ? [] : [`=== summary of what came before ===\n${quoted(wish.earlier.text)}`];
  const material = messages.filter((message) => wish.earlier === undefined || message.summary === undefined);
  const parts = packed(material, { ...wish, lead, room });
  const values = {
    targetTokens: String(target),
    instructions: wish.instructions?.trim()
      ? `What the user wants kept in particular, which goes before the rules above:\n${quoted(wish.instructions.trim())}`
      : '',
  };
  return {
    parts,
    request: (part, earlierText) => {
      const earlier = part === 0 && !fits ? undefined : (earlierText ?? (part === 0 ? carried : ''));
      const template = part > 0 ? wish.prompts.merge : earlier === undefined ? wish.prompts.first : wish.prompts.update;
      const own = { scope: scopeOf(part, parts.length), material: parts[part] ?? '' };
      return filled(template, { ...values, ...own, ...(earlier === undefined ? {} : { earlier: quoted(earlier) }) });
    },
  };
}

const USER_STARTS = '<!-- The user message starts here. -->';

/** Parted before it is filled, so that nothing in the values can move the border. */
function filled(template: string, values: PromptValues): SummaryRequest {
  const border = template.indexOf(USER_STARTS);
  if (border === -1) throw new SanbotError('internal', `A summary prompt lacks the line ${USER_STARTS}`);
  const [system = '', user = ''] = fillParts([template.slice(0, border), template.slice(border + USER_STARTS.length)], values);
  return { system: system.trim(), user: user.trim() };
}

const scopeOf = (part: number, parts: number): string =>
  parts === 1
    ? 'This is all of the material.'
    : `This is part ${part + 1} of ${parts} of the material${part + 1 < parts ? '; more follows, so how things stand at its end is not how they stand now' : ', the last one'}.`;

/** What of the window is left for material, in tokens of our count without the ratio. */
function partTokens(wish: SummaryWish, { target, earlierTokens }: { readonly target: number; readonly earlierTokens: number }): number {
  const { windowTokens, count, ratio, prompts, instructions } = wish;
  const prompt = Math.max(...Object.values(prompts).map((text) => count(text))) + count(instructions ?? '') + 100;
  const thinking = Math.min(THINKING_TOKENS, Math.floor(windowTokens / 8));
  const reply = target * 1.2 + thinking;
  const before = Math.max(earlierTokens, target * 1.2);
  return Math.max(200, Math.floor(((windowTokens - reply - before) * MARGIN) / ratio - prompt));
}

type Packing = SummaryWish & { readonly lead: readonly string[]; readonly room: number };

function packed(messages: readonly Message[], { lead, room, count, bodyOf }: Packing): readonly string[] {
  let parts: readonly string[] = [];
  for (const resultChars of RESULT_CHARS) {
    const last = resultChars === RESULT_CHARS.at(-1);
    if (!last && leastTokens(messages, resultChars) > room * MOST_PARTS) continue;
    const texts = renderTranscript(messages, { bodyOf, ...(resultChars === undefined ? {} : { resultChars }) });
    parts = pack([...lead, ...texts], room, count);
    if (parts.length <= MOST_PARTS) break;
  }
  return parts;
}

/** More characters than any token has on average, over text of any kind. */
const MOST_CHARS_A_TOKEN = 8;

/** What results and texts take at the very least: saves rendering megabytes that cannot fit. */
function leastTokens(messages: readonly Message[], resultChars: number | undefined): number {
  const most = resultChars ?? Number.POSITIVE_INFINITY;
  const chars = messages.flatMap((message) => {
    const bodies = (message.stubs ?? []).map(({ body }) => body.bytes / 4);
    const results = message.content.filter(isToolResult).map((block) => resultText(block).length);
    const said = message.content.filter(isText).map(({ text }) => text.length);
    const mostSaid = resultChars === undefined ? Number.POSITIVE_INFINITY : MOST_SAID_CHARS;
    return [...[...bodies, ...results].map((length) => Math.min(length, most)), ...said.map((length) => Math.min(length, mostSaid))];
  });
  return chars.reduce((sum, length) => sum + length, 0) / MOST_CHARS_A_TOKEN;
}

/** Whole messages as long as they fit; one that never would is split, and its further pieces say what they continue. */
function pack(texts: readonly string[], room: number, count: CountTokens): readonly string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const piece of texts.flatMap((text) => piecesOf(text, room, count))) {
    const tokens = count(`${piece}\n\n`);
    if (part.length > 0 && size + tokens > room) {
      parts.push(part.join('\n\n'));
      part = [];
      size = 0;
    }
    part.push(piece);
    size += tokens;
  }
  return part.length === 0 ? parts : [...parts, part.join('\n\n')];
}

function piecesOf(text: string, room: number, count: CountTokens): readonly string[] {
  const tokens = count(text);
  if (tokens <= room) return [text];
  const heading = text.slice(0, Math.max(0, text.indexOf('\n')));
  const chars = Math.max(200, Math.floor((text.length * room * 0.8) / tokens) - heading.length - 20);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const slice = cutAt(text.slice(at), chars);
    const line = slice.lastIndexOf('\n');
    const end = at + slice.length < text.length && line > slice.length / 2 ? line + 1 : slice.length;
    const piece = slice.slice(0, end).replace(/\n$/, '');
    pieces.push(at === 0 ? piece : `${heading.replace(/ ===$/, ', continued ===')}\n ${piece.replace(/^ /, '')}`);
    at += end;
  }
  return pieces.flatMap((piece) => (piece.length > 400 && count(piece) > room ? piecesOf(piece, room, count) : [piece]));
}
