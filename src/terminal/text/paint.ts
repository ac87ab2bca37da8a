import { Chalk } from 'chalk';

/** Colours for text that is safe already; without colour each of them returns the text as it is. */
export type Paint = Readonly<Record<Tone | TextStyle | 'removed' | 'added' | 'changed', (text: string) => string>> & {
  /** For kinds of things beside each other, by their place: no two neighbours look alike. */
  readonly kind: (place: number, text: string) => string;
  readonly syntax: (part: SyntaxPart, text: string) => string;
  /** False where a mark in the text has to say what a colour cannot. */
  readonly hasColour: boolean;
  /** False where a mark in the text has to say what bold and underlined letters cannot. */
  readonly hasStyles: boolean;
};

export type Drawing = {
  readonly paint: Paint;
  readonly columns: number;
  readonly codeParts?: CodeParts | undefined;
};

/** The lines of a code in a language, each in its parts; undefined where the language is not known. */
export type CodeParts = (code: string, language: string) => readonly (readonly CodePart[])[] | undefined;
export type CodePart = { readonly text: string; readonly kind: SyntaxPart | undefined };

export type TextStyle = 'strong' | 'emphasis' | 'struck' | 'heading' | 'link' | 'code';
export type SyntaxPart = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'added' | 'removed';

/** For text that may be piped: colours and styles, or neither. */
export const createPaint = (colour: boolean): Paint => paintOf({ colour, styles: colour });

/** For a terminal that is drawn on: NO_COLOR takes the colours from it, and leaves bold, italic and underlined letters, which are none. */
export const createScreenPaint = (colour: boolean): Paint => paintOf({ colour, styles: true });

function paintOf({ colour, styles }: { readonly colour: boolean; readonly styles: boolean }): Paint {
  const chalk = new Chalk({ level: colour ? 1 : 0 });
  const style = new Chalk({ level: styles ? 1 : 0 });
  return {
    plain: (text) => text,
    quiet: (text) => chalk.dim(text),
    good: (text) => chalk.green(text),
    notice: (text) => chalk.yellow(text),
    bad: (text) => chalk.red(text),
    strong: (text) => style.bold(text),
    emphasis: (text) => style.italic(text),
    struck: (text) => style.strikethrough(text),
    heading: (text) => style.bold.underline(text),
    link: (text) => style.underline(text),
    code: (text) => chalk.cyan(text),
    removed: (text) => chalk.red(text),
    added: (text) => chalk.green(text),
    changed: (text) => style.inverse(text),
    kind: (place, text) => chalk[kindColours[place % kindColours.length] ?? 'white'](text),
    syntax: (part, text) => chalk[syntaxColours[part]](text),
    hasColour: colour,
    hasStyles: styles,
  };
}

const kindColours = ['cyan', 'blue', 'magenta', 'green', 'yellow', 'red'] as const;

const syntaxColours = {
  keyword: 'magenta',
  string: 'green',
  number: 'yellow',
  comment: 'dim',
  name: 'cyan',
  added: 'green',
  removed: 'red',
} as const satisfies Readonly<Record<SyntaxPart, string>>;

export type Tone = 'plain' | 'quiet' | 'good' | 'notice' | 'bad';
