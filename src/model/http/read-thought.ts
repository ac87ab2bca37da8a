/** What closes a thought, and what opens another inside of it. */
export type Tags = { readonly closing: string; readonly opening: string };

/** What a tag, a quoted one or a mark of code may begin with. */
const BEGUN = /(?:["'“]?[<[◁](?:\S{0,62}\s*|[^<>]{0,90})|["'“]|`+)$/u;
const MAX_BEGUN_CHARS = 96;

/** What is surely thought; `rest` follows it, once it is closed. `isGuess`: a tag closed it that might have been meant otherwise. */
export type ThoughtRead = { readonly thinking: string; readonly rest?: string; readonly isGuess?: boolean };

/**
 * Reads what is thought, up to the tag that closes it: none in code or in quotes, nor that of a thought inside of it. Where no other comes, the
 * first of those was it after all; so what follows one is held back. Each piece is read once.
 */
export function readThought({ closing, opening }: Tags) {
  const [tag, closes] = [`${opening}|${closing}`, new RegExp(closing, 'iu')];
  const tokens = new RegExp(`(?<code>\`+)|(?<line>\\n)|["'“](?:${tag})["'”]|(?<open>${opening})|(?<close>${closing})`, 'giu');
  let [held, depth, isFenced, isInLine, hasBegun] = ['', 0, false, false, false];
  /** What came since the first tag that may have closed it. */
  let doubtful: string[] | undefined;
  /** Whether a token closes the thought. */
  const isEnd = ({ code = '', line, open, close }: Readonly<Record<string, string | undefined>>): boolean => {
    if (code.length > 2) [isFenced, isInLine] = [!isFenced, false];
    else if (line !== undefined || code !== '') isInLine = line === undefined && !isFenced && !isInLine;
    if (isFenced || isInLine) return false;
    // Where nothing was thought yet, the template and the model have each opened it.
    if (open !== undefined && hasBegun) depth += 1;
    if (close !== undefined) depth -= 1;
    return depth < 0;
  };
  /** Whether what stands at the end may be more than it is. */
  const mayGrow = ({ 0: token, index, groups }: RegExpExecArray): boolean =>
    index + token.length === held.length &&
    (groups?.code !== undefined || ((groups?.close ?? groups?.open) !== undefined && /["'“]/.test(held.charAt(index - 1))));
  const read = (isLast: boolean): ThoughtRead => {
    const said: string[] = [];
    let from = 0;
    const say = (to: number): void => {
      const text = held.slice(from, to);
      hasBegun ||= text.trim() !== '';
      (doubtful ?? said).push(text);
      from = to;
    };
    tokens.lastIndex = 0;
    for (let found = tokens.exec(held); found !== null && (isLast || !mayGrow(found)); found = tokens.exec(held)) {
      say(found.index);
      if (isEnd(found.groups ?? {})) return { thinking: [...said, ...(doubtful ?? [])].join(''), rest: held.slice(tokens.lastIndex) };
      if (closes.test(found[0])) doubtful ??= [];
      say(tokens.lastIndex);
    }
    const begun = isLast ? null : BEGUN.exec(held.slice(Math.max(from, held.length - MAX_BEGUN_CHARS)));
    say(held.length - (begun?.[0].length ?? 0));
    held = held.slice(from);
    return { thinking: said.join('') };
  };
  return {
    take: (piece: string): ThoughtRead => {
      held += piece;
      return read(false);
    },
    /** What was held back, since nothing more comes. */
    end: (): ThoughtRead => {
      const last = read(true);
      const guessed = last.rest === undefined ? doubtful?.join('') : undefined;
      const found = guessed === undefined ? null : closes.exec(guessed);
      if (guessed === undefined || found === null) return last;
      const thinking = last.thinking + guessed.slice(0, found.index);
      return { thinking, rest: guessed.slice(found.index + found[0].length), isGuess: true };
    },
  };
}

/** The same of a text that is there as a whole. */
export function thoughtIn(text: string, tags: Tags): ThoughtRead {
  const thought = readThought(tags);
  const read = thought.take(text);
  if (read.rest !== undefined) return read;
  const { thinking, ...more } = thought.end();
  return { ...more, thinking: read.thinking + thinking };
}
