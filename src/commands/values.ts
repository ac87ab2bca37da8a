import { SanbotError } from '../domain/errors.ts';
import { inspectText, nearest } from '../domain/text.ts';

/** Parsers of values. Each throws `usage`, naming the option, what is right and what was found. */
export function wholeNumber(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw wrong(option, `a whole number of at least ${least}`, text);
}

/** Names separated by commas; none may be empty. */
function names(option: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const found = text.split(',').map((name) => name.trim());
  if (found.every((name) => /^[\w*:.-]+$/.test(name))) return found;
  throw wrong(option, 'names separated by commas', text);
}

/** Names that must be among `known`; the nearest one is offered for another. */
export function knownNames(option: string, text: string | undefined, known: readonly string[]): readonly string[] {
  const found = names(option, text);
  const strange = found.find((name) => !known.includes(name));
  if (strange === undefined) return found;
  const meant = nearest(strange, known);
  const advice = meant === undefined ? `They are ${known.join(', ')}.` : `Did you mean ${meant}?`;
  throw new SanbotError('usage', `${option}: there is no tool ${inspectText(strange)}. ${advice}`);
}

export function oneOf<T extends string>(option: string, text: string | undefined, choices: readonly T[]): T {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw wrong(option, `one of ${choices.join(', ')}`, text ?? '');
}

/** An ISO date or time, or a span before now: 30m, 2h, 7d. */
export function moment(option: string, text: string | undefined, now: () => Date): Date | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return new Date(now().getTime() - Number(amount) * (unitMs[unit] ?? 0));
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at);
  throw wrong(option, 'a date (2026-01-31), a time (2026-01-31T09:00Z) or a span (30m, 2h, 7d)', text);
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const wrong = (option: string, expected: string, found: string): SanbotError =>
  new SanbotError('usage', `${option}: expected ${expected}, found ${inspectText(found)}`);
