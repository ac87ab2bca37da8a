import { z } from 'zod';
import { expecting } from '../language.ts';
import { sandboxNeeds } from './sandbox-mode.ts';
import { homePaths, setting } from './settings/settings.ts';

/** What a rule compares a call with: at most one of these. */
const patterns = ['command', 'prefix', 'file', 'path', 'host'] as const;

/** With no pattern, a deny or ask rule is about all calls of the tool, an allow rule only about those with neither command nor path. */
const permissionRuleSchema = z
  .strictObject({
    /** The tool's name; `*` stands for any characters. */
    tool: z.string().min(1),
    command: z.string().min(1).optional(),
    /** The words that a command begins with, separated by blanks. */
    prefix: z
      .string()
      .refine((text) => text.trim() !== '', expecting({ en: 'some text', zh: '文字' }))
      .optional(),
    file: z.string().min(1).optional(),
    /** A path: relative to the working folder, absolute, or with ~/ in front; `*` within a name, `**` for any folders. */
    path: z.string().min(1).optional(),
    /** A host of the web; `*.` in front stands for all below it. */
    host: z.string().min(1).optional(),
    /** What commands that it allows may have beyond the sandbox. */
    needs: z.enum(sandboxNeeds).optional(),
    /** Digests of the files that define what its command runs, by their path: when one says something else, it allows nothing. */
    scripts: z.record(z.string(), z.string()).optional(),
    /** The working folder that it holds in; everywhere without it. */
    folder: z.string().min(1).optional(),
    /** The repository that the folder was of when an allow rule was written, null for none: of another one it allows nothing. */
    repository: z.string().nullable().optional(),
    /** It allows what it covers also when that cannot be undone. */
    irreversible: z.literal(true).optional(),
  })
  .refine(
    (rule) => patterns.filter((key) => rule[key] !== undefined).length <= 1,
    expecting({ en: `only one of ${patterns.join(', ')}`, zh: `${patterns.join('、')} 中只能有一个` }),
  );

/** A rule that asks or forbids is about what can be undone and what cannot. */
const otherRuleSchema = permissionRuleSchema.refine(
  ({ irreversible }) => irreversible === undefined,
  expecting({ en: 'irreversible only in an allow rule', zh: 'irreversible 只能用于允许规则' }),
);

export type PermissionRule = Readonly<z.infer<typeof permissionRuleSchema>>;

export const permissionsSchema = z.strictObject({
  allow: setting(z.array(permissionRuleSchema).default([]), {
    en: 'Rules for calls that run without asking.',
    zh: '无需询问即可运行的调用规则。',
  }),
  ask: setting(z.array(otherRuleSchema).default([]), {
    en: 'Rules for calls that ask each time, whatever was allowed. `bypass` does not ask.',
    zh: '无论之前批准过什么，每次都要询问的调用规则。`bypass` 不询问。',
  }),
  deny: setting(z.array(otherRuleSchema).default([]), {
    en: 'Rules for calls that never run, in any mode. Deny wins over ask and allow.',
    zh: '在任何模式下都不运行的调用规则。拒绝优先于询问和允许。',
  }),
  folders: setting(homePaths(), {
    en: 'Folders that are read and written like the working folder, as by [`--add-dir`](commands.md#more-folders): absolute, or beginning with `~/`.',
    zh: '像当前文件夹一样读写的文件夹，与 [`--add-dir`](commands.md#more-folders) 相同：写绝对路径或以 `~/` 开头。',
  }),
  readOnlyCommands: setting(z.enum(['ask', 'run']).default('ask'), {
    en: '`run`: commands that are proven to only read inside the working folder run without asking. In the sandbox they always do.',
    zh: '`run`：能证明只在当前文件夹内读取的命令无需询问即可运行。在沙箱中总是如此。',
  }),
  sandboxedCommands: setting(z.enum(['ask', 'run']).default('ask'), {
    en: '`run`: commands that stay in the [sandbox](security.md#the-sandbox) run without asking.',
    zh: '`run`：留在沙箱中的命令无需询问即可运行。',
  }),
});

/** What decides whether a call may run. */
export type PermissionSettings = Readonly<Omit<z.infer<typeof permissionsSchema>, 'folders'>>;
