/** What comes from a keyboard: keys as the terminal sends them, or one whole paste. */
export type KeyEvent = { readonly type: 'keys'; readonly text: string } | { readonly type: 'paste'; readonly text: string };

export const PASTE_START = '\u001b[200~';
export const PASTE_END = '\u001b[201~';

/**
 * Takes pastes out of the stream of keys. A marker that is split over chunks is put together. An end marker inside a paste does not end it, as
 * far as that can be known: a paste ends at the last end marker of the chunk before the next start. In pasted text CR and CR LF
 * become newlines, which is what they stand for; all else stays.
 */
export function createKeyDecoder() {
  let pending = '';
  let paste: string[] | undefined;
  return {
    write: (chunk: string): readonly KeyEvent[] => {
      // Escape alone is the key; at the end of anything else it may be the beginning of a marker.
      if (chunk === ESC && pending === '' && paste === undefined) return [{ type: 'keys', text: ESC }];
      const events: KeyEvent[] = [];
      let rest = pending + chunk;
      pending = '';
      while (rest !== '') rest = paste === undefined ? takeKeys(rest, events) : takePaste(rest, events, paste);
      return events;
    },
    /** What might have become the marker of a paste, and did not: the keys that it is then. */
    flush: (): readonly KeyEvent[] => {
      if (paste !== undefined || pending === '') return [];
      const text = pending;
      pending = '';
      return [{ type: 'keys', text }];
    },
  };

  function takeKeys(text: string, events: KeyEvent[]): string {
    const start = text.indexOf(PASTE_START);
    const end = start >= 0 ? start : text.length - partialMarkerLength(text, PASTE_START);
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

const ESC = '\u001b';
export const CTRL_C = '\u0003';

/** How much of the end of a text may be the beginning of a marker. */
function partialMarkerLength(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

/** The single keys of a piece: an escape sequence is one key, and so is a character that takes two code units. */
export const splitKeys = (text: string): readonly string[] => text.match(singleKey) ?? [];

const singleKey = /\u001b(?:\[[0-9;?<=>]*[ -/]*[@-~]|O.|[^\u001b[O])?|\r\n|[^\u001b]/gsu;
