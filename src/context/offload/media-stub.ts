import { describeMedia, isMedia, mediaIn, replaceMedia } from '../../domain/session/media.ts';
import { type BodyRef, type ContentBlock, isText, isToolResult, type Message, type StubRef } from '../../domain/session/message.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';
import { utf8Bytes } from '../measure/count.ts';
import type { Measure } from '../measure/measure.ts';
import { quoteLine } from '../text/sentences.ts';
import { countNewlines, smallStubText, UNITS_PER_TOKEN } from './stub.ts';

export type PlacedMedia = {
  /** Where it stands among all of that message. */
  readonly at: number;
  readonly block: ContentBlock;
  /** The call whose result it is part of; undefined for one that the user attached. */
  readonly toolUseId: string | undefined;
  readonly name: string | undefined;
};

export function placedMedia({ content, sources }: Message): readonly PlacedMedia[] {
  const found = content.flatMap((block, index): readonly Omit<PlacedMedia, 'at'>[] => {
    if (isMedia(block)) return [{ block, toolUseId: undefined, name: attachedName(content[index - 1]) }];
    if (!isToolResult(block)) return [];
    const path = sources?.find(({ toolUseId }) => toolUseId === block.tool_use_id)?.path;
    const name = path?.slice(path.search(/[^/\\]*$/));
    return mediaIn([block]).map((inner) => ({ block: inner, toolUseId: block.tool_use_id, name }));
  });
  return found.map((each, at) => ({ ...each, at }));
}

/** What stands before an image or a document that a user attached: a note of ours, and none of the user's words. */
export const attachedNote = (name: string, what: string): string =>
  `[Attached ${name
    .replace(/[[\]\p{Cc}\u2028\u2029]/gu, '_')
    .slice(-MAX_NAME_CHARS)
    .toWellFormed()}: ${what}]`;

const MAX_NAME_CHARS = 100;

export const withoutNotes = (content: readonly ContentBlock[]): readonly ContentBlock[] =>
  content.filter((block, index) => index === 0 || attachedName(block) === undefined);

const attachedName = (before: ContentBlock | undefined): string | undefined =>
  before !== undefined && isText(before) ? /^\[Attached ([^\n\]]{1,100}): [^\n\]]{1,90}\]$/.exec(before.text)?.[1] : undefined;

type MediaStub = { readonly path: string; readonly what: string; readonly sha256: string; readonly source?: string | undefined };

/** Returns the text that stands for an image or a document: what it was, where it is, and how to see it again. Same input, same bytes. */
export function mediaStubText({ path, what, sha256, source }: MediaStub): string {
  const facts = [what, `sha256 ${sha256.slice(0, 16)}`, ...(source === undefined ? [] : [`source ${source}`])];
  return `Not shown any more, it is at: ${path}\n${facts.join(', ')}\nSee it again with read_file (this path).`;
}

/** What a stub says that it stands for: the name of the file, where it was one, and what it was. */
export const mediaName = ({ block, name }: PlacedMedia): string =>
  name === undefined ? describeMedia(block) : `${describeMedia(block)}, ${name}`;

export type MediaPlaces = {
  readonly bodyPath: (ref: BodyRef) => string;
  /** What the body of an image or a document is called, whether or not it has gone to a file; left out where none is kept. */
  readonly mediaRef?: ((block: ContentBlock) => BodyRef | undefined) | undefined;
};

/** What each image and document of a message is, or was before it went to a file, and where it can be seen again. */
export function mediaShown(
  message: Message,
  { bodyPath, mediaRef = () => undefined }: MediaPlaces,
): readonly { readonly path: string; readonly what: string }[] {
  const stubbed = (message.stubs ?? []).flatMap(({ media, body }) => (media === undefined ? [] : [{ body, what: media.what }]));
  const whole = placedMedia(message).flatMap((media) => {
    const body = mediaRef(media.block);
    return body === undefined ? [] : [{ body, what: mediaName(media) }];
  });
  return [...stubbed, ...whole].map(({ body, what }) => ({ path: bodyPath(body), what: `shown ${quoteLine(what, 200)}` }));
}

