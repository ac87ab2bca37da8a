import { z } from 'zod';
import { setting } from '../config/settings/settings.ts';
import { expecting } from '../language.ts';
import { orUndefined } from '../value/or-undefined.ts';

/** When the user's commands run; the names are those of the Claude Agent SDK. */
export const hookEvents = [
  'PreCompact',
  'PostCompact',
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'Notification',
] as const;
export type HookEvent = (typeof hookEvents)[number];

type EventTraits = {
  readonly timeoutMs: number;
  /** The field of the payload that a matcher is compared with; none where a matcher says nothing. */
  readonly matched?: string;
};

const traits: Readonly<Record<HookEvent, EventTraits>> = {
  PreCompact: { timeoutMs: 60_000, matched: 'trigger' },
  PostCompact: { timeoutMs: 30_000, matched: 'trigger' },
  SessionStart: { timeoutMs: 30_000, matched: 'source' },
  SessionEnd: { timeoutMs: 5_000, matched: 'reason' },
  UserPromptSubmit: { timeoutMs: 30_000 },
  PreToolUse: { timeoutMs: 60_000, matched: 'tool_name' },
  PostToolUse: { timeoutMs: 60_000, matched: 'tool_name' },
  Stop: { timeoutMs: 60_000 },
  Notification: { timeoutMs: 10_000, matched: 'notification_type' },
};

export const matchedField = (event: HookEvent): string | undefined => traits[event].matched;

/**
 * Looking around and references back take for ever in an expression of others, and RE2 has none; nor what only JavaScript writes so: \cX,
 * classes of nothing, letters with a backslash that says nothing.
 */
const hasWhatIsLeftOut = (text: string): boolean =>
  [...text.matchAll(/\\u[\da-f]{4}|\\x[\da-f]{2}|\\[\s\S]|\(\?<?[=!]|\[\^?\]/gi)].some(
    ([sign]) => !/^\\(?:u.|x.|[dDwWsSbBnrtfv]$|[^\w]$)/.test(sign),
  );

const MAX_MS = 600_000;
const command = z.string().min(1);
const matcher = z
  .string()
  .max(500)
  .refine(
    (text) => text === '*' || (orUndefined(() => new RegExp(text)) !== undefined && !hasWhatIsLeftOut(text)),
    expecting({
      en: 'a name, names with | between them, or a regular expression that looks neither ahead nor behind and has no references back',
      zh: '名称、以 | 分隔的多个名称，或没有前瞻、后顾和反向引用的正则表达式',
    }),
  );

/** Said by the person: what a command of theirs does cannot be told from its text. */
const onlyReads = z.boolean();

const ownForm = z.strictObject({
  command,
  timeoutMs: z.int().positive().max(MAX_MS).optional(),
  matcher: matcher.optional(),
  onlyReads: onlyReads.optional(),
});
/** The form of the SDK's settings: a matcher with its commands, and time limits in seconds. */
const sdkForm = z.strictObject({
  matcher: matcher.optional(),
  hooks: z.array(
    z.strictObject(
      {
        type: z.literal('command'),
        command,
        timeout: z
          .number()
          .positive()
          .max(MAX_MS / 1_000)
          .optional(),
        onlyReads: onlyReads.optional(),
      },
      { error: '{"type": "command", "command": "…", "timeout": SECONDS} with at most 600; "onlyReads": true for one that changes no file' },
    ),
  ),
});

/** A command line, one with its time limit and matcher, or the SDK's group of commands. */
export const hookSchema = z.union([command, ownForm, sdkForm], {
  error:
    'a command, {"command": "…", "timeoutMs": …} with at most 600000, or {"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}',
});
export type HookSetting = z.infer<typeof hookSchema>;

const hookList = () => z.array(hookSchema).default([]);
export const hooksSchema = z.strictObject({
  PreCompact: setting(hookList(), { en: 'Commands to run before a compaction.', zh: '压缩之前运行的命令。' }),
  PostCompact: setting(hookList(), { en: 'Commands to run after one.', zh: '压缩之后运行的命令。' }),
  SessionStart: setting(hookList(), { en: 'Commands to run before the first turn.', zh: '第一轮之前运行的命令。' }),
  SessionEnd: setting(hookList(), { en: 'Commands to run when a session ends.', zh: '会话结束时运行的命令。' }),
  UserPromptSubmit: setting(hookList(), {
    en: 'Commands to run on what you say, before it is sent.',
    zh: '你的消息发送之前运行的命令。',
  }),
  PreToolUse: setting(hookList(), {
    en: 'Commands to run before a tool call. They may allow, change or forbid it.',
    zh: '工具调用之前运行的命令。它们可以允许、更改或禁止调用。',
  }),
  PostToolUse: setting(hookList(), { en: 'Commands to run after a call that succeeded.', zh: '调用成功之后运行的命令。' }),
  Stop: setting(hookList(), {
    en: 'Commands to run when the model ends its turn. They may send it back to work.',
    zh: '模型结束本轮时运行的命令。它们可以让模型继续工作。',
  }),
  Notification: setting(hookList(), { en: 'Commands to run when SanBot asks you something.', zh: 'SanBot 向你提问时运行的命令。' }),
} satisfies Readonly<Record<HookEvent, z.ZodType>>);

export type HookCommand = {
  readonly command: string;
  readonly timeoutMs: number;
  readonly matcher: string | undefined;
  /** By its settings, it changes no file: nothing need be kept before it runs. */
  readonly onlyReads: boolean;
};

/** The commands that settings of one event name, in order, whichever form each has. */
export const commandsIn = (settings: readonly HookSetting[], event: HookEvent): readonly HookCommand[] =>
  settings.flatMap((setting) => {
    const { timeoutMs } = traits[event];
    if (typeof setting === 'string') return [{ command: setting, timeoutMs, matcher: undefined, onlyReads: false }];
    if ('command' in setting) {
      const { command, matcher, onlyReads = false } = setting;
      return [{ command, timeoutMs: setting.timeoutMs ?? timeoutMs, matcher, onlyReads }];
    }
    return setting.hooks.map(({ command, timeout, onlyReads = false }) => ({
      command,
      timeoutMs: timeout === undefined ? timeoutMs : Math.ceil(timeout * 1_000),
      matcher: setting.matcher,
      onlyReads,
    }));
  });

/** The name of a tool that a server or the model made up may be longer; it is matched by everything, as by "*". */
const MAX_NAME_CHARS = 1_000;

/**
 * As the SDK compares: names with | between them match whole, any other text is a regular expression; none, "", "*" and one too large match
 * everything. RE2 does not backtrack, so that a file of others cannot make it take long.
 */
export async function matches(matcher: string | undefined, names: readonly string[]): Promise<boolean> {
  if (matcher === undefined || matcher === '' || matcher === '*') return true;
  if (isList(matcher)) return matcher.split('|').some((name) => names.includes(name.trim()));
  const { RE2JS } = await import('re2js');
  const pattern = orUndefined(() =>
    RE2JS.compile(matcher.replace(/(\\[^u])|\\u([\da-f]{4})/gi, (_, other, code) => other ?? `\\x{${code}}`)),
  );
  return names.some((name) => name.length > MAX_NAME_CHARS || pattern === undefined || pattern.test(name));
}

const isList = (text: string): boolean => /^[\w |-]+$/.test(text);
