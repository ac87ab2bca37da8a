import { mediaIn, replaceMedia } from '../../domain/session/media.ts';
import type { ContentBlock, WireMessage } from '../../domain/session/message.ts';
import { imageSize } from '../../domain/value/image-size.ts';
import { isObject, isString } from '../../domain/value/json.ts';

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
  const all = messages.flatMap(({ content }) => mediaIn(content));
  if (all.length === 0) return messages;
  const kept = sees ? newestOf(all) : new Set<ContentBlock>();
  if (kept.size === all.length) return messages;
  return messages.map((message) => {
    const content = replaceMedia(message.content, (block) => (kept.has(block) ? undefined : sees ? leftOutText(block) : unseenText(block)));
    return content === message.content ? message : { ...message, content };
  });
}

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
