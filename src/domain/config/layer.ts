/** What a project's file has run by itself: the exact text of it is agreed to. */
export type AgreedSection = 'hooks' | 'mcpServers';

/** One source of settings. Layers come in rising precedence; all of them override the preset and the built-in defaults. */
export type ConfigLayer =
  | {
      readonly kind: 'file';
      readonly path: string;
      /**
       * The user's own file; a project's that the user has agreed to, but for what belongs to the user; or a project's that nobody has agreed
       * to, of which nothing is taken.
       */
      readonly trust: 'user' | 'trusted' | 'untrusted';
      /** Sections of a trusted project's file that are not those that were agreed to, and of which nothing is taken. */
      readonly withheld?: readonly AgreedSection[];
      readonly text: string;
    }
  | { readonly kind: 'env'; readonly env: Readonly<Record<string, string | undefined>> }
  | {
      readonly kind: 'flags';
      readonly model?: string | undefined;
      readonly sandbox?: string | undefined;
      readonly contextWindow?: number | undefined;
      readonly maxSteps?: number | undefined;
    };

export type ConfigProblem = {
  /** A file with line and column, "env SANBOT_X" or "--flag". */
  readonly where: string;
  /** The dotted key; empty when the problem concerns the whole file. */
  readonly key: string;
  readonly expected: string;
  readonly found: string;
  /** The key that was most likely meant. */
  readonly nearest?: string;
};
