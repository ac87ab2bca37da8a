import { INVALID_JSON } from '../../domain/session/admit-reply.ts';
import { type Fields, isObject, parseJson } from '../../domain/value/json.ts';

/** What is longer was not mistyped by a model. */
const MAX_REPAIRED_CHARS = 256 * 1024;

/**
 * Reads the arguments of a call. Small models write JSON with a slip now and then: one repair is tried, which changes no value. What is no
 * object then is kept as text under INVALID_JSON, so that the call is answered with an error and the model can write it again. Nothing is
 * repaired that was cut off.
 */
export function readArguments(text: string, { isCut }: { readonly isCut: boolean }): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed;
  const repaired = isCut || text.length > MAX_REPAIRED_CHARS ? undefined : repair(text, parsed);
  return repaired ?? { [INVALID_JSON]: text };
}

function repair(text: string, parsed: unknown): Fields | undefined {
  // The whole object once more as a text.
  const inner = (typeof parsed === 'string' ? parsed : text).trim();
  const opened = inner.replace(/^```(?:json)?/i, '').trim();
  const bare = opened.endsWith('```') ? opened.slice(0, -3).trimEnd() : opened;
  const candidates = [bare, mendStructure(bare)];
  return candidates.map((candidate) => parseJson(candidate)).find(isObject);
}

/** Escapes line breaks inside of texts, and leaves out commas before a closing bracket and all that follows the object. */
function mendStructure(text: string): string {
  let mended = '';
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (isInText) {
      if (char === '\\') mended += char + text.charAt(++at);
      else mended += controls[char] ?? char;
      isInText = char !== '"';
      continue;
    }
    if (char === ',' && /^,\s*[}\]]/.test(text.slice(at, at + 64))) continue;
    mended += char;
    isInText = char === '"';
    depth += '{['.includes(char) ? 1 : '}]'.includes(char) ? -1 : 0;
    if (depth === 0 && char === '}') return mended;
  }
  return mended;
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