/** Returns the message with these images and documents replaced by their stubs; places are those before the first is replaced. */
export function withMediaStubs(message: Message, stubs: readonly { readonly ref: StubRef; readonly text: string }[]): Message {
  const byPlace = new Map(stubs.flatMap((stub) => (stub.ref.media === undefined ? [] : [[stub.ref.media.at, stub] as const])));
  const refs: StubRef[] = [];
  let at = -1;
  const content = replaceMedia(message.content, () => {
    at += 1;
    const stub = byPlace.get(at);
    if (stub !== undefined) refs.push(stub.ref);
    return stub?.text;
  });
  return refs.length === 0 ? message : { ...message, content, stubs: [...(message.stubs ?? []), ...refs] };
}

export type StubSizing = {
  readonly measure: Measure;
  readonly ratio: number;
  /** What each stub may show below its first two lines. */
  readonly stubTokens: number;
};

export type StoredResult = {
  readonly tool: string;
  readonly ok: boolean;
  readonly content: string;
  readonly source?: string;
  /** Set when a longer stub stands there, and `content` is its text. */
  readonly stub?: StubRef;
};
type SizedResult = StoredResult & { readonly block: ContentBlock };

const PLACEHOLDER_PATH = `/${'p'.repeat(120)}`;

const PLACEHOLDER_HASH = '0'.repeat(64);

/** Of a message with this alone, the same one each time, since messages are weighed once. */
export const alone = memoizeByObject(
  (block: ContentBlock): Message => ({ id: '', at: '', role: 'user', origin: 'tools', content: [block] }),
);
const PLACEHOLDER_STUB: Message = alone({
  type: 'text',
  text: mediaStubText({ path: PLACEHOLDER_PATH, what: 'PNG image, 1000 × 1000 pixels, 100000 bytes', sha256: PLACEHOLDER_HASH }),
});

export const savedByMedia = ({ block }: PlacedMedia, { measure, ratio }: StubSizing): number =>
  measure.message(alone(block), ratio) - measure.message(PLACEHOLDER_STUB, ratio);

type RawSizes = { readonly stubTokens: number; readonly content: Size; readonly stub: Size };
type Size = { readonly tokens: number; readonly bytes: number };

/** A batch is planned at every step until it pays, but the sizes of a result and its stub stay the same, so they are cached. */
const sizeCache = memoizeByObject((_: Measure) => new WeakMap<ContentBlock, RawSizes>());

export function savedByStub(result: SizedResult, { measure, ratio, stubTokens }: StubSizing): Size {
  const cache = sizeCache(measure);
  const cached = cache.get(result.block);
  const sizes = cached !== undefined && cached.stubTokens === stubTokens ? cached : rawSizes(result, measure, stubTokens);
  cache.set(result.block, sizes);
  const { content, stub } = sizes;
  return { tokens: Math.ceil(ratio * content.tokens) - Math.ceil(ratio * stub.tokens), bytes: content.bytes - stub.bytes };
}

/** What is not smaller as a stub weighs the same as one. The body of a stub is not read for this, so its next one counts as full. */
function rawSizes({ tool, ok, content, source, stub: earlier }: SizedResult, measure: Measure, stubTokens: number): RawSizes {
  const sizeOf = (text: string): Size => ({ tokens: measure.text(text, 1), bytes: utf8Bytes(text) });
  const ref = { sha256: PLACEHOLDER_HASH, bytes: utf8Bytes(content), lines: countNewlines(content) + 1 };
  const described = { path: PLACEHOLDER_PATH, tool, ok, ref, ...(source !== undefined && { source }) };
  const current = sizeOf(content);
  const room = { tokens: earlier === undefined ? stubTokens : 0 };
  const text = smallStubText({ ...described, body: earlier === undefined ? content : '' }, content, room);
  if (text === undefined) return { stubTokens, content: current, stub: current };
  const stub = sizeOf(text);
  if (earlier === undefined) return { stubTokens, content: current, stub };
  return { stubTokens, content: current, stub: { tokens: stub.tokens + stubTokens, bytes: stub.bytes + stubTokens * UNITS_PER_TOKEN } };
}
