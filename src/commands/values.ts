import { SanbotError } from '../domain/errors.ts';
import { inspectText, nearest } from '../domain/text.ts';

/** Parsers of values. Each throws `usage`, naming the option, what is right and what was found. */
export function parseWholeNumber(option: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min) return value;
  throw invalidValue(option, `a whole number of at least ${min}`, text);
}

/** Names separated by commas; none may be empty. */
function parseNames(option: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const values = text.split(',').map((name) => name.trim());
  if (values.every((name) => /^[\w*:.-]+$/.test(name))) return values;
  throw invalidValue(option, 'names separated by commas', text);
}

/** Names that must be among `allowed`; the nearest one is offered for another. */
export function parseKnownNames(option: string, text: string | undefined, allowed: readonly string[]): readonly string[] {
  const values = parseNames(option, text);
  const unknownName = values.find((name) => !allowed.includes(name));
  if (unknownName === undefined) return values;
  const suggestion = nearest(unknownName, allowed);
  const advice = suggestion === undefined ? `They are ${allowed.join(', ')}.` : `Did you mean ${suggestion}?`;
  throw new SanbotError('usage', `${option}: there is no tool ${inspectText(unknownName)}. ${advice}`);
}

export function parseChoice<T extends string>(option: string, text: string | undefined, choices: readonly T[]): T {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw invalidValue(option, `one of ${choices.join(', ')}`, text ?? '');
}

/** An ISO date or time, or a span before now: 30m, 2h, 7d. */
export function parseTime(option: string, text: string | undefined, now: () => Date): Date | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return new Date(now().getTime() - Number(amount) * (unitMs[unit] ?? 0));
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return new Date(at);
  throw invalidValue(option, 'a date (2026-01-31), a time (2026-01-31T09:00Z) or a span (30m, 2h, 7d)', text);
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const invalidValue = (option: string, expected: string, value: string): SanbotError =>
  new SanbotError('usage', `${option}: expected ${expected}, found ${inspectText(value)}`);
