/**
 * What is known of a program that only reads: every option that it may get, and nothing else. An option that is not here is no reading,
 * whatever it does.
 */
export type ReadingProgram = {
  /** Letters of short options without and with a value. */
  readonly flags?: string;
  readonly valued?: string;
  /** Long options, without the dashes; one that takes a value has it after an equals sign. */
  readonly long?: readonly string[];
  /** What the other words are: `texts` then paths. Left out: all of them are paths. */
  readonly texts?: number | 'all';
  /** At most so many words beside the options. */
  readonly most?: number;
  /** A number alone is an option: head -20. */
  readonly counts?: true;
  /** It reads more than its words name: a rule may cover it, but it proves nothing. */
  readonly unproven?: true;
  /** For what the letters cannot say. Returns the paths that are read. */
  readonly read?: (words: readonly string[]) => readonly string[] | undefined;
};

/** Returns the paths that a program reads when called with these words, its name left out; undefined when it may do anything else. */
export function pathsRead(program: ReadingProgram, words: readonly string[]): readonly string[] | undefined {
  if (program.read !== undefined) return program.read(words);
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '--') {
      operands.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const option = knownOption(program, word);
    if (option === undefined) return undefined;
    if (option === 'takes_next' && ++i >= words.length) return undefined;
  }
  // rg lists what it would search.
  const texts = words.includes('--files') ? 0 : program.texts;
  if (program.most !== undefined && operands.length > program.most) return undefined;
  return texts === 'all' ? [] : operands.slice(texts ?? 0).filter((path) => path !== '-');
}

function knownOption({ flags = '', valued = '', long = [], counts }: ReadingProgram, word: string): 'whole' | 'takes_next' | undefined {
  if (counts === true && /^-\d{1,9}$/.test(word)) return 'whole';
  if (word.startsWith('--')) return long.includes(word.slice(2).replace(/=.*$/s, '')) ? 'whole' : undefined;
  for (let i = 1; i < word.length; i++) {
    const letter = word.charAt(i);
    // What follows in the same word is its value.
    if (valued.includes(letter)) return i === word.length - 1 ? 'takes_next' : 'whole';
    if (!flags.includes(letter)) return undefined;
  }
  return 'whole';
}
