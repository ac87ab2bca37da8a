/** The messages that are kept word for word through every compaction. */
export type PinsPort = {
  /** The messages of the context that can be pinned, oldest first. */
  readonly choices: () => readonly PinLine[];
  readonly view: () => Promise<PinsView>;
  /** Pins the message of that number. Rejects with refused, with figures, when the pins would take more than their share. */
  readonly pin: (number: number) => Promise<void>;
  readonly unpin: (messageId: string) => Promise<void>;
};

/** A message in one line of at most 400 characters; its number counts the messages of the context from 1. */
export type PinLine = {
  readonly number: number;
  readonly messageId: string;
  readonly who: 'you' | 'assistant' | 'tool';
  readonly text: string;
  readonly pinned: boolean;
};

export type PinsView = {
  readonly pins: readonly Omit<PinLine, 'number' | 'pinned'>[];
  /** What they take at most, and what they may take. */
  readonly tokens: number;
  readonly budgetTokens: number;
};
