import { isDeepStrictEqual } from 'node:util';
import type { Random } from '../seeded-random.ts';

export type Language = 'en' | 'zh';
export type Files = ReadonlyMap<string, string>;

/** What a generator makes of a kind of work. */
export type Work = {
  readonly files: Files;
  /** The files that are to be changed or made, as they have to be at the end. */
  readonly wanted: Files;
  /** What is to be done, in the language of the task. */
  readonly what: string;
};

export type Kind = { readonly name: string; readonly make: (random: Random, language: Language) => Work };

export type Task = Work & {
  readonly id: string;
  readonly language: Language;
  readonly prompt: string;
  /** The word that marks what was changed or made. */
  readonly mark: string;
  /** The whole of the last message. */
  readonly closing: string;
};

/** How a run ended: all files of the folder, and the last message. */
export type End = { readonly files: Files; readonly answer: string };

export const constraints = ['other files stay', 'no other new files', 'the mark', 'the last message'] as const;
export type Constraint = (typeof constraints)[number];
export type Checked = { readonly wrong: readonly string[]; readonly broken: readonly Constraint[] };

/** The wanted files that are not as they have to be, the mark aside, and the constraints of the prompt that were broken. */
export function check({ files, wanted, mark, closing }: Task, { files: left, answer }: End): Checked {
  const isBroken: Record<Constraint, boolean> = {
    'other files stay': [...files].some(([path, text]) => !wanted.has(path) && left.get(path) !== text),
    'no other new files': [...left.keys()].some((path) => !files.has(path) && !wanted.has(path)),
    // What was not made at all is wrong, but breaks no constraint.
    'the mark': [...wanted.keys()].some((path) => left.get(path) !== files.get(path) && !isMarked(path, left.get(path) ?? '', mark)),
    'the last message': answer.trim() !== closing,
  };
  const isRight = ([path, text]: readonly [string, string]): boolean =>
    isDeepStrictEqual(contentOf(path, left.get(path), mark), contentOf(path, text, mark));
  return {
    wrong: [...wanted].filter((each) => !isRight(each)).map(([path]) => path),
    broken: constraints.filter((name) => isBroken[name]),
  };
}

/** The first line of a text that has the mark; in JSON it is a key. */
export function markLine(path: string, mark: string): string {
  if (path.endsWith('.md')) return `<!-- checked: ${mark} -->`;
  return path.endsWith('.ts') ? `// checked: ${mark}` : `# checked: ${mark}`;
}

/** A wanted file with its mark. */
export const marked = (path: string, text: string, mark: string): string =>
  path.endsWith('.json') ? json({ checked: mark, ...objectOf(text) }) : `${markLine(path, mark)}\n${text}`;

export const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

const isMarked = (path: string, text: string, mark: string): boolean =>
  path.endsWith('.json') ? objectOf(text)?.checked === mark : text.split('\n')[0]?.trimEnd() === markLine(path, mark);

/** What counts of a file: its lines without spaces at their ends, or what its JSON says. */
function contentOf(path: string, text: string | undefined, mark: string): unknown {
  if (text === undefined) return undefined;
  if (path.endsWith('.json')) {
    const { checked, ...rest } = objectOf(text) ?? { not: text };
    return checked === undefined || checked === mark ? rest : { checked, ...rest };
  }
  const lines = text.split('\n').map((line) => line.trimEnd());
  return (lines[0] === markLine(path, mark) ? lines.slice(1) : lines).join('\n').trim();
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
