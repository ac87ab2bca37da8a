import { type Bilingual, localize } from '../../domain/language.ts';
import type { RecalledText, RecallHit, RecallSource, Snippet } from '../../domain/recall.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine, safeText } from '../text/safe-text.ts';

type TextStyle = { readonly paint: Paint };

export function recallHitsText(hits: readonly RecallHit[], { paint }: TextStyle): string {
  return hits.map((hit) => `${hitHeading(hit, paint)}\n${indent(highlightMarks(hit.snippet, paint))}\n`).join('');
}

/** What was not searched; undefined where all was. `again` is how to search on. */
export function sessionsLeftText(sessionsLeft: number, again: Bilingual): Bilingual | undefined {
  if (sessionsLeft === 0) return undefined;
  const sessions = sessionsLeft === 1 ? '1 session is' : `${groupDigits(sessionsLeft)} sessions are`;
  return {
    en: `${sessions} not fully indexed yet and may hold more: ${again.en}`,
    zh: `还有 ${groupDigits(sessionsLeft)} 个会话未完成索引，其中可能还有结果：${again.zh}`,
  };
}

const indent = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`;

function hitHeading(hit: RecallHit, paint: Paint): string {
  const folder = hit.folder === undefined ? '' : `  ${paint.quiet(safeLine(localize({ en: `in ${hit.folder}`, zh: `在 ${hit.folder}` })))}`;
  const copies =
    hit.copies.length === 0
      ? ''
      : `  ${paint.quiet(localize({ en: `and ${hit.copies.length} with the same text`, zh: `另有 ${hit.copies.length} 处文字相同` }))}`;
  return `${sourceHeading(hit, paint)}${folder}${copies}`;
}

export const recallHitsJson = (hits: readonly RecallHit[]): string =>
  `${JSON.stringify(
    hits.map(({ ref, sessionId, at, kind, tool, score, snippet, folder, copies }) => ({
      ...{ ref, sessionId, at, kind, tool: tool ?? null, score, snippet: snippet.text, folder: folder ?? null, copies },
    })),
    null,
    2,
  )}\n`;

/** The text as it is but for what a terminal would obey, under a line that says whose it is; its neighbours below. */
export function originalText(original: RecalledText, { paint }: TextStyle): string {
  const neighbourLine = ({ en, zh }: Bilingual, source: RecallSource | undefined): string => {
    if (source === undefined) return '';
    const line = safeLine(`${source.ref}  ${aboutSource(source)}${failedText(source, paint.plain)}`);
    return `${paint.quiet(localize({ en: `${en}: ${line}`, zh: `${zh}：${line}` }))}\n`;
  };
  const text = safeText(original.text);
  const neighbours =
    neighbourLine({ en: 'before', zh: '之前' }, original.before) + neighbourLine({ en: 'after', zh: '之后' }, original.after);
  return `${sourceHeading(original, paint)}\n${text}${text.endsWith('\n') ? '' : '\n'}${neighbours}`;
}

export function originalJson(original: RecalledText): string {
  const { text, before, after, ...source } = original;
  const neighbourJson = (each: RecallSource | undefined) => (each === undefined ? null : sourceJson(each));
  return `${JSON.stringify({ ...sourceJson(source), text, before: neighbourJson(before), after: neighbourJson(after) }, null, 2)}\n`;
}

const sourceJson = ({ ref, sessionId, at, kind, tool, failed }: RecallSource) => ({ ref, sessionId, at, kind, tool: tool ?? null, failed });

const aboutSource = ({ at, kind, tool }: RecallSource): string => `${at.slice(0, 16).replace('T', ' ')}  ${tool ?? kind}`;

const failedText = ({ failed }: RecallSource, paint: (text: string) => string): string =>
  failed ? `  ${paint(localize({ en: 'failed', zh: '失败' }))}` : '';

const sourceHeading = (source: RecallSource, paint: Paint): string =>
  `${paint.strong(safeLine(source.ref))}  ${paint.quiet(safeLine(aboutSource(source)))}${failedText(source, paint.bad)}`;

function highlightMarks({ text, marks }: Snippet, paint: Paint): string {
  let output = '';
  let at = 0;
  for (const [start, end] of marks) {
    output += `${safeText(text.slice(at, start))}${paint.notice(safeText(text.slice(start, end)))}`;
    at = end;
  }
  return output + safeText(text.slice(at));
}
