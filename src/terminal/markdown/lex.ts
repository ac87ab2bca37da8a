import { lexer } from 'marked';

export type { MarkedToken, Token, Tokens } from 'marked';

/** What a Markdown text consists of. Throws where it is nested too deeply for the library. */
export const lex = (text: string): ReturnType<typeof lexer> => lexer(text);
