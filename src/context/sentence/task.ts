/** Which orders are of the moment: they bind the task at hand, and nobody wants them kept beyond it. */
import { isOneOf } from '../../domain/value/word-list.ts';
import { readForms, says } from './form.ts';
import { featureForms, onceForms, recursForms } from './forms-task.ts';

/** True for an order that by its own words is for this one time, one place or one thing just spoken of; a word like "always" outweighs it. */
export const isOneOff = (sentence: string): boolean =>
  describesFeature(sentence) || (!says(sentence, recursForms) && says(sentence, onceForms));

/** "The menu must close when I press escape": what one part of a program does upon an event. */
export const describesFeature = (sentence: string): boolean => says(sentence, featureForms);

/**
 * True for a ban that only puts right how the task at hand is being done: one that is set against what was just done or asked for, of a
 * certain thing, or with what to do in its place. One that protects something ("but don't touch ...") is none.
 */
export function correctsTask(sentences: readonly string[], at: number): boolean {
  const sentence = (sentences[at] ?? '').slice(0, MAX_CHARS);
  const [, opening = '', verb = '', object = ''] = BAN.exec(sentence) ?? [];
  if (verb === '' || says(verb, protectForms) || says(sentence, wideForms)) return false;
  if (namesReplacement(object)) return true;
  const isCertain = CERTAIN.test(object);
  if (opening === '' && !isCertain) return false;
  return (opening !== '' && isCertain) || isCounterpart(sentences[at + 1], verb, object);
}

const MAX_CHARS = 500;
const BAN = /^((?:(?:no|nope|nah|(?:(?:yeah|yes|ok) )?but)\b[,.!]? ?)*)(?:please )?(?:do not|do ?n'?t) ([a-z]+) (.+)$/i;

const protectForms = readForms(() => String.raw`
protects: ^{PROTECTS}$
  + touch - guess
`);
const wideForms = readForms(() => String.raw`
wide: {WIDE}
  + don't guess any of it - don't guess the name
`);

/** One thing: with an article, by its name in code. */
const CERTAIN = /^(?:the|an?|this|that|its|it|my|your)\b|^`[^`]+`|^[A-Z]?[a-z]+[A-Z]\w*\b|^[a-z]+(?:_[a-z\d]+)+\b/;

/** "…, just leave it out", "…, read it from the file instead". */
const namesReplacement = isOneOf(
  /,? (?:but )?(?:just|simply|rather) [a-z]+ (?:the|it|its|that|this|them|an?)\b/i,
  /, [a-z]+ [^,]{2,60} instead[.!]?$/i,
);

/** What is to be done instead, in the same words: "add a second index", "mock the client". */
function isCounterpart(next: string | undefined, verb: string, object: string): boolean {
  const [, order = '', rest = ''] = /^(?:please |just |instead,? )?([a-z]+) (.+)$/i.exec((next ?? '').slice(0, MAX_CHARS)) ?? [];
  if (order === '' || !says(order, putForms)) return false;
  if (order.toLowerCase() === verb.toLowerCase()) return true;
  const words = new Set(rest.toLowerCase().match(/[a-z_\d]{4,}/g));
  return (object.toLowerCase().match(/[a-z_\d]{4,}/g) ?? []).some((word) => words.has(word));
}

const putForms = readForms(() => String.raw`
puts: ^{PUT}$
  + mock - hope
`);
