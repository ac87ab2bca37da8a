export type KeyEvent = { readonly type: 'keys'; readonly text: string } | { readonly type: 'paste'; readonly text: string };

export const PASTE_START = '\u001b[200~';
export const PASTE_END = '\u001b[201~';

/**
 * Takes pastes out of the stream of keys. A marker or a key that is split over chunks is put together. An end marker inside a paste does not end it, as
 * far as that can be known: a paste ends at the last end marker of the chunk before the next start. In pasted text CR and CR LF
 * become newlines, which is what they stand for; all else stays. Ctrl-C alone, after a pause, ends one whose end was cut off.
 */
export function createKeyDecoder() {
  let pending = '';
  let paste: string[] | undefined;
  let isPaused = false;
  return {
    write: (chunk: string): readonly KeyEvent[] => {
      const events: KeyEvent[] = [];
      // Of a paste that was cut off no end marker comes: then all that is typed would be swallowed. Within a paste nothing pauses before it.
      if (paste !== undefined && isPaused && /^(?:\u0003|\u001b\[99;5u)$/.test(chunk)) {
        takePaste(pending + PASTE_END, events, paste);
        pending = '';
        return events;
      }
      isPaused = false;
      let rest = pending + chunk;
      pending = '';
      while (rest !== '') rest = paste === undefined ? takeKeys(rest, events) : takePaste(rest, events, paste);
      return events;
    },
    /** What might have become a marker or a longer key, and did not: the keys that it is then. */
    flush: (): readonly KeyEvent[] => {
      isPaused = true;
      if (paste !== undefined || pending === '' || begunBackground.test(pending)) return [];
      const text = pending;
      pending = '';
      return [{ type: 'keys', text }];
    },
  };

  function takeKeys(text: string, events: KeyEvent[]): string {
    const start = text.indexOf(PASTE_START);
    const end = start >= 0 ? start : text.length - (begunKey.exec(text.slice(-MAX_KEY_CHARS))?.[0].length ?? 0);
    if (end > 0) events.push({ type: 'keys', text: text.slice(0, end) });
    if (start < 0) {
      pending = text.slice(end);
      return '';
    }
    paste = [];
    return text.slice(start + PASTE_START.length);
  }

  function takePaste(text: string, events: KeyEvent[], parts: string[]): string {
    const nextStart = text.indexOf(PASTE_START);
    const end = text.lastIndexOf(PASTE_END, nextStart < 0 ? text.length : nextStart);
    if (end < 0) {
      const keptLength = text.length - partialMarkerLength(text, PASTE_END);
      parts.push(text.slice(0, keptLength));
      pending = text.slice(keptLength);
      return '';
    }
    parts.push(text.slice(0, end));
    events.push({ type: 'paste', text: parts.join('').replace(/\r\n?/g, '\n') });
    paste = undefined;
    return text.slice(end + PASTE_END.length);
  }
}

export const CTRL_C = '\u0003';

function partialMarkerLength(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

/** The single keys of a piece: an escape sequence is one key, and so is a character that takes two code units. */
export const splitKeys = (text: string): readonly string[] => text.match(singleKey) ?? [];

const PARAMETERS = '[0-9;:?<=>]';
const ANSWER = String.raw`[\]P_][ -~]`;
const ANSWER_END = String.raw`(?:\u0007|\u001b\\)`;
const SEQUENCE = String.raw`\[${PARAMETERS}*[ -/]*[@-~]`;
const singleKey = new RegExp(String.raw`\u001b(?:${SEQUENCE}|O.|${ANSWER}{1,400}${ANSWER_END}|[^\u001b[O])?|\r\n|[^\u001b]`, 'gsu');

/** No person types it: over a slow line the rest of the answer may come later. */
const begunBackground = /^\u001b\]11;/;

const MAX_KEY_CHARS = 402;
/** At the end of a chunk: what a key, or the answer of a terminal to a question, may begin with. */
const begunKey = new RegExp(String.raw`\u001b(?:\[${PARAMETERS}{0,40}[ -/]{0,2}|O|${ANSWER}{0,400}\u001b?)?$`);
