import { narrativeSections } from '../../src/context/summary/summary-check.ts';
import { type ContentBlock, isText, type WireMessage } from '../../src/domain/session/message.ts';
import type { SentRequest } from './check-request.ts';
import { jsonWithoutMarks } from './sent-json.ts';

/** True when the conversation's own last words ask for a summary of it. */
export function asksForSummary(messages: readonly WireMessage[]): boolean {
  const last = messages.at(-1)?.content.at(-1);
  return last !== undefined && isText(last) && narrativeSections.every((name) => last.text.includes(`## ${name}`));
}

export type PrefixChecker = { readonly check: (request: SentRequest) => readonly string[] };

/**
 * Holds requests for a summary to what a provider's cache is worth: one at the end of a conversation begins with the very bytes of a turn's
 * last request, or with those before its newest messages, in all that a cache depends on, and any other writes nothing to the cache, since
 * nobody could read it. That request is the newest, or the last one before the past changed: a rollback goes back to such a one.
 */
export function createPrefixChecker(): PrefixChecker {
  const ends: Turn[] = [];
  return {
    check: (request) => {
      if (request.compaction !== undefined) return [];
      const hasTools = Array.isArray(request.tools) && request.tools.length > 0;
      if (!hasTools) return marksIn(request) === 0 ? [] : ['a summary of a transcript has cache breakpoints'];
      const blocks = blocksOf(request.messages);
      if (!asksForSummary(request.messages)) {
        const newest = ends.at(-1);
        if (newest !== undefined && isExtended(newest, blocks)) ends.pop();
        ends.push({ request, blocks });
        return [];
      }
      const [sent] = ends.toSorted((a, b) => commonBlocks(b, blocks) - commonBlocks(a, blocks));
      if (sent === undefined) return ['a summary on a prefix that was never sent'];
      const differing = (['model', 'system', 'tools', 'settings'] as const).filter(
        (name) => jsonWithoutMarks(request[name]) !== jsonWithoutMarks(sent.request[name]),
      );
      // What a compaction keeps need not be shown: then the request ends before it.
      const added = blocks.findIndex((block, at) => block !== sent.blocks[at]);
      const isCutOff = added < sent.blocks.length;
      return [
        ...differing.map((name) => `a summary on the prefix has another ${name}`),
        ...(added === -1 ? ['a summary on the prefix adds nothing to it'] : []),
        ...(isCutOff && blocks.length - added > MAX_ADDED ? [`a summary on the prefix differs from it in block ${added}`] : []),
      ];
    },
  };
}

type Turn = { readonly request: SentRequest; readonly blocks: readonly string[] };

const isExtended = ({ blocks: earlier }: Turn, blocks: readonly string[]): boolean => earlier.every((block, at) => block === blocks[at]);

const commonBlocks = ({ blocks: earlier }: Turn, blocks: readonly string[]): number => {
  const at = earlier.findIndex((block, i) => block !== blocks[i]);
  return at === -1 ? earlier.length : at;
};

/** Bodies, and instructions. */
const MAX_ADDED = 2;

const blocksOf = (messages: readonly WireMessage[]): readonly string[] =>
  messages.flatMap(({ role, content }) => content.map((block: ContentBlock) => `${role} ${jsonWithoutMarks(block)}`));

const marksIn = (request: SentRequest): number => JSON.stringify([request.system, request.messages]).split('"cache_control":').length - 1;
