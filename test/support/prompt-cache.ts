import type { RequestBody } from '../../src/model/anthropic/request.ts';

/** How far back from a breakpoint the provider looks for an entry, in blocks. */
const LOOK_BACK_BLOCKS = 20;

export type CacheOutcome = {
  /** Blocks of the request before, all of them. */
  readonly before: number;
  /** Of these, how many this request begins with, byte for byte. */
  readonly shared: number;
  /** Blocks that a real cache would read: up to the best entry that a breakpoint of this request finds. */
  readonly read: number;
};

/**
 * The provider's prompt cache as it is documented: an entry at each breakpoint of each request, in the order tools, system,
 * messages; a request reads the longest entry that lies at one of its breakpoints or at most 20 blocks before it.
 */
export function cacheOf(): { readonly send: (body: RequestBody) => CacheOutcome } {
  /** By their length: only where there is one need a prefix be put together. */
  const entries = new Map<number, Set<string>>();
  let previous: readonly string[] = [];
  return {
    send: (body) => {
      const blocks = blocksOf(body);
      const texts = blocks.map(({ text }) => text);
      const marks = blocks.flatMap(({ marked }, index) => (marked ? [index + 1] : []));
      const prefix = (length: number): string => texts.slice(0, length).join('\n');
      const candidates = marks.flatMap((mark) => Array.from({ length: LOOK_BACK_BLOCKS }, (_, back) => mark - back));
      const read = Math.max(0, ...candidates.filter((length) => entries.get(length)?.has(prefix(length)) === true));
      let shared = 0;
      while (shared < previous.length && previous[shared] === texts[shared]) shared++;
      const before = previous.length;
      for (const mark of marks) entries.set(mark, (entries.get(mark) ?? new Set()).add(prefix(mark)));
      previous = texts;
      return { before, shared, read };
    },
  };
}

type Block = { readonly text: string; readonly marked: boolean };

/** Every block with its place, without the breakpoint itself: that is no part of the content. */
function blocksOf({ tools = [], system = [], messages }: RequestBody): readonly Block[] {
  return [
    ...tools.map((tool) => blockOf('tool', tool)),
    ...system.map((block) => blockOf('system', block)),
    ...messages.flatMap(({ role, content }) => content.map((block) => blockOf(role, block))),
  ];
}

function blockOf(place: string, block: Readonly<Record<string, unknown>>): Block {
  const { cache_control, ...content } = block;
  return { text: `${place} ${JSON.stringify(content)}`, marked: cache_control !== undefined };
}
