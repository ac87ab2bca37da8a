import { describeMedia, mediaIn, mediaSource, replaceMedia } from '../../domain/session/media.ts';
import type { ContentBlock, WireMessage } from '../../domain/session/message.ts';
import { carefulMediaLimits, type MediaLimits } from '../../domain/value/media-limits.ts';
import { documentPages } from '../../domain/value/media-tokens.ts';
import { type Earlier, memoizeByObject, memoizeGrowing } from '../../domain/value/memoize.ts';

/** What is known of a model about images and PDFs. */
export type MediaFacts = {
  readonly seesImages?: boolean | undefined;
  readonly mediaLimits?: MediaLimits | undefined;
  readonly pagesOf?: PagesOf | undefined;
};

type PagesOf = (base64: string) => number | undefined;

const unseenText = (block: ContentBlock): string => `[Not shown, since the model in use does not see: ${describeMedia(block)}.]`;
const leftOutText = (block: ContentBlock): string =>
  `[Not shown, since there are newer ones: ${describeMedia(block)}. Read it again if it is needed.]`;

/**
 * Returns the messages as this model can take them: without images and documents where it does not see, else with the newest ones that one
 * request may have. Text stands where one is left out. Without any, the same messages.
 */
export function sentMedia(messages: readonly WireMessage[], facts: MediaFacts): readonly WireMessage[] {
  const seen = mediaOf(messages);
  const all = seen.flatMap(({ media }) => media);
  if (all.length === 0) return messages;
  const sees = facts.seesImages === true;
  const kept = sees ? newestOf(all, facts) : new Set<ContentBlock>();
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

/** A PDF that takes the last pages takes them from every older one, and from no image. */
function newestOf(
  all: readonly ContentBlock[],
  { mediaLimits: limits = carefulMediaLimits, pagesOf = uncounted }: MediaFacts,
): ReadonlySet<ContentBlock> {
  const kept = new Set<ContentBlock>();
  let [chars, pages] = [0, 0];
  for (const block of all.toReversed()) {
    const ofBlock = block.type === 'document' ? pagesIn(pagesOf)(block) : 0;
    pages += ofBlock;
    if (ofBlock > 0 && pages > limits.pages) continue;
    chars += mediaSource(block)?.data.length ?? 0;
    if (kept.size >= limits.count || chars > limits.chars) break;
    kept.add(block);
  }
  return kept;
}

const uncounted: PagesOf = () => undefined;

/** Counted once for each PDF, since a block never changes. */
const pagesIn = memoizeByObject((pagesOf: PagesOf) =>
  memoizeByObject((block: ContentBlock): number => {
    const data = mediaSource(block)?.data ?? '';
    return documentPages(data, pagesOf(data));
  }),
);
