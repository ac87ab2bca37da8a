import { Chalk } from 'chalk';
import { createTheme, type Hue, type Theme } from './theme.ts';

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
export const createScreenPaint = (colour: boolean, theme: Theme): Paint => paintOf({ colour, styles: true, theme });

type PaintOptions = { readonly colour: boolean; readonly styles: boolean; readonly theme?: Theme };

function paintOf({ colour, styles, theme = createTheme('ansi16', {}, () => undefined) }: PaintOptions): Paint {
  const style = new Chalk({ level: styles ? 1 : 0 });
  const inHue =
    (hue: Hue) =>
    (text: string): string => {
      const shade = colour ? theme.palette()[hue] : undefined;
      if (shade === undefined) return text;
      return typeof shade === 'number' ? painter.ansi256(shade)(text) : painter[shade](text);
    };
  return {
    plain: (text) => text,
    quiet: inHue('quiet'),
    good: inHue('green'),
    notice: inHue('yellow'),
    bad: inHue('red'),
    strong: (text) => style.bold(text),
    emphasis: (text) => style.italic(text),
    struck: (text) => style.strikethrough(text),
    heading: (text) => style.bold.underline(text),
    link: (text) => style.underline(text),
    code: inHue('cyan'),
    removed: inHue('red'),
    added: inHue('green'),
    changed: (text) => style.inverse(text),
    kind: (place, text) => inHue(kindColours[place % kindColours.length] ?? 'quiet')(text),
    syntax: (part, text) => inHue(syntaxColours[part])(text),
    get hasColour() {
      return colour && theme.hasColours();
    },
    hasStyles: styles,
  };
}

const painter = new Chalk({ level: 2 });

const kindColours = ['cyan', 'blue', 'magenta', 'green', 'yellow', 'red'] as const;

const syntaxColours = {
  keyword: 'magenta',
  string: 'green',
  number: 'yellow',
  comment: 'quiet',
  name: 'cyan',
  added: 'green',
  removed: 'red',
} as const satisfies Readonly<Record<SyntaxPart, Hue>>;

export type Tone = 'plain' | 'quiet' | 'good' | 'notice' | 'bad';
