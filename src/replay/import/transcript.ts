import type { ContentBlock } from '../../domain/session/message.ts';

export const formats = [
  'claude-code',
  'pi',
  'gemini-cli',
  'swe-agent',
  'aider',
  'anthropic',
  'openai',
  'chinese-chat',
  'sanbot',
  'codex',
] as const;
export type Format = (typeof formats)[number];

export type RecordedResult = { readonly toolUseId: string; readonly content: string; readonly ok: boolean };

/**
 * What happened, in order. A reply has all results of its calls with it, in the order of the calls, so that no pair can come
 * apart. `notice` is what the other program put into the conversation beside what a person typed.
 */
export type Step =
  | { readonly type: 'user' | 'notice'; readonly text: string }
  | { readonly type: 'reply'; readonly content: readonly ContentBlock[]; readonly results: readonly RecordedResult[] };

/** One recorded conversation. Steps begin with a user message or a notice, and no reply without calls is followed by another. */
export type Transcript = {
  readonly format: Format;
  /** Which one of a file with several; empty otherwise. */
  readonly part: string;
  /** The recorded system prompt, where the format keeps it. */
  readonly system: string | undefined;
  readonly cwd: string | undefined;
  readonly steps: readonly Step[];
  /** What was not taken over, by kind, in the order of first appearance: known to be no message, or unknown. */
  readonly leftOut: readonly { readonly kind: string; readonly count: number }[];
  /** What could not be read, one line each. */
  readonly damaged: readonly string[];
};
