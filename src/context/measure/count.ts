/** Counts the tokens of any text; total, linear in its length, and always the same for the same text. */
export type CountTokens = (text: string) => number;
