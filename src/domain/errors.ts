/**
 * The words of the program as types and schemas: messages, records, events, settings, memories, errors. Every room speaks in them, and this
 * room knows none of the others.
 *
 * What comes from outside is checked once, against a schema of this room, and trusted from then on. Unknown fields of a newer version pass
 * and are kept.
 *
 * It does nothing: no disk, no clock, no text for a screen. Errors are a table: a code, what and where, a way out and an exit code.
 */

import { type Bilingual, quotedText } from './language.ts';

type ErrorKind = { readonly exitCode: number; readonly hint: Bilingual };

const kind = (exitCode: number, en: string, zh: string): ErrorKind => ({ exitCode, hint: { en, zh } });

/** Every failure a person can meet, with its way out. The table in docs/commands.md and the exit codes are tested against this one. */
export const errorKinds = {
  internal: kind(
    1,
    'This is a fault in SanBot. The session is on disk: continue it with sanbot --continue.',
    '这是 SanBot 自身的错误。会话已保存在磁盘上：用 sanbot --continue 继续。',
  ),
  usage: kind(2, 'See sanbot --help.', '参见 sanbot --help。'),
  config_invalid: kind(
    2,
    'Compare the file with .sanbot.example.json, or run sanbot config validate.',
    '请对照 .sanbot.example.json 检查该文件，或运行 sanbot config validate。',
  ),
  not_found: kind(
    3,
    'sanbot history lists the sessions, sanbot history --session ID the snapshots of one.',
    'sanbot history 列出所有会话，sanbot history --session ID 列出某个会话的快照。',
  ),
  model_key: kind(
    4,
    'Choose a model with sanbot setup, or work offline with SANBOT_PROVIDER=offline.',
    '用 sanbot setup 选择模型，或设置 SANBOT_PROVIDER=offline 离线使用。',
  ),
  model_unreachable: kind(
    4,
    'Check the network and the address (sanbot doctor does), or work offline with SANBOT_PROVIDER=offline.',
    '请检查网络和地址（sanbot doctor 会检查），或设置 SANBOT_PROVIDER=offline 离线使用。',
  ),
  model_failed: kind(
    4,
    'Nothing is lost: send it again, or continue later with sanbot --continue.',
    '没有丢失任何内容：重新发送，或稍后用 sanbot --continue 继续。',
  ),
  context_cannot_fit: kind(
    5,
    'Use a model with a larger window (--model, SANBOT_CONTEXT_WINDOW), or send less at once.',
    '请改用窗口更大的模型（--model、SANBOT_CONTEXT_WINDOW），或减少一次发送的内容。',
  ),
  session_locked: kind(6, 'Close the other sanbot, or start a new session.', '请关闭另一个 sanbot，或新建会话。'),
  store_failed: kind(7, 'Free some space or make the folder writable, then send it again.', '请腾出磁盘空间或使文件夹可写，然后重新发送。'),
  store_damaged: kind(
    8,
    'The file is left as it is. sanbot doctor --repair recovers what it can; or roll back to another snapshot.',
    '文件保持原样。sanbot doctor --repair 会恢复能恢复的内容；也可以回滚到另一个快照。',
  ),
  refused: kind(9, 'Nothing was changed.', '没有做任何更改。'),
  steps_exhausted: kind(
    10,
    'Raise agent.maxSteps or --max-steps, or continue with sanbot --continue.',
    '调高 agent.maxSteps 或 --max-steps，或用 sanbot --continue 继续。',
  ),
  loop_detected: kind(
    11,
    'Say what to do differently, or continue with sanbot --continue.',
    '请说明应改用什么做法，或用 sanbot --continue 继续。',
  ),
  cost_exhausted: kind(12, 'Continue with sanbot --continue and a new --max-cost.', '用 sanbot --continue 和新的 --max-cost 继续。'),
  time_exhausted: kind(
    13,
    'Continue with sanbot --continue, or raise --max-turn-seconds.',
    '用 sanbot --continue 继续，或调高 --max-turn-seconds。',
  ),
  schema_unmet: kind(
    14,
    'Say in the prompt what each part means, or continue with sanbot --continue.',
    '请在提示词中说明各部分的含义，或用 sanbot --continue 继续。',
  ),
  interrupted: kind(130, 'Continue with sanbot --continue.', '用 sanbot --continue 继续。'),
};

export type ErrorCode = keyof typeof errorKinds;

/** A failure that ends what the user asked for. `message`: what failed and where, in one line; `hint`: a better one than the table's. */
export class SanbotError extends Error {
  override readonly name = 'SanbotError';
  readonly code: ErrorCode;
  readonly hint: string;
  /** Both as a person is shown them. `message` and `hint` are the English ones, for files and programs. */
  readonly shown: { readonly message: Bilingual; readonly hint: Bilingual };

  constructor(code: ErrorCode, message: Bilingual, hint: Bilingual = errorKinds[code].hint, cause?: unknown) {
    super(message.en, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint.en;
    this.shown = { message, hint };
  }
}

/** A model's server refused a request without a reason that is known: it may have been too long. */
export class UnexplainedRefusal extends SanbotError {}

/** A model's server has no model of the name that it was asked for. */
export class UnknownModel extends SanbotError {}

/** A model's server could not answer now, however often it was asked: another model may. */
export class ModelUnavailable extends SanbotError {}

export function orFailure<T>(work: () => T): T | SanbotError {
  try {
    return work();
  } catch (error) {
    if (error instanceof SanbotError) return error;
    throw error;
  }
}

/** A failure and its hint in one line, for somebody who is not at a command line: advice to read its help is left out. */
export function inOneLine({ shown: { message, hint } }: SanbotError): Bilingual {
  if (hint === errorKinds.usage.hint) return message;
  return { en: `${message.en}. ${hint.en}`, zh: `${message.zh}。${hint.zh}` };
}

/** What went wrong, in one line for whoever asked: a part of another text, with no code and no hint of its own. */
export class ReasonError extends Error {
  readonly reason: Bilingual;

  constructor(reason: Bilingual) {
    super(reason.en);
    this.reason = reason;
  }
}

/** The text of an error as a reason in one line; what a library or the system says is quoted in Chinese. */
export function errorReason(error: unknown): Bilingual {
  if (error instanceof SanbotError) return error.shown.message;
  return error instanceof ReasonError ? error.reason : quotedText(error instanceof Error ? error.message : String(error));
}

/** The user stopped it. Not a failure: whoever catches it leaves everything as it was before the step. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';
  /** What a command had printed until then. */
  readonly printed: string;

  constructor(message?: string, { printed = '', ...options }: ErrorOptions & { readonly printed?: string } = {}) {
    super(message, options);
    this.printed = printed;
  }
}
