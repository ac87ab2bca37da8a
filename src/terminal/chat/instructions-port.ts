export type InstructionsPort = {
  /** A first AGENTS.md for the working folder, and where it would stand; or why none is made. Writes nothing. */
  readonly draft: () =>
    | { readonly kind: 'draft'; readonly path: string; readonly text: string }
    | { readonly kind: 'refused'; readonly why: string };
  /** Writes that text, never over a file. Throws SanbotError. */
  readonly write: (draft: { readonly path: string; readonly text: string }) => void;
};
