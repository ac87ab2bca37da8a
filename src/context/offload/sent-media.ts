import { mediaIn, replaceMedia } from '../../domain/session/media.ts';
import type { ContentBlock, WireMessage } from '../../domain/session/message.ts';
import { imageSize } from '../../domain/value/image-size.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { type Earlier, memoizeByObject, memoizeGrowing } from '../../domain/value/memoize.ts';

/** Above this many images the API takes only small ones; and each costs. */
const MAX_MEDIA = 20;
/** Of base64, in one request: the API takes 32 MB in all. */
const MAX_MEDIA_CHARS = 24_000_000;

const unseenText = (block: ContentBlock): string => `[${kindOf(block)} stands here that the model in use does not see.]`;
const leftOutText = (block: ContentBlock): string =>
  `[${kindOf(block)} stood here; there are newer ones in its place. Read it again if it is needed.]`;

/** What it is, by its own bytes: "An image (image/png, 60 × 40 pixels)". */
function kindOf({ type, source }: ContentBlock): string {
  const name = type === 'image' ? 'An image' : 'A document';
  if (!isObject(source)) return name;
  const size = type === 'image' && isString(source.data) ? imageSize(source.data) : undefined;
  const details = [
    ...(isString(source.media_type) && /^[a-z]{1,20}\/[a-z0-9.+-]{1,60}$/.test(source.media_type) ? [source.media_type] : []),
    ...(size === undefined ? [] : [`${size.width} × ${size.height} pixels`]),
  ];
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}

/**
 * Returns the messages as this model can take them: without images and documents where it does not see, else with the newest ones that one
 * request may have. Text stands where one is left out. Without any, the same messages.
 */
export function sentMedia(messages: readonly WireMessage[], sees: boolean): readonly WireMessage[] {
  const seen = mediaOf(messages);
  const all = seen.flatMap(({ media }) => media);
  if (all.length === 0) return messages;
  const kept = sees ? newestOf(all) : new Set<ContentBlock>();
  if (kept.size === all.length) return messages;
  const sent = [...messages];
  for (const { index, media } of seen) {
    const message = messages[index];
    if (message !== undefined) sent[index] = withoutMedia(message, { media, kept, textFor: sees ? leftOutText : unseenText });
  }
  return sent;
}

type Left = { readonly media: readonly ContentBlock[]; readonly kept: ReadonlySet<ContentBlock>; readonly textFor: typeof unseenText };

/** The same object for the same message as long as the same is left out of it. */
function withoutMedia(message: WireMessage, { media, kept, textFor }: Left): WireMessage {
  if (media.every((block) => kept.has(block))) return message;
  const versions = versionsOf(message);
  const key = `${textFor === unseenText} ${media.map((block) => Number(kept.has(block))).join('')}`;
  const known = versions.get(key);
  if (known !== undefined) return known;
  const version = { ...message, content: replaceMedia(message.content, (block) => (kept.has(block) ? undefined : textFor(block))) };
  versions.set(key, version);
  return version;
}

const versionsOf = memoizeByObject((_: WireMessage) => new Map<string, WireMessage>());

type Seen = { readonly index: number; readonly media: readonly ContentBlock[] };

/** The images and documents of the messages that hold some. */
const mediaOf = memoizeGrowing(
  (messages: readonly WireMessage[], earlier: Earlier<WireMessage, readonly Seen[]> | undefined): readonly Seen[] => {
    const { shared, value } = earlier ?? { shared: 0, value: [] };
    const added = messages.slice(shared).map(({ content }, at): Seen => ({ index: shared + at, media: mediaIn(content) }));
    return [...value.filter(({ index }) => index < shared), ...added.filter(({ media }) => media.length > 0)];
  },
);

function newestOf(all: readonly ContentBlock[]): ReadonlySet<ContentBlock> {
  const kept = new Set<ContentBlock>();
  let chars = 0;
  for (const block of all.toReversed()) {
    chars += isObject(block.source) && isString(block.source.data) ? block.source.data.length : 0;
    if (kept.size >= MAX_MEDIA || chars > MAX_MEDIA_CHARS) break;
    kept.add(block);
  }
  return kept;
}
