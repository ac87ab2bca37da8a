import { describeMedia, mediaIn, mediaSource, replaceMedia } from '../../domain/session/media.ts';
import { type ContentBlock, isThinking, type WireMessage } from '../../domain/session/message.ts';
import { carefulMediaLimits, documentPages, type MediaLimits } from '../../domain/value/media-tokens.ts';
import { type Earlier, memoizeByObject, memoizeGrowing } from '../../domain/value/memoize.ts';

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
 * The messages with the newest images and documents that this model and one request can take, and text for the others. When there is no
 * room for a new one, several old ones go at once, so that later steps find their past cached, with the thinking that was bound to them.
 */
export function sentMedia(messages: readonly WireMessage[], facts: MediaFacts): readonly WireMessage[] {
  const seen = mediaOf(messages);
  if (seen.length === 0) return messages;
  const sees = facts.seesImages === true;
  const { kept, since } = sees ? newestOf(seen, facts) : { kept: new Set<ContentBlock>(), since: 0 };
  if (seen.every(({ media }) => media.every((block) => kept.has(block)))) return messages;
  const sent = [...messages.slice(0, since).map(unthinking), ...messages.slice(since)];
  for (const { index, media } of seen) {
    const message = sent[index];
    if (message !== undefined) sent[index] = withoutMedia(message, { media, kept, textFor: sees ? leftOutText : unseenText });
  }
  return sent;
}

/** Never without content: a message of nothing but thinking is not sent. */
const unthinking = memoizeByObject((message: WireMessage): WireMessage => {
  const content = message.content.filter((block) => !isThinking(block));
  return content.length === message.content.length ? message : { ...message, content };
});

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

const mediaOf = memoizeGrowing(
  (messages: readonly WireMessage[], earlier: Earlier<WireMessage, readonly Seen[]> | undefined): readonly Seen[] => {
    const { shared, value } = earlier ?? { shared: 0, value: [] };
    const added = messages.slice(shared).map(({ content }, at): Seen => ({ index: shared + at, media: mediaIn(content) }));
    return [...value.filter(({ index }) => index < shared), ...added.filter(({ media }) => media.length > 0)];
  },
);

const KEPT_SHARE = 0.75;

/** Decided from the first to the last, so that a longer conversation keeps what was decided. PDFs with too many pages push out no image. */
function newestOf(seen: readonly Seen[], { mediaLimits: limits = carefulMediaLimits, pagesOf = uncounted }: MediaFacts) {
  const held: Held = { kept: new Map(), sum: { count: 0, chars: 0, pages: 0 } };
  const weighs = weightsOf(pagesOf);
  let since = 0;
  for (const { index, media } of seen) {
    for (const block of media) {
      const weight = weighs(block);
      if (held.kept.has(block) || KINDS.some((kind) => weight[kind] > limits[kind])) continue;
      held.kept.set(block, weight);
      for (const kind of KINDS) held.sum[kind] += weight[kind];
      for (const kind of KINDS) {
        if (held.sum[kind] <= limits[kind]) continue;
        since = index;
        dropOldest(held, kind, { to: limits[kind] * KEPT_SHARE, but: block });
      }
    }
  }
  // `since`: how many messages stand before the one for which others were last left out.
  return { kept: new Set(held.kept.keys()), since };
}

type Held = { readonly kept: Map<ContentBlock, Weight>; readonly sum: Weight };

function dropOldest({ kept, sum }: Held, kind: Kind, { to, but }: { readonly to: number; readonly but: ContentBlock }): void {
  for (const [block, weight] of kept) {
    if (block === but || sum[kind] <= to) return;
    if (weight[kind] === 0) continue;
    kept.delete(block);
    for (const each of KINDS) sum[each] -= weight[each];
  }
}

const KINDS = ['count', 'chars', 'pages'] as const;
type Kind = (typeof KINDS)[number];
type Weight = Record<Kind, number>;

const uncounted: PagesOf = () => undefined;

/** Counted once for each, since a block never changes. */
const weightsOf = memoizeByObject((pagesOf: PagesOf) =>
  memoizeByObject((block: ContentBlock): Weight => {
    const data = mediaSource(block)?.data ?? '';
    const pages = block.type === 'document' ? documentPages(data, pagesOf(data)) : 0;
    return { count: 1, chars: data.length, pages };
  }),
);
