export type OwnCommand = {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string | undefined;
  readonly body: string;
  readonly source: 'user' | 'project';
};

/** `$ARGUMENTS` is all that was typed, `$1` to `$9` a word of it; a text that names neither has what was typed at its end. */
export function expandCommand(body: string, typed: string): string {
  if (!/\$(?:ARGUMENTS\b|[1-9])/.test(body)) return typed === '' ? body : `${body.trimEnd()}\n\n${typed}`;
  const words = firstWords(typed);
  return body.replace(/\$(?:ARGUMENTS\b|([1-9]))/g, (_, place?: string) =>
    place === undefined ? typed : (words[Number(place) - 1] ?? ''),
  );
}

/** What says to the model that a person chose a skill. */
export const useSkill = (name: string, typed: string): string => `Use the skill ${name}.${typed === '' ? '' : ` ${typed}`}`;

/** As many as a text can name: what was typed may be megabytes. */
const MOST_WORDS = 9;

function firstWords(typed: string): readonly string[] {
  const words: string[] = [];
  for (const [, double, single, plain] of typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    words.push(double ?? single ?? plain ?? '');
    if (words.length === MOST_WORDS) break;
  }
  return words;
}
