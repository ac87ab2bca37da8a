import { type Bilingual, because } from '../../domain/language.ts';
import type { Command, ParameterExpansionPart, Redirection, SyntaxNode } from './shell-grammar.ts';

/** Something that only bash understands, and what a POSIX sh knows in its place. */
export type BashOnly = { readonly word: string; readonly instead: Bilingual };

export const noBashText = ({ word, instead }: BashOnly): Bilingual =>
  because({ en: `there is no bash here, and a POSIX sh does not know ${word}`, zh: `此处没有 bash，POSIX sh 不支持 ${word}` }, instead);

/**
 * What of this node a POSIX sh takes for something else than bash does, or refuses. Much of it a shell such as dash runs without a word,
 * and does another thing: `a &> f` begins `a` in the background, and empties `f`.
 */
export function bashOnlyIn(node: SyntaxNode): BashOnly | undefined {
  const word = bashWord(node);
  return word === undefined ? undefined : { word, instead: INSTEAD[word] ?? PLAINER };
}

function bashWord(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Pipeline':
      return node.operators.includes('|&') ? '|&' : node.prefixes.some(({ type }) => type === 'Time') ? 'time' : undefined;
    case 'Function':
      return node.name.pos > node.pos ? 'function' : undefined;
    case 'CaseItem':
      return node.terminator === ';;' ? undefined : node.terminator;
    case 'Assignment':
      return node.append === true ? '+=' : node.index !== undefined || node.value.type === 'ArrayValue' ? 'x=(…)' : undefined;
    case 'Redirect':
    case 'HereString':
    case 'HereDoc':
      return redirection(node);
    case 'ParameterExpansion':
      return parameter(node);
    case 'DoubleQuoted':
    case 'HereDocBody':
      // An apostrophe there quotes in bash alone.
      return node.parts?.some((part) => part.type === 'ParameterExpansion' && part.text.includes("'")) === true ? `"\${x-'…'}"` : undefined;
    case 'SimpleExpansion':
      return variable(node.text.slice(1));
    case 'Command':
      return builtin(node);
    case 'ArithmeticUnary':
      return ['++', '--'].includes(node.operator) ? 'i++' : undefined;
    case 'ArithmeticBinary':
      return ['**', ','].includes(node.operator) ? node.operator : undefined;
    default:
      return NODES[node.type];
  }
}

const NODES: Readonly<Record<string, string>> = {
  TestCommand: '[[',
  ArithmeticCommand: '((',
  ArithmeticFor: 'for ((',
  Select: 'select',
  Coproc: 'coproc',
  ProcessSubstitution: '<(…)',
  AnsiCQuoted: "$'…'",
  LocaleString: '$"…"',
  BraceExpansion: '{a,b}',
  ExtendedGlob: '@(…)',
};

function redirection(node: Redirection): string | undefined {
  const { descriptor } = node;
  if (node.type === 'HereString') return '<<<';
  if (descriptor?.type === 'FileDescriptorVariable' || (descriptor?.value ?? 0) > 9) return '{n}>';
  if (node.type === 'HereDoc') return /\$['"]/.test(node.delimiter?.text ?? '') ? "$'…'" : undefined;
  if (['&>', '&>>'].includes(node.operator)) return node.operator;
  return node.operator === '>&' && !/^(?:\d|-|["']?\$.*)$/s.test(node.target?.text ?? '') ? '>&' : undefined;
}

function parameter({ prefix, index, operation, parameter: name }: ParameterExpansionPart): string | undefined {
  if (prefix === '!') return `\${!x}`;
  if (index !== undefined) return 'x=(…)';
  return variable(name) ?? OPERATIONS[operation?.type ?? ''];
}

const OPERATIONS: Readonly<Record<string, string>> = {
  Replace: `\${x/a/b}`,
  Slice: `\${x:0:1}`,
  CaseModification: `\${x^}`,
  Transform: `\${x@Q}`,
  Names: `\${!x}`,
  Unknown: `\${x…}`,
};

const VARIABLES: ReadonlySet<string> = new Set(
  'RANDOM SRANDOM PIPESTATUS EPOCHSECONDS EPOCHREALTIME BASHPID BASH_SOURCE FUNCNAME'.split(' '),
);
const variable = (name: string): string | undefined => (VARIABLES.has(name) ? `$${name}` : undefined);

const BUILTINS: ReadonlySet<string> = new Set(
  'source declare typeset let shopt mapfile readarray pushd popd dirs builtin enable compgen complete compopt caller disown history bind'.split(
    ' ',
  ),
);

function builtin({ name, args }: Command): string | undefined {
  const program = name?.value ?? '';
  if (BUILTINS.has(program)) return program;
  const has = (test: RegExp): boolean => args.some(({ text }) => test.test(text));
  if ((program === '[' || program === 'test') && has(/^==$/)) return '==';
  return program === 'echo' && /^-[nE]*e/.test(args[0]?.text ?? '') ? 'echo -e' : undefined;
}

const wording = (en: string, zh: string): Bilingual => ({ en, zh });
const write = (text: string): Bilingual => wording(`write ${text}`, `请写成 ${text}`);

const ARITHMETIC = write('i=$((i + 1)), or [ "$a" -lt "$b" ]');
const PLAINER = wording('write it in the words of a POSIX sh', '请用 POSIX sh 的写法');
const ONE_BY_ONE = wording('write each word out', '请逐个写出');
const NO_ARRAY = write('set -- a b, and use "$@"');
const BY_FILE = wording('use a pipe, or a file', '请用管道或文件');

const INSTEAD: Readonly<Record<string, Bilingual>> = {
  '&>': write('> log 2>&1'),
  '&>>': write('>> log 2>&1'),
  '>&': write('> log 2>&1'),
  '|&': write('2>&1 |'),
  '[[': write('[ "$a" = "$b" ], or case'),
  '==': write('[ "$a" = "$b" ]'),
  '((': ARITHMETIC,
  'for ((': write('while [ "$i" -lt 9 ]; do …; i=$((i + 1)); done'),
  'i++': ARITHMETIC,
  let: ARITHMETIC,
  '{a,b}': ONE_BY_ONE,
  '@(…)': ONE_BY_ONE,
  "$'…'": write('"$(printf \'…\')"'),
  '$"…"': write('"…"'),
  'echo -e': write("printf '…\\n'"),
  '<<<': write("printf '%s\\n' … |"),
  '<(…)': BY_FILE,
  mapfile: BY_FILE,
  readarray: BY_FILE,
  'x=(…)': NO_ARRAY,
  '+=': write('x="$x…"'),
  function: write('name() { …; }'),
  source: write('. ./file'),
  declare: write('x=…'),
  typeset: write('x=…'),
  '${x/a/b}': write('printf \'%s\' "$x" | sed s/a/b/'),
  '${x:0:1}': write('printf \'%s\' "$x" | cut -c1-1'),
  '${!x}': write('eval "y=\\$$x"'),
};
