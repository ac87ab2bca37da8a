import { lexer, type MarkedToken, type Token } from 'marked';
import type { Paint, TextStyle } from '../text/paint.ts';
import { wrapRanges } from '../text/text-width.ts';

export type Span = { readonly text: string; readonly styles: readonly TextStyle[] };

/** A mark goes where a style or a colour says the same, else it stays; so does a link's address, that no text hides where it leads. */
export function spansOf(tokens: readonly Token[], paint: Paint, styles: readonly TextStyle[] = []): readonly Span[] {
  const marked = (mark: string, style: TextStyle, inner: readonly Token[]): readonly Span[] => {
    const ends: readonly Span[] = paint.hasStyles ? [] : [{ text: mark, styles }];
    return [...ends, ...spansOf(inner, paint, [...styles, style]), ...ends];
  };
  return tokens.flatMap((token): readonly Span[] => {
    if (!isKnown(token)) return [{ text: token.raw, styles }];
    switch (token.type) {
      case 'strong':
        return marked('**', 'strong', token.tokens);
      case 'em':
        return marked('*', 'emphasis', token.tokens);
      case 'del':
        return marked('~~', 'struck', token.tokens);
      case 'codespan':
        return [{ text: paint.hasColour ? token.text : token.raw, styles: [...styles, 'code'] }];
      case 'escape':
        return [{ text: paint.hasStyles ? token.text : token.raw, styles }];
      case 'br':
        return [{ text: '\n', styles }];
      case 'link':
      case 'image':
        return linkSpans(token, paint, styles);
      case 'text':
        return token.tokens === undefined ? [{ text: token.raw, styles }] : spansOf(token.tokens, paint, styles);
      default:
        return [{ text: token.raw, styles }];
    }
  });
}

type Link = {
  readonly raw: string;
  readonly href: string;
  readonly title?: string | null;
  readonly text: string;
  readonly tokens: readonly Token[];
};

function linkSpans({ raw, href, title, text, tokens }: Link, paint: Paint, styles: readonly TextStyle[]): readonly Span[] {
  // An address that stands there as such, or in angle brackets; the library may have put a scheme before it.
  if (!raw.startsWith('[') && !raw.startsWith('![')) return [{ text: raw.replace(/^<(.*)>$/, '$1'), styles: [...styles, 'link'] }];
  const titlePart = title === undefined || title === null || title === '' ? '' : ` "${title}"`;
  const name = text === '' || text === href ? [] : [...spansOf(tokens, paint, styles), { text: ' (', styles }];
  return [...name, { text: href, styles: [...styles, 'link'] }, ...(name.length === 0 ? [] : [{ text: `${titlePart})`, styles }])];
}

export type { Token, Tokens } from 'marked';

/** What a Markdown text consists of. Throws where it is nested too deeply for the library. */
export const lex = (text: string): readonly Token[] => lexer(text);

/** Tokens of the library; others could come only from extensions, of which there are none. */
export const isKnown = (_token: Token): _token is MarkedToken => true;

export type Row = { readonly painted: string; readonly plain: string };

export function wrapSpans(spans: readonly Span[], columns: number, paint: Paint): readonly Row[] {
  return linesOf(spans).flatMap((line) => {
    const plain = line.map(({ text }) => text).join('');
    return wrapRanges(plain, columns).map(({ start, end }) => ({
      plain: plain.slice(start, end),
      painted: paintRange(line, { start, end }, paint),
    }));
  });
}

function linesOf(spans: readonly Span[]): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]];
  for (const { text, styles } of spans) {
    for (const [at, part] of text.replaceAll('\t', '  ').split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ text: part, styles });
    }
  }
  return lines;
}

function paintRange(spans: readonly Span[], { start, end }: { readonly start: number; readonly end: number }, paint: Paint): string {
  let at = 0;
  return spans
    .map(({ text, styles }) => {
      const [from, to] = [Math.max(0, start - at), Math.min(text.length, end - at)];
      at += text.length;
      return from >= to ? '' : styles.reduceRight((painted, style) => paint[style](painted), text.slice(from, to));
    })
    .join('');
}
