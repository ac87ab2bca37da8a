import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { isTooDeep, wordsOf } from './page-words.ts';

export type PageText = { readonly title: string; readonly text: string };

/**
 * The main part of a page as Markdown, and its title. Runs none of its scripts and loads nothing. The only file that knows the libraries for
 * it, which for some pages take time without end: it runs in the process that parses. linkedom: jsdom does not run on Node 20, and is ten
 * times as large.
 */
export function markdownOf(html: string): PageText {
  if (isTooDeep(html)) return { title: '', text: wordsOf(html) };
  try {
    const { document } = parseHTML(html);
    const title = (document.title ?? '').trim();
    const whole = document.body?.innerHTML ?? '';
    const article = new Readability(document).parse();
    const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
    turndown.remove(['script', 'style', 'noscript', 'iframe', 'template']);
    const content = article?.content ?? '';
    const text = turndown.turndown(content.trim() === '' ? whole : content);
    return { title: article?.title?.trim() || title, text: text.trim() === '' ? wordsOf(html) : text };
  } catch {
    // Too deep to walk, or no page at all: its words are better than nothing.
    return { title: '', text: wordsOf(html) };
  }
}
