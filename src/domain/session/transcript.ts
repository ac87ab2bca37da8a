import type { ContentBlock } from './message.ts';

export type Format =
  | 'claude-code'
  | 'pi'
  | 'gemini-cli'
  | 'qwen-code'
  | 'opencode'
  | 'swe-agent'
  | 'aider'
  | 'anthropic'
  | 'openai'
  | 'chinese-chat'
  | 'sanbot'
  | 'codex'
  | 'entire';

export type RecordedResult = {
  readonly toolUseId: string;
  readonly content: string;
  readonly ok: boolean;
  /** The user's words with a "no" to the call, where the format sets them apart from what a program prints. */
  readonly said?: string;
};

/** When it was recorded, in ISO 8601, UTC; left out where the recording does not say. */
type Recorded = { readonly at?: string };

/** What happened, in order; a reply with the results of all its calls. `notice`: added by the other program, and not typed. */
export type Step = Recorded &
  (
    | { readonly type: 'user' | 'notice'; readonly text: string }
    | { readonly type: 'reply'; readonly content: readonly ContentBlock[]; readonly results: readonly RecordedResult[] }
  );

/** One recorded conversation. It begins with a user message or a notice, and no reply without calls is followed by another reply. */
export type Transcript = {
  readonly format: Format;
  /** Names one of several conversations in a file; empty otherwise. */
  readonly part: string;
  /** The recorded system prompt, where the format includes it. */
  readonly system: string | undefined;
  readonly cwd: string | undefined;
  readonly steps: readonly Step[];
  /** How many entries were left out, by kind in the order of first appearance: known not to be messages, or unknown. */
  readonly leftOut: readonly { readonly kind: string; readonly count: number }[];
  /** What could not be read, one line each. */
  readonly damaged: readonly string[];
};
