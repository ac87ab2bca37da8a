export type {
  Command,
  CommandArgument,
  ParameterExpansionPart,
  Redirect,
  Redirection,
  SyntaxNode,
  Word,
  WordPart,
} from 'unbash';

/** The library of the shell's grammar, loaded when a command is to be parsed and not before; no other file knows it. */
export const loadGrammar = () => import('unbash');
export type Grammar = Awaited<ReturnType<typeof loadGrammar>>;
