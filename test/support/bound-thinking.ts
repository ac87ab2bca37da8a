import { hash } from 'node:crypto';
import { type ContentBlock, isThinking, type WireMessage } from '../../src/domain/session/message.ts';
import { canonical } from './sent-json.ts';

type Past = { readonly system: unknown; readonly tools: unknown; readonly messages: readonly WireMessage[] };

export type ThinkingChecker = {
  readonly check: (request: Past) => readonly string[];
  /** Remembers which past the thinking blocks of an answer are bound to. */
  readonly answered: (request: Past, content: readonly ContentBlock[]) => void;
};

type Thought = {
  readonly at: string;
  readonly key: string;
  readonly block: string;
  /** A hash of all before it. */
  readonly past: string;
  /** The thinking blocks before it. */
  readonly before: readonly string[];
};

/**
 * Thinking blocks are bound to what came before them: they may be left out from the start, from the end or all of them, and must otherwise
 * stand behind the very past they were given for.
 */
export function createThinkingChecker(): ThinkingChecker {
  const bound = new Map<string, Thought>();
  const walk = createWalk();
  const problemOf = (thought: Thought): readonly string[] => {
    const known = bound.get(thought.key);
    if (known === undefined) bound.set(thought.key, thought);
    else if (known.block !== thought.block) return [`the thinking in ${thought.at} was changed`];
    else if (known.past !== thought.past) return [`the thinking in ${thought.at} stands behind a past that was changed`];
    else if (!isEndOf(thought.before, known.before))
      return [`the thinking in ${thought.at} lost or got back thinking in the middle of its past`];
    return [];
  };
  return {
    check: (request) => walk(request).flatMap(problemOf),
    answered: (request, content) => {
      for (const thought of walk({ ...request, messages: [...request.messages, { role: 'assistant', content }] }))
        if (!bound.has(thought.key)) bound.set(thought.key, thought);
    },
  };
}

/** What is known behind a message: a hash of all up to here without thinking, and the thinking. */
type Place = { readonly json: string; readonly past: string; readonly before: readonly string[]; readonly thoughts: readonly Thought[] };

/** Finds the thinking blocks of a request. What it begins with like the one before is not walked again. */
function createWalk(): (request: Past) => readonly Thought[] {
  let start: Place | undefined;
  let places: Place[] = [];
  return ({ system, tools, messages }) => {
    const json = JSON.stringify([system, tools]);
    if (start === undefined || start.json !== json) {
      start = { json, past: sha256(canonical([system, tools])), before: [], thoughts: [] };
      places = [];
    }
    for (const [i, message] of messages.entries()) {
      const json = JSON.stringify(message);
      if (places[i]?.json === json) continue;
      places = places.slice(0, i);
      places.push(placeBehind(message, json, i, places.at(-1) ?? start));
    }
    places = places.slice(0, messages.length);
    return places.flatMap(({ thoughts }) => thoughts);
  };
}

function placeBehind({ role, content }: WireMessage, json: string, i: number, last: Place): Place {
  let { past } = last;
  const before = [...last.before];
  const thoughts: Thought[] = [];
  for (const block of content) {
    const text = canonical(block);
    if (!isThinking(block)) {
      past = sha256(`${past} ${role} ${text}`);
      continue;
    }
    const key = String(block.signature ?? block.data ?? text);
    thoughts.push({ at: `message ${i}`, key, block: text, past, before: [...before] });
    before.push(key);
  }
  return { json, past, before, thoughts };
}

const isEndOf = (some: readonly string[], all: readonly string[]): boolean => {
  const end = all.slice(all.length - some.length);
  return some.length <= all.length && some.every((one, i) => one === end[i]);
};

const sha256 = (text: string): string => hash('sha256', text);
