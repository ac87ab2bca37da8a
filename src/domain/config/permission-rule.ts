import { z } from 'zod';
import { expecting } from '../language.ts';
import { sandboxNeeds } from './sandbox-mode.ts';

/** What a rule compares a call with: at most one of these. */
const patterns = ['command', 'prefix', 'file', 'path', 'host'] as const;

/**
 * A rule about calls of a tool. With none of the patterns, a deny or ask rule is about all calls of it, an allow rule only about those that
 * have neither a command nor a path.
 */
export const permissionRuleSchema = z
  .strictObject({
    /** The tool's name; `*` stands for any characters. */
    tool: z.string().min(1),
    /** A whole command, byte for byte. */
    command: z.string().min(1).optional(),
    /** The words that a command begins with, separated by blanks. */
    prefix: z
      .string()
      .refine((text) => text.trim() !== '', expecting({ en: 'some text', zh: '文字' }))
      .optional(),
    /** The absolute path of one file, byte for byte. */
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
  })
  .refine(
    (rule) => patterns.filter((key) => rule[key] !== undefined).length <= 1,
    expecting({ en: `only one of ${patterns.join(', ')}`, zh: `${patterns.join('、')} 中只能有一个` }),
  );

export type PermissionRule = Readonly<z.infer<typeof permissionRuleSchema>>;

export const permissionsSchema = z.strictObject({
  allow: z.array(permissionRuleSchema).default([]),
  ask: z.array(permissionRuleSchema).default([]),
  deny: z.array(permissionRuleSchema).default([]),
  readOnlyCommands: z.enum(['ask', 'run']).default('ask'),
  sandboxedCommands: z.enum(['ask', 'run']).default('ask'),
});

export type PermissionSettings = Readonly<z.infer<typeof permissionsSchema>>;
