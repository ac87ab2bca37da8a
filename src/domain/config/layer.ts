/** One source of settings. Layers come in rising precedence; all of them override the preset and the built-in defaults. */
export type ConfigLayer =
  | {
      readonly kind: 'file';
      readonly path: string;
      /**
       * The user's own file; a project's that the user has agreed to, but for what belongs to the user; the same whose hooks are not those
       * that were agreed to; or a project's that nobody has agreed to, of which nothing is taken.
       */
      readonly trust: 'user' | 'trusted' | 'trusted_but_hooks' | 'untrusted';
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
