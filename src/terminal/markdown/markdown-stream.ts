import type { Paint } from '../text/paint.ts';

/**
 * Colours Markdown while it streams: headings and **bold** stand out, `code` and fenced blocks have the colour of code. Marks stay in the
 * text, so that what is copied is what was written and a mark that is none (2**3, a lone `) costs nothing but a colour. What begins in a
 * line ends with it, fenced blocks apart. Text must be safe to show.
 */
export function createMarkdownStream(paint: Paint) {
  let pending = '';
  let state = plainLine;
  const colour = (text: string): string => {
    let output = '';
    for (const token of text.match(tokens) ?? []) {
      const next = nextState(state, token);
      // A mark has the colour of what it opens or closes.
      output += token === '\n' ? token : paintFor(styleOf(next) === 'plain' ? styleOf(state) : styleOf(next), paint)(token);
      state = next;
    }
    return output;
  };
  return {
    write: (chunk: string): string => {
      const text = pending + chunk;
      pending = openMark.exec(text)?.[0] ?? '';
      return colour(text.slice(0, text.length - pending.length));
    },
    end: (): string => {
      const rest = pending;
      pending = '';
      return colour(rest);
    },
  };
}

type Style = 'plain' | 'strong' | 'code';
type State = {
  readonly atLineStart: boolean;
  readonly isFenced: boolean;
  readonly isHeading: boolean;
  readonly isCode: boolean;
  readonly isBold: boolean;
};

const plainLine: State = { atLineStart: true, isFenced: false, isHeading: false, isCode: false, isBold: false };

const tokens = /\n|`{3,}|`|\*{2}|#{1,6} | +|[^\n`*# ]+|[*#]/g;
/** The end of a chunk that the next one may make into another mark. */
const openMark = /(?:`+|\*+|#+)$/;

function nextState(state: State, token: string): State {
  if (token === '\n') return { ...plainLine, isFenced: state.isFenced };
  const inLine = { ...state, atLineStart: state.atLineStart && token.trim() === '' };
  if (token.startsWith('```') && state.atLineStart) return { ...inLine, isFenced: !state.isFenced };
  if (state.isFenced) return inLine;
  if (token.startsWith('#') && token.endsWith(' ') && state.atLineStart) return { ...inLine, isHeading: true };
  if (token === '`') return { ...inLine, isCode: !state.isCode };
  if (token === '**' && !state.isCode) return { ...inLine, isBold: !state.isBold };
  return inLine;
}

function styleOf({ isFenced, isHeading, isCode, isBold }: State): Style {
  if (isFenced || isCode) return 'code';
  return isHeading || isBold ? 'strong' : 'plain';
}

const paintFor = (style: Style, paint: Paint): ((text: string) => string) => (style === 'plain' ? paint.plain : paint[style]);
