import type { SimpleCommand } from '../../domain/permission.ts';
import type { SyntaxNode, Word, WordPart } from './shell-grammar.ts';

/**
 * True for a node in which the shell evaluates a text that nobody has seen: an arithmetic expression takes the values of its names for
 * expressions again, and a subscript in one of them may run a command.
 */
export function isEvaluated(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ParameterExpansion': {
      const { prefix, index, operation } = node;
      if (operation?.type === 'Slice') return ![operation.offset, operation.length].every(isNumber);
      if (['Transform', 'Unknown'].includes(operation?.type ?? '')) return true;
      return index === undefined ? prefix === '!' && operation?.type !== 'Names' : !isPlainIndex(index);
    }
    case 'Command':
      return DECLARING.has(node.name?.value ?? '') && node.args.some((arg) => arg.type === 'Word' && arg.parts?.some(isExpansion) === true);
    case 'Assignment':
      return EVALUATED_NAMES.has(node.name) || (node.index !== undefined && !isPlainIndex(node.index));
    case 'ArrayValue':
      return node.elements.some(({ text }) => text.startsWith('[') && !/^\[\d+\]=/.test(text));
    case 'For':
    case 'Select':
      return EVALUATED_NAMES.has(node.name.value);
    case 'TestUnary':
      return ['-v', '-R'].includes(node.operator);
    case 'TestBinary':
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator) && ![node.left, node.right].every(isNumber);
    case 'ArithmeticExpansion':
    case 'ArithmeticCommand':
      return node.expression === undefined;
    case 'ArithmeticWord':
      return !/^\d+$/.test(node.value);
    case 'ArithmeticFor':
    case 'ArithmeticCommandExpansion':
      return true;
    default:
      return false;
  }
}

const isNumber = (word: Word | undefined): boolean =>
  word === undefined || /^\s*-?\d+$/.test(word.text) || /^"?\$(?:[#?]|\{#\w+\})"?$/.test(word.text);
const isExpansion = ({ type }: WordPart): boolean => !['Literal', 'SingleQuoted', 'AnsiCQuoted'].includes(type);
const isPlainIndex = ({ text }: Word): boolean => /^(?:[@*]|-?\d+)$/.test(text);

/** Variables whose values a shell runs or expands by itself. */
const EVALUATED_NAMES: ReadonlySet<string> = new Set(['PS4', 'BASH_ENV', 'PROMPT_COMMAND']);

/** The words of a command from its program on, where that is run by `command` or `builtin`. */
function builtinOf({ words }: SimpleCommand): SimpleCommand['words'] {
  const start = words.findIndex((word = '') => !['command', 'builtin'].includes(word) && !word.startsWith('-'));
  return words.slice(start);
}

const ALWAYS: ReadonlySet<string> = new Set('let compgen complete bind fc history enable alias'.split(' '));
const DECLARING: ReadonlySet<string> = new Set(['declare', 'typeset', 'local']);

/** Not known, or the name of a variable with a subscript. */
const mayHoldSubscript = (word: string | undefined): boolean => word === undefined || word.includes('[');

/** True for a builtin of the shell that is given a text which it evaluates, or that changes how the rest is read. */
export function evaluatesItsWords(command: SimpleCommand): boolean {
  if (command.words.some((word = '') => /^(?:PS4|BASH_ENV|PROMPT_COMMAND)(?:=|$)|^BASH_FUNC_/.test(word))) return true;
  const [program = '', ...words] = builtinOf(command);
  const has = (test: RegExp): boolean => words.some((word) => word !== undefined && test.test(word));
  if (ALWAYS.has(program)) return words.length > 0;
  switch (program) {
    case 'set':
    case 'shopt':
      return has(/^(?:hist\w*|expand_aliases)$|^-[a-zA-Z]*H/) || (words[0] === undefined && words.length > 0);
    case '.':
    case 'source':
      return words[0] === undefined ? true : /^\/(?:dev|proc)\//.test(words[0]);
    case 'test':
    case '[':
      return words.some((word = '-v', at) => /^-[vR]$/.test(word) && at + 1 < words.length && mayHoldSubscript(words[at + 1]));
    case 'declare':
    case 'typeset':
    case 'local':
      return has(/^[-+][a-zA-Z]*[in]|\[/) || (command.words[0] !== program && words.includes(undefined));
    case 'mapfile':
    case 'readarray':
      return has(/^-[a-zA-Z]*C/) || words.some(mayHoldSubscript);
    case 'printf':
      return /^-v/.test(words[0] ?? '') && mayHoldSubscript(words[0] === '-v' ? words[1] : words[0]);
    case 'read':
    case 'unset':
      return words.some(mayHoldSubscript);
    case 'wait':
      return has(/^-[a-zA-Z]*p/) && words.some(mayHoldSubscript);
    case 'getopts':
      return mayHoldSubscript(words[1]);
    default:
      return false;
  }
}
