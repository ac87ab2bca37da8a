import type { Effort } from '../../domain/config/effort.ts';
import type { PermissionMode } from '../../domain/permission.ts';
import { isString } from '../../domain/value/json.ts';
import type { FlagRules } from '../../runtime/conversation/permissions.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { GroupOptions, HomeOptions } from '../../runtime/home.ts';

export type ChatOptions = HomeOptions &
  GroupOptions & {
    /** --print: one turn, and nobody is asked. */
    readonly print: boolean;
    /** What is said first. With --print undefined when it is to be read from stdin. */
    readonly message?: string | undefined;
    /** `stream-json`: messages come as lines of JSON, and each is a turn. */
    readonly inputFormat: 'text' | 'stream-json';
    readonly outputFormat: 'text' | 'json' | 'stream-json';
    /** --continue: the session used last in this folder. Never together with `resume`. */
    readonly continueNewest: boolean;
    /** An id or a part of one; true to choose from a list. */
    readonly resume?: string | true | undefined;
    /** --name: of the new session; with `continueNewest` the one of this name that was used last. As a title is written. */
    readonly name?: string;
    /** --wait: for so many seconds, while somebody else has the session open. */
    readonly wait?: number;
    /** With `continueNewest` or `resume`: go on in a copy. */
    readonly fork?: boolean;
    readonly model?: string;
    readonly effort?: Effort;
    readonly contextWindow?: number;
    readonly maxSteps?: number;
    /** In dollars, for all requests of this process. */
    readonly maxCost?: number;
    readonly maxTurnSeconds?: number;
    /** --trust: the working folder counts as trusted for this run. */
    readonly trust?: boolean;
    readonly sandbox?: string;
    /** Lines in, lines out, as at a terminal that obeys no control sequences. */
    readonly plain?: boolean;
    /** --add-dir: folders that are read and written like the working folder. */
    readonly addDir?: readonly string[];
    /** --json-schema: a file, or the schema itself. */
    readonly jsonSchema?: string;
    /** The text, or @ and a file with it. */
    readonly appendSystemPrompt?: string;
    readonly fallbackModel?: string;
    /** The id of the new session. */
    readonly sessionId?: string;
    readonly permissionMode: PermissionMode;
    /** Tools that may run without asking, and the rules of --allow and --deny; for this run. */
    readonly allowed: readonly string[];
    readonly rules: FlagRules;
  };

/** Nothing may be drawn: what is asked is asked in lines. */
export const isPlainTerminal = ({ plain }: Pick<ChatOptions, 'plain'>, { env }: Pick<Environment, 'env'>): boolean =>
  plain === true || env.TERM === 'dumb';

type OtherNames = {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly allowedTools?: unknown;
  readonly disallowedTools?: unknown;
  readonly dangerouslySkipPermissions?: unknown;
  readonly maxTurns?: number;
  readonly maxSteps?: number;
  readonly permissionMode: PermissionMode;
};

/** What Claude Code's names say, by SanBot's. */
export function withOtherNames<Given extends OtherNames>({
  allowedTools,
  disallowedTools,
  dangerouslySkipPermissions,
  maxTurns,
  ...given
}: Given) {
  const { allow = [], deny = [], maxSteps = maxTurns, permissionMode } = given;
  return {
    ...given,
    allow: [...allow, ...texts(allowedTools)],
    deny: [...deny, ...texts(disallowedTools)],
    permissionMode: dangerouslySkipPermissions === true ? ('bypass' as const) : permissionMode,
    ...(maxSteps !== undefined && { maxSteps }),
  };
}

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isString) : []);
