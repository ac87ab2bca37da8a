/**
 * The words of the program as types and schemas: messages, records, events, settings, memories, errors. Every room speaks in them, and
 * this room knows none of the others.
 *
 * What comes from outside (a log, a settings file, a model) is checked once, against a schema of this room, and trusted from then on.
 * Unknown fields of a newer version pass and are kept; which damage is forgiven is said at each schema.
 *
 * It does nothing: no disk, no clock, no text for a screen. Errors are a table: a code, what and where, a way out and an exit code, and
 * one place that prints them.
 */

type ErrorKind = { readonly exitCode: number; readonly hint: string };

/** Every failure a person can meet, with its way out. The table in docs/commands.md and the exit codes are tested against this one. */
export const errorKinds = {
  internal: { exitCode: 1, hint: 'This is a fault in SanBot. The session is on disk: continue it with sanbot --continue.' },
  usage: { exitCode: 2, hint: 'See sanbot --help.' },
  config_invalid: { exitCode: 2, hint: 'Compare the file with .sanbot.example.json, or run sanbot config validate.' },
  not_found: { exitCode: 3, hint: 'sanbot history lists the sessions, sanbot history --session ID the snapshots of one.' },
  model_key: { exitCode: 4, hint: 'Choose a model with sanbot setup, or work offline with SANBOT_PROVIDER=offline.' },
  model_unreachable: {
    exitCode: 4,
    hint: 'Check the network and the address (sanbot doctor does), or work offline with SANBOT_PROVIDER=offline.',
  },
  model_failed: { exitCode: 4, hint: 'Nothing is lost: send it again, or continue later with sanbot --continue.' },
  context_cannot_fit: { exitCode: 5, hint: 'Use a model with a larger window (--model, SANBOT_CONTEXT_WINDOW), or send less at once.' },
  session_locked: { exitCode: 6, hint: 'Close the other sanbot, or start a new session.' },
  store_failed: { exitCode: 7, hint: 'Free some space or make the folder writable, then send it again.' },
  store_damaged: {
    exitCode: 8,
    hint: 'The file is left as it is. sanbot doctor --repair recovers what it can; or roll back to another snapshot.',
  },
  refused: { exitCode: 9, hint: 'Nothing was changed.' },
  steps_exhausted: { exitCode: 10, hint: 'Raise agent.maxSteps or --max-steps, or continue with sanbot --continue.' },
  loop_detected: { exitCode: 11, hint: 'Say what to do differently, or continue with sanbot --continue.' },
  cost_exhausted: { exitCode: 12, hint: 'Continue with sanbot --continue and a new --max-cost.' },
  time_exhausted: { exitCode: 13, hint: 'Continue with sanbot --continue, or raise --max-turn-seconds.' },
  interrupted: { exitCode: 130, hint: 'Continue with sanbot --continue.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/**
 * A failure that ends what the user asked for. `message` says what failed and where, in one line; `hint` replaces the hint of the table
 * when a better one is known.
 */
export class SanbotError extends Error {
  override readonly name = 'SanbotError';
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { readonly hint?: string }) {
    super(message, options);
    this.code = code;
    this.hint = options?.hint ?? errorKinds[code].hint;
  }
}

/** The user stopped it. Not a failure: whoever catches it leaves everything as it was before the step. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';
}
