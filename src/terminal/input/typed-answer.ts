/** Words of the answers to a question, small letters: the place in the list is the answer's. */
export type AnswerWords = readonly (readonly string[])[];

export type TypedAnswer = {
  /** What has been typed so far of a word; empty at the beginning. */
  readonly textSoFar: () => string;
  /** Takes a key that goes on with a word or takes back from it; false when it does neither. */
  readonly accept: (key: string) => boolean;
  /** The answer whose word this is, by its place in the list. */
  readonly answer: () => number | undefined;
  /** Forgets the word and gives out what was typed. */
  readonly clear: () => string;
};

/** A line typed at a question, as long as it may still become one of the words that answer it. */
export function createTypedAnswer(words: AnswerWords): TypedAnswer {
  let input = '';
  const mayBecome = (text: string): boolean => words.flat().some((word) => word.startsWith(text.toLowerCase()));
  return {
    textSoFar: () => input,
    accept: (key) => {
      if (input !== '' && eraseKeys.has(key)) {
        input = [...input].slice(0, -1).join('');
        return true;
      }
      if (!mayBecome(input + key)) return false;
      input += key;
      return true;
    },
    answer: () => {
      const index = words.findIndex((answerWords) => answerWords.includes(input.toLowerCase()));
      return index < 0 ? undefined : index;
    },
    clear: () => {
      const text = input;
      input = '';
      return text;
    },
  };
}

const eraseKeys: ReadonlySet<string> = new Set(['\u007f', '\b']);
