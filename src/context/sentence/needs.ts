/** What must stand in a clause for a template to fit it at all, so that only those forms are compiled that may fit. */
import type { StandingWords } from './word-index.ts';

/** True when nothing that the template needs is missing; it need not fit for that. */
export type Needs = (lower: string, standing: StandingWords) => boolean;

export const needsOf = (template: string): Needs => alternatives({ parts: template.match(PART) ?? [], at: 0 });

/** What a template is made of, longest first. */
const PART = new RegExp(
  [
    /[^()|\\[\]{}*+?.^$…]+(?![*+?{])/,
    // The beginning of a group that looks around or is not captured.
    /\(\?<?[:=!]/,
    /\{[A-Z_|]+\}|\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\./,
    /[*+?]\??|\{\d[\d,]*\}\??/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

type Place = { readonly parts: readonly string[]; at: number };

function alternatives(place: Place): Needs {
  const all: Needs[] = [sequence(place)];
  while (place.parts[place.at] === '|') {
    place.at++;
    all.push(sequence(place));
  }
  const [only = NOTHING] = all;
  if (all.length === 1 || all.includes(NOTHING)) return all.length === 1 ? only : NOTHING;
  return (lower, standing) => all.some((each) => each(lower, standing));
}

function sequence(place: Place): Needs {
  const all: Needs[] = [];
  let text = '';
  for (let part = place.parts[place.at]; part !== undefined && part !== '|' && part !== ')'; part = place.parts[place.at]) {
    place.at++;
    const inner = part.startsWith('(') ? group(part, place) : slot(part);
    const letters = inner === undefined ? lettersOf(part) : '';
    const often = howOften(place.parts[place.at]);
    if (often !== 'once') place.at++;
    if (often !== 'perhaps') text += letters;
    if (letters !== '' && often === 'once') continue;
    if (text.trim() !== '') all.push(standsIn(text.toLowerCase()));
    text = '';
    if (inner !== undefined && inner !== NOTHING && often !== 'perhaps') all.push(inner);
  }
  if (text.trim() !== '') all.push(standsIn(text.toLowerCase()));
  const [first = NOTHING] = all;
  return all.length < 2 ? first : (lower, standing) => all.every((each) => each(lower, standing));
}

function howOften(sign = ''): 'once' | 'perhaps' | 'more' {
  const first = sign.charAt(0);
  if (first === '*' || first === '?' || sign.startsWith('{0')) return 'perhaps';
  return first === '+' || (first === '{' && sign.charAt(1) <= '9') ? 'more' : 'once';
}

/** What is looked at from a place, and must not be there or stand before it, needs nothing. */
function group(opening: string, place: Place): Needs {
  const inner = alternatives(place);
  place.at++;
  return opening === '(' || opening === '(?:' || opening === '(?=' ? inner : NOTHING;
}

function slot(part: string): Needs | undefined {
  if (part.length < 3 || !part.startsWith('{')) return;
  const names = part.slice(1, -1).split('|');
  return (_, standing) => names.some((name) => standing.has(name));
}

/** The text that a part stands for, where it stands for just that. */
function lettersOf(part: string): string {
  if (part.startsWith('\\')) return /^\\[^\w]$/.test(part) ? part.slice(1) : '';
  return part.length > 1 && part.startsWith('[') ? '' : SIGNS.includes(part) ? '' : part;
}

const SIGNS = ['.', '^', '$', '…', '[', ']'];

const NOTHING: Needs = () => true;
const standsIn =
  (text: string): Needs =>
  (lower) =>
    lower.includes(text);
