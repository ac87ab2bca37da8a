import { INVALID_JSON } from '../../domain/session/admit-reply.ts';
import { type Fields, isCount, isObject, parseJson } from '../../domain/value/json.ts';
import { BrokenStream, MAX_NAME_CHARS } from './reply-bounds.ts';

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The name of a model, or a reason to stop. */
export const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARS;

/** No request has more; a larger figure is none, and sums of it could not be stored. */
const MAX_TOKENS = 1e9;
export const tokenCount = (value: unknown): number => (isCount(value) && value <= MAX_TOKENS ? value : 0);

export const firstCount = (...values: readonly unknown[]): number | undefined => values.filter(isCount).find((value) => value > 0);

/** So long a text is not said twice in one piece. */
export const LEAST_REPEATED_CHARS = 16;

/** A text in its pieces, and the last of them as long as each began with the one before. */
export type GrowingText = { text: string[]; grown: string | undefined };

/** Takes a piece of a text and returns what it adds: some servers send all that came before with it again. */
export function addPiece(draft: GrowingText, piece: string): string {
  const { grown } = draft;
  draft.grown = grown !== undefined && piece.startsWith(grown) ? piece : undefined;
  if (grown === undefined || grown === '' || draft.grown === undefined || piece.length < LEAST_REPEATED_CHARS) {
    draft.text.push(piece);
    return piece;
  }
  draft.text = [piece];
  return piece.slice(grown.length);
}

const CONTEXT_EXCEEDED = 'model_context_window_exceeded';

/** The number of a block or a call; some servers write it as a text. Undefined for all else. */
export function indexIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return isCount(number) ? number : undefined;
}

/** Why a reply ended, in the words of OpenAI, of Gemini and of who stands before others. */
const stopReasons: Readonly<Record<string, string>> = {
  ...{ stop: 'end_turn', eos: 'end_turn', eos_token: 'end_turn', complete: 'end_turn', completed: 'end_turn', normal: 'end_turn' },
  ...{ end_of_turn: 'end_turn', end_of_message: 'end_turn', finish: 'end_turn', finished: 'end_turn', model_length: CONTEXT_EXCEEDED },
  ...{ tool_calls: 'tool_use', tool_call: 'tool_use', function_call: 'tool_use' },
  ...{ guardrail_intervened: 'refusal', sensitive: 'refusal', recitation: 'refusal', blocklist: 'refusal', spii: 'refusal' },
};
const ownReasons: ReadonlySet<string> = new Set([...Object.values(stopReasons), 'max_tokens', 'stop_sequence', 'pause_turn']);

/** Words of any server: the reply was cut, refused, or given up in the middle, which may pass. */
const otherReasons: readonly (readonly [says: RegExp, reason: string | undefined])[] = [
  [/malformed|unexpected_tool|error|abort|cancel|timeout|time_limit|insufficient_/, undefined],
  [/length|max_\w*tokens?|max_output|token_limit|out_of_tokens|^limit$/, 'max_tokens'],
  [/content_filter|safety|prohibited|moderation/, 'refusal'],
];

/** In the words of the agent; one that is not known as it came. Throws BrokenStream where the server says that it gave the reply up. */
export function plainStopReason(reason: string): string {
  const word = reason
    .toLowerCase()
    .replace(/^finish_?reason\W/, '')
    .replace(/[\s-]/g, '_');
  if (ownReasons.has(word)) return word;
  const known = Object.hasOwn(stopReasons, word) ? stopReasons[word] : undefined;
  if (known !== undefined) return known;
  const other = otherReasons.find(([says]) => says.test(word));
  if (other !== undefined && other[1] === undefined) throw new BrokenStream(`the server gave the reply up (${reason})`);
  return other?.[1] ?? reason;
}

/** What is longer was not mistyped by a model. */
const MAX_REPAIRED_CHARS = 256 * 1024;

/**
 * Reads the arguments of a call; none are no JSON, or an empty object. What is no object is kept as text under INVALID_JSON, so that the call
 * is answered with an error and the model can write it again. Small models write JSON with a slip now and then: with `mends` one repair is
 * tried before, which changes no value; nothing is to be repaired that was cut off.
 */
export function readArguments(text: string, { mends = false } = {}): Fields {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed;
  const repaired = mends && text.length <= MAX_REPAIRED_CHARS ? repair(text, parsed) : undefined;
  return repaired ?? { [INVALID_JSON]: text };
}

function repair(text: string, parsed: unknown): Fields | undefined {
  // The whole object once more as a text, with its quotes or without.
  const inner = (typeof parsed === 'string' ? parsed : text).trim();
  const opened = inner.replace(/^(?:```|json\b|<[|\w/]{1,24}>|\s)+/i, '');
  const bare = opened.endsWith('```') ? opened.slice(0, -3).trimEnd() : opened;
  const unescaped = /^\{\s*\\"/.test(bare) ? String(parseJson(`"${bare}"`)) : bare;
  const candidates = [unescaped, mendStructure(unescaped), asJson(bare)];
  return candidates.map((candidate) => parseJson(candidate)).find(isObject);
}

/** What Python prints of an object, as JSON. */
const asJson = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'|\b(?:True|False|None)\b/gs, (token, quoted: string | undefined) =>
    quoted === undefined ? (pythonWords[token] ?? token) : `"${quoted.replace(/\\'|"/g, (mark) => (mark === '"' ? '\\"' : "'"))}"`,
  );
const pythonWords: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** Escapes line breaks inside of texts and backslashes that escape nothing, and leaves out commas before a closing bracket and all that follows the object. */
function mendStructure(text: string): string {
  let mended = '';
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (isInText) {
      if (char === '\\') mended += (/["\\/bfnrtu]/.test(text.charAt(at + 1)) ? char : '\\\\') + text.charAt(++at);
      else mended += controls[char] ?? char;
      isInText = char !== '"';
      continue;
    }
    if (char === ',' && /^,\s*[}\]]/.test(text.slice(at, at + 64))) continue;
    mended += char;
    isInText = char === '"';
    depth += '{['.includes(char) ? 1 : '}]'.includes(char) ? -1 : 0;
    if (depth === 0 && char === '}') return withoutRest(mended, text.slice(at + 1).trim(), text);
  }
  return mended;
}

/** Behind an object may stand a mark, or the same again; another one is another call, and nobody knows which was meant. */
function withoutRest(object: string, rest: string, whole: string): string {
  if (!/^\{\s*"/.test(rest) || rest === object) return object;
  return object === '{}' ? mendStructure(rest) : whole;
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
