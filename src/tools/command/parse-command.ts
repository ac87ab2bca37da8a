import type { CommandArgument, Redirection, SyntaxNode, Word, WordPart } from 'unbash';
import { type ParsedCommand, programName, type SimpleCommand } from '../../domain/permission.ts';

type Unbash = typeof import('unbash');

/**
 * Says what a command line consists of. The one place that knows the library of the shell's grammar. Never rejects, whatever the text; of a
 * very long one, and of commands quoted in commands quoted in commands, nothing is said but that it is unknown.
 */
export async function parseShell(text: string): Promise<ParsedCommand> {
  return parseWith(await import('unbash'), text, { charsLeft: MAX_CHARS });
}

/** All that is parsed of one command, scripts in quotes included: deep nesting takes the library half a second at this length. */
const MAX_CHARS = 20_000;

type Findings = { readonly commands: SimpleCommand[]; isPlain: boolean; hasUnknown: boolean };
type Budget = { charsLeft: number };

function parseWith(unbash: Unbash, text: string, budget: Budget): ParsedCommand {
  budget.charsLeft -= text.length;
  if (budget.charsLeft < 0) return { commands: [], isPlain: false, hasUnknown: true };
  const found: Findings = { commands: [], isPlain: true, hasUnknown: false };
  try {
    walk(unbash.parse(text), found, unbash);
    for (const script of found.commands.flatMap(quotedScripts)) {
      const inner = script === undefined ? undefined : parseWith(unbash, script, budget);
      found.hasUnknown ||= inner === undefined || inner.hasUnknown;
      found.commands.push(...(inner?.commands ?? []));
    }
  } catch {
    found.hasUnknown = true;
  }
  return { ...found, isPlain: found.isPlain && !found.hasUnknown };
}

function walk(node: SyntaxNode, found: Findings, unbash: Unbash): void {
  if (!PLAIN_NODES.has(node.type) || isUnusual(node)) found.isPlain = false;
  if (isPartlyUnknown(node)) found.hasUnknown = true;
  if (node.type === 'Command') found.commands.push(simpleCommand([...(node.name === undefined ? [] : [node.name]), ...node.args], found));
  unbash.forEachChild(node, (child) => walk(child, found, unbash));
}

const PLAIN_NODES: ReadonlySet<string> = new Set(
  'Script Statement AndOr Pipeline Negation Command Redirect FileDescriptor Word Literal SingleQuoted DoubleQuoted'.split(' '),
);

/** Where a plain node is not: some of it a Bourne shell reads in another way than bash does. */
function isUnusual(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Statement':
      return node.background === true;
    case 'Pipeline':
      return node.operators.includes('|&');
    case 'Command':
      return node.name === undefined || node.prefix.length > 0;
    case 'Redirect':
      return !isHarmless(node);
    default:
      return false;
  }
}

/** To nowhere, or one output to where another goes. */
function isHarmless(redirect: Redirection): boolean {
  if (redirect.type !== 'Redirect' || (redirect.descriptor?.type === 'FileDescriptor' && redirect.descriptor.value > 9)) return false;
  const target = redirect.target === undefined ? undefined : knownValue(redirect.target);
  if (['>', '>>', '<'].includes(redirect.operator)) return target === '/dev/null';
  return redirect.operator === '>&' && /^\d$/.test(target ?? '');
}

/** What was not parsed to its end, and what evaluates a text that nobody has seen. */
function isPartlyUnknown(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Script':
      return 'errors' in node && node.errors !== undefined && node.errors.length > 0;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return node.script === undefined;
    case 'ParameterExpansion':
      return node.prefix === '!' || node.index !== undefined || ['Transform', 'Unknown'].includes(node.operation?.type ?? '');
    default:
      return node.type.startsWith('Arithmetic') || node.type.startsWith('Test');
  }
}

function simpleCommand(args: readonly CommandArgument[], found: Findings): SimpleCommand {
  const words = args.map((arg) => (arg.type === 'Word' ? knownValue(arg) : undefined));
  if (words.includes(undefined)) found.isPlain = false;
  return { words };
}

/** What the program will get for this word; undefined when that depends on variables, files or another program. */
function knownValue({ text, value, parts }: Word): string | undefined {
  if (/^~|[=:]~/.test(text)) return undefined;
  return parts === undefined || parts.every(isKnownPart) ? value : undefined;
}

const isKnownPart = (part: WordPart): boolean =>
  ['Literal', 'SingleQuoted', 'AnsiCQuoted'].includes(part.type) ||
  (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal'));

/** The text that a command hands to a shell as a script: after -c, or all that `eval` gets. Undefined for one that is not known. */
function quotedScripts({ words }: SimpleCommand): readonly (string | undefined)[] {
  const taker = words.findIndex((word = '') => TAKES_SCRIPT.test(programName(word)));
  const rest = words.slice(taker + 1);
  if (taker < 0) return [];
  if (words[taker] === 'eval') return [rest.includes(undefined) ? undefined : rest.join(' ')];
  const option = rest.findIndex((word = '') => /^-[a-zA-Z]*c$/.test(word));
  return option < 0 ? [] : [rest[option + 1]];
}

const TAKES_SCRIPT = /^(?:eval|(?:ba|da|z|k|mk|c|tc|fi)?sh|su|runuser|script|watch|flock|busybox)$/;
