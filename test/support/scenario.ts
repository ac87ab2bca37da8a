import type { ModelRequest, ModelStream } from '../../src/agent/ports/model.ts';
import type { ErrorCode } from '../../src/domain/errors.ts';
import { type ContentBlock, textOf, type Usage } from '../../src/domain/session/message.ts';

/** What a fake answers. `usage` left out is computed from the request; `null` says that the provider reported none. */
export type FakeReply = {
  readonly kind: 'reply';
  readonly content: readonly ContentBlock[];
  readonly stopReason: string;
  readonly usage?: Usage | null;
};

/** What only a server can do wrong. Fakes without a wire refuse these steps. */
export type Mischief =
  | {
      readonly how: 'status';
      readonly status: number;
      /** An object is sent as JSON, a string as it is, with `headers` over the defaults. */
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Part of a reply, then silence until the client goes away. */
  | { readonly how: 'stall' }
  /** Nothing at all, not even a status, until the client goes away. */
  | { readonly how: 'hang' }
  /** The connection is reset in the middle of a block. */
  | { readonly how: 'reset' }
  /** The body ends properly, the reply does not. */
  | { readonly how: 'premature_end' }
  | { readonly how: 'error_event'; readonly type: string; readonly message: string }
  | { readonly how: 'bad_json' }
  /** A tool call whose arguments stop in the middle. */
  | { readonly how: 'cut_tool_json'; readonly name: string; readonly json: string; readonly stopReason: string };

export type FakeAnswer =
  | FakeReply
  | { readonly kind: 'overflow'; readonly sentTokens: number; readonly limitTokens: number }
  | { readonly kind: 'stale_thinking' }
  | { readonly kind: 'fails'; readonly code: ErrorCode; readonly message: string }
  /** Never answers; only an abort ends it. */
  | { readonly kind: 'hangs' }
  | { readonly kind: 'mischief'; readonly mischief: Mischief };

export type Matcher = {
  readonly purpose?: ModelRequest['purpose'];
  /** In the text of the last message. */
  readonly lastText?: string | RegExp;
  /** Anywhere in the system prompt, the tools or the messages, as JSON. */
  readonly contains?: string | RegExp;
  readonly lacks?: string | RegExp;
};

export type Expectation = Matcher | ((request: ModelRequest) => void);

export type Step = {
  readonly expect?: Expectation;
  readonly answer: FakeAnswer;
  /** Runs while the model is "busy", after the text was streamed and before the answer. In-process fakes only. */
  readonly during?: (stream: ModelStream) => void | Promise<void>;
};

/** Decides each step from the request itself; `n` counts requests from 0. For sessions too long to write down. */
export type Script = (request: ModelRequest, n: number) => Step;

type More = Omit<Partial<FakeReply>, 'kind' | 'content'> & Omit<Step, 'answer'> & { readonly thinking?: string };

/** All of one length, so that none weighs more. */
let signatures = 100_000;
const thought = (thinking: string | undefined): readonly ContentBlock[] =>
  thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: `signature-${++signatures}` }];

const step = (answer: FakeAnswer, { expect, during }: Omit<Step, 'answer'> = {}): Step => ({
  answer,
  ...(expect === undefined ? {} : { expect }),
  ...(during === undefined ? {} : { during }),
});

const reply = (content: readonly ContentBlock[], stopReason: string, more: More): Step =>
  step(
    { kind: 'reply', content, stopReason: more.stopReason ?? stopReason, ...(more.usage === undefined ? {} : { usage: more.usage }) },
    more,
  );

export const replies = (text: string, more: More = {}): Step =>
  reply([...thought(more.thinking), { type: 'text', text }], 'end_turn', more);

let callNumber = 0;
export const callsTool = (name: string, input: unknown, id = `call_${++callNumber}`, more: More = {}): Step =>
  reply([...thought(more.thinking), { type: 'tool_use', id, name, input }], 'tool_use', more);

export const callsTools = (
  made: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[],
  more: More = {},
): Step =>
  reply(
    [
      ...thought(more.thinking),
      ...made.map(({ name, input, id = `call_${++callNumber}` }): ContentBlock => ({ type: 'tool_use', id, name, input })),
    ],
    'tool_use',
    more,
  );

/** Any content with any stop reason: unknown blocks, refusals, nothing at all. */
export const answersWith = (content: readonly ContentBlock[], stopReason: string, more: More = {}): Step =>
  reply(content, stopReason, more);

let compactions = 100_000;
/** The API's own summary, signed. */
export const compacts = (content: string, more: More = {}): Step =>
  reply([{ type: 'compaction', content, encrypted_content: null, signature: `compaction-${++compactions}` }], 'compaction', more);

export const overflows = (sentTokens: number, limitTokens: number, more: Omit<Step, 'answer'> = {}): Step =>
  step({ kind: 'overflow', sentTokens, limitTokens }, more);
export const refusesThinking = (more: Omit<Step, 'answer'> = {}): Step => step({ kind: 'stale_thinking' }, more);
export const fails = (code: ErrorCode, message = `scripted ${code}`, more: Omit<Step, 'answer'> = {}): Step =>
  step({ kind: 'fails', code, message }, more);
export const hangs = (more: Omit<Step, 'answer'> = {}): Step => step({ kind: 'hangs' }, more);
export const misbehaves = (mischief: Mischief, more: Omit<Step, 'answer'> = {}): Step => step({ kind: 'mischief', mischief }, more);

/** An error answer of the API: `status(529, 'overloaded_error', 'Overloaded', { 'retry-after': '2' })`. */
export const status = (code: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): Step =>
  misbehaves({ how: 'status', status: code, headers, body: { type: 'error', error: { type, message } } });

/** What is wrong with the request, or undefined. A function says so by throwing. */
export function unmet(expectation: Expectation | undefined, request: ModelRequest): string | undefined {
  if (expectation === undefined) return undefined;
  if (typeof expectation === 'function') return thrown(() => expectation(request));
  const { purpose, lastText, contains, lacks } = expectation;
  const all = JSON.stringify([request.system, request.tools, request.messages]);
  if (purpose !== undefined && purpose !== request.purpose) return `expected a request for a ${purpose}`;
  if (lastText !== undefined && !holds(textOf(request.messages.at(-1)?.content ?? []), lastText))
    return `expected ${lastText} in the last message`;
  if (contains !== undefined && !holds(all, contains)) return `expected ${contains} in the request`;
  if (lacks !== undefined && holds(all, lacks)) return `expected no ${lacks} in the request`;
  return undefined;
}

const holds = (text: string, sought: string | RegExp): boolean => (typeof sought === 'string' ? text.includes(sought) : sought.test(text));

const thrown = (check: () => void): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return String(error);
  }
};

const SHOWN_CHARS = 120;

/** A request in a few lines, for the message of a failed test. */
export function outline(request: ModelRequest): string {
  const messages = request.messages.map(({ role, content }, i) => `  ${i} ${role}: ${content.map(shown).join(' | ')}`);
  const tools = request.tools.map(({ name }) => name).join(', ') || 'none';
  return [`${request.purpose} request to ${request.model}, tools: ${tools}`, ...messages].join('\n');
}

const shown = (block: ContentBlock): string => {
  const text = JSON.stringify(block);
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}… (${text.length})`;
};
