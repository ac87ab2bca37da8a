/** Words of the answers to a question, small letters: the place in the list is the answer's. */
export type AnswerWords = readonly (readonly string[])[];

export type TypedAnswer = {
  /** What has been typed so far of a word; empty at the beginning. */
  readonly begun: () => string;
  /** Takes a key that goes on with a word or takes back from it; false when it does neither. */
  readonly take: (key: string) => boolean;
  /** The answer whose word this is, by its place in the list. */
  readonly answer: () => number | undefined;
  /** Forgets the word and gives out what was typed. */
  readonly clear: () => string;
};

/** A line typed at a question, as long as it may still become one of the words that answer it. */
export function createTypedAnswer(words: AnswerWords): TypedAnswer {
  let typed = '';
  const mayBecome = (text: string): boolean => words.flat().some((word) => word.startsWith(text.toLowerCase()));
  return {
    begun: () => typed,
    take: (key) => {
      if (typed !== '' && takesBack.has(key)) {
        typed = [...typed].slice(0, -1).join('');
        return true;
      }
      if (!mayBecome(typed + key)) return false;
      typed += key;
      return true;
    },
    answer: () => {
      const index = words.findIndex((each) => each.includes(typed.toLowerCase()));
      return index < 0 ? undefined : index;
    },
    clear: () => {
      const text = typed;
      typed = '';
      return text;
    },
  };
}

const takesBack: ReadonlySet<string> = new Set(['\u007f', '\b']);
