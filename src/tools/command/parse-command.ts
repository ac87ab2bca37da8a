import type { EmptiedFile, ParsedCommand, ShellPattern, SimpleCommand } from '../../domain/permission.ts';
import { type BashOnly, bashOnlyIn } from './bash-only.ts';
import { splitByEnv } from './env-split.ts';
import { evaluatesItsWords, isEvaluated } from './evaluated.ts';
import type { ShellLanguage } from './find-shell.ts';
import { type QuotedScript, quotedScripts } from './scripts/quoted-scripts.ts';
import {
  type Command,
  type Grammar,
  loadGrammar,
  type Redirect,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from './shell-grammar.ts';
import { type CommandPlace, folderAfter, isOwnPlace, patternsOf, placeIn } from './shell-paths.ts';

/**
 * Says what a command line consists of, as the shell reads it that runs it: for a POSIX sh, what only bash understands is unknown. Never
 * rejects, whatever the text; of a very long one, and of commands quoted in commands quoted in commands, nothing is said but that it is
 * unknown.
 */
export async function parseShell(text: string, language: ShellLanguage = 'bash'): Promise<ParsedCommand> {
  return parseWith(await loadGrammar(), { text, language }, { charsLeft: MAX_CHARS });
}

/** The first word of a command line, or part of one, that a POSIX sh does not understand as bash does. Never rejects. */
export async function findBashOnly(text: string): Promise<BashOnly | undefined> {
  const grammar = await loadGrammar();
  const find = (node: SyntaxNode): BashOnly | undefined => {
    let found = bashOnlyIn(node);
    grammar.forEachChild(node, (child) => {
      found ??= find(child);
    });
    return found;
  };
  try {
    return text.length > MAX_CHARS ? undefined : find(grammar.parse(text));
  } catch {
    return undefined;
  }
}

/** All that is parsed of one command, scripts in quotes included: deep nesting takes the library half a second at this length. */
const MAX_CHARS = 20_000;

type Findings = {
  readonly language: ShellLanguage;
  readonly commands: SimpleCommand[];
  readonly emptied: EmptiedFile[];
  readonly extended: EmptiedFile[];
  isPlain: boolean;
  hasOnlyPatterns: boolean;
  hasUnknown: boolean;
  place: CommandPlace;
};
type Budget = { charsLeft: number };

function parseWith(grammar: Grammar, { text, language }: QuotedScript, budget: Budget, place: CommandPlace = {}): ParsedCommand {
  budget.charsLeft -= text.length;
  if (budget.charsLeft < 0) return { commands: [], isPlain: false, hasUnknown: true };
  const found: Findings = {
    language,
    commands: [],
    emptied: [],
    extended: [],
    isPlain: true,
    hasOnlyPatterns: true,
    hasUnknown: false,
    place,
  };
  try {
    walk(grammar.parse(text), found, grammar);
    found.hasUnknown ||= found.commands.some(evaluatesItsWords);
    const split = found.commands.map(splitByEnv);
    found.hasUnknown ||= split.includes(null);
    found.commands.push(...split.filter((command) => command !== null && command !== undefined));
    const scripts = found.commands.flatMap((command) =>
      quotedScripts(command, language).map((script) => ({ script, at: placeIn(command) })),
    );
    for (const { script, at } of scripts) {
      const inner = script === undefined ? undefined : parseWith(grammar, script, budget, at);
      found.hasUnknown ||= inner === undefined || inner.hasUnknown;
      found.commands.push(...(inner?.commands ?? []));
      found.emptied.push(...(inner?.emptied ?? []));
      found.extended.push(...(inner?.extended ?? []));
    }
  } catch {
    found.hasUnknown = true;
  }
  const { commands, hasUnknown, emptied, extended } = found;
  const files = { ...(emptied.length > 0 && { emptied }), ...(extended.length > 0 && { extended }) };
  const isPlain = found.isPlain && !hasUnknown;
  const isOnDisk = found.hasOnlyPatterns && !isPlain && !hasUnknown;
  return { commands, isPlain, hasUnknown, ...files, ...(isOnDisk && { hasOnlyPatterns: true }) };
}

function walk(node: SyntaxNode, found: Findings, grammar: Grammar): void {
  if (!PLAIN_NODES.has(node.type) || isUnusual(node)) {
    found.isPlain = false;
    found.hasOnlyPatterns &&= node.type === 'Glob' || node.type === 'BraceExpansion';
  }
  if (isPartlyUnknown(node) || isEvaluated(node) || (found.language === 'sh' && bashOnlyIn(node) !== undefined)) found.hasUnknown = true;
  if (node.type === 'Command') found.commands.push(simpleCommand(node, found));
  if (node.type === 'Redirect') {
    found.emptied.push(...emptiedBy(node, found.place));
    if (['>>', '&>>', '<>'].includes(node.operator)) found.extended.push(...targetsOf(node, found.place));
  }
  const { place } = found;
  let at = 0;
  grammar.forEachChild(node, (child) => {
    const before = found.place;
    walk(child, found, grammar);
    if (isOwnPlace(node, at++)) found.place = before;
  });
  found.place = folderAfter(node, { before: place, after: found.place });
}

/** What a redirection to a file leaves of it: nothing, before anything is written. */
function emptiedBy(redirect: Redirect, place: CommandPlace): readonly EmptiedFile[] {
  const { operator, target } = redirect;
  const isFile = ['>', '>|', '&>'].includes(operator) || (operator === '>&' && !/^(?:\d+|-)$/.test(target?.text ?? ''));
  return isFile ? targetsOf(redirect, place) : [];
}

function targetsOf(redirect: Redirect, { folder, isElsewhere }: CommandPlace): readonly EmptiedFile[] {
  const { target } = redirect;
  if (target === undefined || isElsewhere === true || isHarmless(redirect)) return [];
  return (patternsOf(target) ?? []).map((pattern) => ({ pattern, ...(folder !== undefined && { folder }) }));
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

/** What was not parsed to its end. */
function isPartlyUnknown(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'Script':
      return 'errors' in node && node.errors !== undefined && node.errors.length > 0;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return node.script === undefined;
    case 'Word':
      return unquoted(node).some((text) => UNICODE_BLANK.test(text));
    default:
      return false;
  }
}

const unquoted = ({ text, parts }: Word): readonly string[] =>
  parts === undefined ? (/["']/.test(text) ? [] : [text]) : parts.flatMap((part) => (part.type === 'Literal' ? [part.text] : []));

/** Some shells part words there, in some locales. */
const UNICODE_BLANK = /[\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]/;

function simpleCommand({ name, args, redirects, prefix }: Command, found: Findings): SimpleCommand {
  const all = [...(name === undefined ? [] : [name]), ...args];
  const words = all.map((arg) => (arg.type === 'Word' ? knownValue(arg) : undefined));
  if (words.includes(undefined)) found.isPlain = false;
  const patterns = new Map(
    all.flatMap((arg, at): readonly (readonly [number, readonly ShellPattern[]])[] => {
      const known = words[at] === undefined && arg.type === 'Word' ? patternsOf(arg) : undefined;
      return known === undefined ? [] : [[at, known]];
    }),
  );
  if (words.some((word, at) => word === undefined && !patterns.has(at))) found.hasOnlyPatterns = false;
  const input = redirects.map(textOf).find((text) => text !== undefined);
  const redirected = redirects.flatMap((each) =>
    each.type === 'Redirect' && ['<', '<>'].includes(each.operator) && each.target !== undefined ? (patternsOf(each.target) ?? []) : [],
  );
  const variables = [...prefix, ...args].flatMap((each) =>
    each.type === 'Assignment' ? [{ name: each.name, value: each.value?.type === 'Word' ? knownValue(each.value) : undefined }] : [],
  );
  return {
    ...{ words, ...(patterns.size > 0 && { patterns }), ...found.place },
    ...(input !== undefined && { input }),
    ...(redirected.length > 0 && { redirected }),
    ...(variables.length > 0 && { variables }),
  };
}

/** A text that stands in the command itself and is known. */
function textOf(redirect: Redirection): string | undefined {
  if (redirect.type === 'HereString') return redirect.target && knownValue(redirect.target);
  return redirect.type === 'HereDoc' && redirect.body.parts === undefined ? redirect.body.text : undefined;
}

/** What the program will get for this word; undefined when that depends on variables, files or another program. */
function knownValue({ text, value, parts }: Word): string | undefined {
  if (/^~|[=:]~/.test(text)) return undefined;
  return parts === undefined || parts.every(isKnownPart) ? value : undefined;
}

const isKnownPart = (part: WordPart): boolean =>
  ['Literal', 'SingleQuoted', 'AnsiCQuoted'].includes(part.type) ||
  (part.type === 'DoubleQuoted' && part.parts.every(({ type }) => type === 'Literal'));
