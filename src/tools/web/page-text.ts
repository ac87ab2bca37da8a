import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

/** The longest page that is read for its main part; of a longer one the beginning is. */
const MAX_HTML_CHARS = 2_000_000;

/**
 * The main part of a page as Markdown, and its title. Runs none of its scripts and loads nothing. The only file that knows the libraries for
 * it, loaded when a page is read. linkedom: jsdom does not run on Node 20, and is ten times as large.
 */
export function markdownOf(html: string): { readonly title: string; readonly text: string } {
  try {
    const { document } = parseHTML(html.slice(0, MAX_HTML_CHARS));
    const title = (document.title ?? '').trim();
    const whole = document.body?.innerHTML ?? '';
    const article = new Readability(document).parse();
    const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
    turndown.remove(['script', 'style', 'noscript', 'iframe', 'template']);
    const content = article?.content ?? '';
    const text = turndown.turndown(content.trim() === '' ? whole : content);
    return { title: article?.title?.trim() || title, text: text.trim() === '' ? wordsOf(html.slice(0, MAX_HTML_CHARS)) : text };
  } catch {
    // Too deep to walk, or no page at all: its words are better than nothing.
    return { title: '', text: wordsOf(html.slice(0, MAX_HTML_CHARS)) };
  }
}

const wordsOf = (html: string): string =>
  html
    .replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]{0,1000}>/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .trim();
