import { inLowerCase, sourceOf, type WordTable } from '../../domain/value/word-pattern.ts';
import { shapes } from './shapes.ts';
import { wordTables } from './words.ts';

/** A way to say something, with a sentence that it is for and one that it must not take. */
export type Form = {
  readonly name: string;
  /** That of the sentence it is for. */
  readonly language: keyof WordTable;
  readonly template: string;
  /** What has one of these does not have the form. */
  readonly unless: readonly string[];
  readonly takes: string;
  readonly leaves: string;
  readonly fits: (clause: Clause) => boolean;
};

const known: Form[] = [];
/** All forms of all tables, for what measures and tests them. */
export const knownForms = (): readonly Form[] => known;

const HAN = /\p{Script=Han}/u;

/**
 * Reads a table of forms, two lines each: `name: template ~ unless ~ unless`, then `+ a sentence it is for - one it must not take`. A form is
 * compiled when it is first tried: the first judged sentence of a process pays for those it meets.
 */
export function readForms(text: string): readonly Form[] {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const forms = lines.flatMap((line, at): readonly Form[] => {
    if (at % 2 === 1) return [];
    const [, name = '', rest = ''] = /^([^:]{1,40}): (.*)$/.exec(line) ?? [];
    const [template = '', ...unless] = rest.split(' ~ ');
    const [, takes = '', leaves = ''] = /^\+ (.*?) +- (.*)$/.exec(lines[at + 1] ?? '') ?? [];
    const language = HAN.test(takes) ? 'zh' : 'en';
    return [{ name, language, template, unless, takes, leaves, fits: lazily([template, ...unless], language) }];
  });
  known.push(...forms);
  return forms;
}

/** What a form looks at: a clause as it was written, and in lower case. */
type Clause = { readonly text: string; readonly lower: string };

function lazily([template = '', ...unless]: readonly string[], language: keyof WordTable): (clause: Clause) => boolean {
  let patterns: readonly Matcher[] | undefined;
  const needed = neededTables(template);
  return (clause) => {
    if (!needed.every((name) => tableIn(name, language)(clause))) return false;
    patterns ??= [template, ...unless].map((source) => matcher(source, language));
    const [form, ...exceptions] = patterns;
    return form?.(clause) === true && !exceptions.some((exception) => exception(clause));
  };
}

type Matcher = (clause: Clause) => boolean;

/** Names of their own are told by their capital letter: a template that speaks of one minds case. */
function matcher(template: string, language: keyof WordTable): Matcher {
  const source = sourceOf(withShapes(template), wordTables, language);
  if (template.includes('{PROPER}')) {
    const pattern = regExp(source);
    return ({ text }) => pattern.test(text);
  }
  const pattern = regExp(inLowerCase(source));
  return ({ lower }) => pattern.test(lower);
}

/** The slower way of matching only where a pattern speaks of scripts. */
const regExp = (source: string): RegExp => new RegExp(source, source.includes('\\p{') ? 'u' : '');

/** The tables of which a word must stand in what has the form: those outside of all groups. A form without is not even compiled. */
function neededTables(template: string): readonly string[] {
  let outside = template.replace(/\\[()[\]|]/g, '').replace(/\[[^\]]*\]/g, '');
  for (let inner = ''; inner !== outside; ) {
    inner = outside;
    outside = outside.replace(/\([^()]*\)/g, '');
  }
  const parts = outside.replace(/(?<!\\p)\{[A-Z_|]+\}/g, '');
  if (parts.includes('|')) return [];
  return [...outside.matchAll(/(?<!\\p)\{([A-Z_|]+)\}(?![?*]|\{0)/g)].flatMap(([, name = '']) => (name in shapes ? [] : [name]));
}

const tables = new Map<string, Matcher>();
const seen = new WeakMap<Clause, Map<string, boolean>>();

function tableIn(name: string, language: keyof WordTable): Matcher {
  const key = `${language} ${name}`;
  const known = tables.get(key);
  if (known !== undefined) return known;
  let pattern: Matcher | undefined;
  const isIn = (clause: Clause): boolean => {
    const results = seen.get(clause) ?? new Map<string, boolean>();
    seen.set(clause, results);
    const before = results.get(key);
    if (before !== undefined) return before;
    pattern ??= matcher(`{${name}}`, language);
    const result = pattern(clause);
    results.set(key, result);
    return result;
  };
  tables.set(key, isIn);
  return isIn;
}

const withShapes = (template: string): string => template.replace(/(?<!\\p)\{([A-Z]+)\}/g, (slot, name: string) => shapes[name] ?? slot);

export const wordsPattern = (template: string, language: keyof WordTable): string => sourceOf(withShapes(template), wordTables, language);

/** Forms that are left out, by name, to see what each is worth. */
const leftOut = new Set<Form>();
export function leaveOut(...forms: readonly Form[]): void {
  leftOut.clear();
  for (const form of forms) leftOut.add(form);
}

export const clauseOf = (text: string): Clause => ({ text, lower: text.toLowerCase() });

export const hasForm = (clause: Clause, forms: readonly Form[]): boolean =>
  forms.some((form) => (leftOut.size === 0 || !leftOut.has(form)) && form.fits(clause));

/** True when a sentence has one of the forms; of a long one, its beginning is looked at. */
export const says = (sentence: string, forms: readonly Form[]): boolean => hasForm(clauseOf(sentence.slice(0, MAX_CHARS)), forms);

const MAX_CHARS = 500;

/** Returns a function that tells whether a sentence has one of the forms of a table. */
export function saysOne(text: string): (sentence: string) => boolean {
  const forms = readForms(text);
  return (sentence) => says(sentence, forms);
}
