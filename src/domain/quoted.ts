/** The source of a pattern: a text in quotes of one kind, on one line. */
export const QUOTED = '(?:"[^"\\n]+"|\'[^\'\\n]+\'|`[^`\\n]+`|“[^”\\n]+”|「[^」\\n]+」)';

/** Quotes around the whole are taken off, and so is the blank space around it. */
export function unquoted(text: string): string {
  const bare = text.trim();
  return wholeQuoted.test(bare) ? bare.slice(1, -1) : bare;
}

const wholeQuoted = new RegExp(`^${QUOTED}$`);
