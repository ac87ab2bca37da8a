/** One source of settings. Layers come in rising precedence; all of them override the preset and the built-in defaults. */
export type ConfigLayer =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** A project's file may not decide where requests go, or with which key. */
      readonly trust: 'user' | 'project';
      readonly text: string;
    }
  | { readonly kind: 'env'; readonly env: Readonly<Record<string, string | undefined>> }
  | {
      readonly kind: 'flags';
      readonly model?: string | undefined;
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
