import type { ArchivePage } from '../../context/history/archive-page.ts';
import { nameOfCall } from '../../domain/session/call-name.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import {
  type ContentBlock,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  resultText,
  speakerLabels,
  storedResult,
} from '../../domain/session/message.ts';
import { pluralize } from '../../terminal/text/format.ts';
import { escapeHtml } from '../page/frame.ts';

/** A session as one HTML page that needs nothing else: no script, no address, nothing of the text obeyed. Long results are folded. */
export function sessionPage({ title, at, sessionId, messages, bodyOf }: ArchivePage): string {
  const parts = messages.map((message) => section(message, bodyOf)).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}</h1><p>Session ${escapeHtml(sessionId)}, exported ${escapeHtml(at)}, ${pluralize(messages.length, 'message')}</p>
${parts}
</body></html>
`;
}

const STYLE =
  ':root{color-scheme:light dark}@media print{:root{color-scheme:light}}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}section{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid #999}section.user{border-color:#36c}section.model{border-color:#393}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}summary,time{opacity:.7}h2{font-size:1rem;margin:0}';

function section(message: Message, bodyOf: ReadBody): string {
  const blocks = message.content.map((block) => blockHtml(block, message, bodyOf)).join('');
  return `<section class="${message.origin}"><h2>${speakerLabels[message.origin]} <time>${escapeHtml(message.at)}</time></h2>${blocks}</section>`;
}

function blockHtml(block: ContentBlock, message: Message, bodyOf: ReadBody): string {
  if (isText(block)) return `<pre>${escapeHtml(block.text)}</pre>`;
  if (isToolUse(block)) {
    const { name, input } = calledTool(block);
    return `<pre>${escapeHtml(`${nameOfCall(name, input)}\n${JSON.stringify(input, null, 2) ?? ''}`)}</pre>`;
  }
  if (!isToolResult(block)) return `<p>[${escapeHtml(block.type)}]</p>`;
  const text = storedResult(message, block, bodyOf) ?? resultText(block);
  const kind = block.is_error === true ? 'Error' : 'Result';
  return `<details><summary>${kind} of ${escapeHtml(block.tool_use_id)}, ${text.length} characters</summary><pre>${escapeHtml(text)}</pre></details>`;
}
