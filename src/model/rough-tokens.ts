import type { ModelFacts, ModelRequest } from '../agent/ports/model.ts';
import { imageSize } from '../domain/value/image-size.ts';
import { type Fields, isObject, isString } from '../domain/value/json.ts';
import { documentTokens, imageTokens, UNSIZED_IMAGE_TOKENS, usualImagePricing } from '../domain/value/media-tokens.ts';
import { type Earlier, memoizeByObject, memoizeGrowing } from '../domain/value/memoize.ts';

const ASCII_CHARS_PER_TOKEN = 3;
/** Of a UTF-16 unit that is no ASCII character. */
const MAX_BYTES_PER_UNIT = 3;

/** What a text consists of: ASCII characters, and other UTF-16 units. */
type Chars = { readonly ascii: number; readonly other: number };
/** `media`: tokens of images and documents; the length of their base64 says nothing about that. */
type Sizes = Chars & { readonly media: number };

/**
 * Estimates the tokens of a text without a vocabulary: three ASCII characters, or one other, per token. It may be off by a third either way
 * (prose 3.2, code 2.4 characters per token, Han 1.0), so it only guards, and never measures.
 */
export const roughTokens = (text: string): number => tokensOf(charsOf(text));

type Sent = Pick<ModelRequest, 'system' | 'tools' | 'messages'>;

/** The same for everything that a request sends; images and documents are counted apart from its text. */
export function roughRequestTokens(request: Sent): number {
  const sizes = requestSizes(request);
  return tokensOf(sizes) + sizes.media;
}

export function countRequest(request: Sent, countTokens: (text: string) => number): number {
  const { system, tools, messages } = request;
  return countTokens(textOf([system, tools, messages])) + requestSizes(request).media;
}

/** More than that a request cannot have, whatever is in it: no token is shorter than a byte. */
export function mostRequestTokens(request: Sent): number {
  const { ascii, other, media } = requestSizes(request);
  return ascii + other * MAX_BYTES_PER_UNIT + media;
}

/** Tokens that a model which thinks before it writes a summary uses in addition to the summary's own. */
export const THINKING_ALLOWANCE_TOKENS = 8_000;
/** A reply always gets at least this much room, however full the window looks: the count is rough. */
const MIN_OUTPUT_TOKENS = 1_024;

/** Never above what the model can write (a 400), nor above what the window leaves free (a 400 from many servers), nor next to nothing. */
export function outputTokens(request: ModelRequest, facts: ModelFacts, { thinks }: { readonly thinks: boolean }): number {
  const allowance = request.purpose === 'summary' && thinks ? THINKING_ALLOWANCE_TOKENS : 0;
  const room = Math.max(MIN_OUTPUT_TOKENS, facts.windowTokens - roughRequestTokens(request));
  return Math.min(request.maxOutputTokens + allowance, facts.maxOutputTokens, room);
}

const tokensOf = ({ ascii, other }: Chars): number => Math.ceil(ascii / ASCII_CHARS_PER_TOKEN) + other;

function charsOf(text: string): Chars {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x80) ascii += 1;
  return { ascii, other: text.length - ascii };
}

/** Of the JSON of a request's three parts. Messages never change: each is written and looked at once. */
function requestSizes({ system, tools, messages }: Sent): Sizes {
  const marks = '[,,[]]'.length + Math.max(0, messages.length - 1);
  return [sizesOf(system), sizesOfTools(tools), sizesOfList(messages)].reduce(add, { ascii: marks, other: 0, media: 0 });
}

const add = (a: Sizes, b: Sizes): Sizes => ({ ascii: a.ascii + b.ascii, other: a.other + b.other, media: a.media + b.media });
const noSizes: Sizes = { ascii: 0, other: 0, media: 0 };

/** Of a list with a beginning that was seen before, only what follows it is taken away and added. */
const sizesOfList = memoizeGrowing((messages: Messages, earlier: Earlier<Messages[number], Sizes> | undefined): Sizes => {
  const { list, value, shared } = earlier ?? { list: [], value: noSizes, shared: 0 };
  const gone = list.slice(shared).map(sizesOfMessage).reduce(add, noSizes);
  const kept = add(value, { ascii: -gone.ascii, other: -gone.other, media: -gone.media });
  return messages.slice(shared).map(sizesOfMessage).reduce(add, kept);
});
type Messages = ModelRequest['messages'];

const sizesOf = (part: object): Sizes => {
  let media = 0;
  const text = textOf(part, (source) => {
    media += mediaTokens(source);
  });
  return { ...charsOf(text), media };
};
const sizesOfTools = memoizeByObject(sizesOf);
const sizesOfMessage = memoizeByObject(sizesOf);

/** As JSON, without the base64 in it. */
const textOf = (part: object, onMedia: (source: Fields) => void = () => undefined): string =>
  JSON.stringify(part, (_, value: unknown) => {
    if (!isObject(value) || value.type !== 'base64') return value;
    onMedia(value);
    return undefined;
  });

/** By the dearest rule that there is, since this guards a window. */
function mediaTokens({ data, media_type: mediaType }: Fields): number {
  const base64 = isString(data) ? data : '';
  if (isString(mediaType) && !mediaType.startsWith('image/')) return documentTokens(base64, undefined);
  const size = imageSize(base64);
  return size === undefined ? UNSIZED_IMAGE_TOKENS : imageTokens(size, usualImagePricing);
}
