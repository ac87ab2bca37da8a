import { localize } from '../../domain/language.ts';
import { keyName } from '../input/key-name.ts';
import type { KeyReader } from '../input/keyboard.ts';
import { splitKeys } from '../input/keys.ts';
import { formatCount } from '../text/format.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import type { Detail } from './details.ts';

type ViewerSize = { readonly columns: number; readonly rows: number };
export type ViewerView = {
  readonly title: string;
  readonly rows: readonly string[];
  readonly top: number;
  readonly total: number;
  readonly number: number;
  readonly count: number;
};

type ViewerIo = {
  readonly list: () => readonly Detail[];
  /** The whole text; undefined when it is not there any more. */
  readonly textOf: (detail: Detail) => string | undefined;
  readonly read: (reader: KeyReader) => () => void;
  readonly keep: KeyReader;
  readonly update: () => void;
  readonly tellNothing: () => void;
};

export type Viewer = ReturnType<typeof createViewer>;

export function createViewer({ list, textOf, read, keep, update, tellNothing }: ViewerIo) {
  let open: OpenDetail | undefined;
  let release = (): void => undefined;
  let size: ShownSize = { total: 0, height: 1 };
  const rowsOf = createRows();

  const set = (next: OpenDetail | undefined): void => {
    open = next;
    update();
  };
  const close = (): void => {
    release();
    release = () => undefined;
    set(undefined);
  };
  const openAt = (details: readonly Detail[], at: number): OpenDetail | undefined => {
    const detail = details[at];
    if (detail === undefined) return undefined;
    const [title, text, wasLive] = [safeLine(detail.title), shownText(textOf(detail)), isLive(detail)];
    return { at, details, title, text, wasLive, top: wasLive ? 'end' : 0 };
  };
  const press = (name: string | undefined): boolean => {
    if (open === undefined) return false;
    const end = Math.max(0, size.total - size.height);
    const top = topAfter(name, open.top === 'end' ? end : open.top, size);
    if (name === 'escape' || name === 'ctrl+o') close();
    else if (name === 'left' || name === 'right') set(openAt(open.details, open.at + (name === 'left' ? -1 : 1)) ?? open);
    else if (top !== undefined) set({ ...open, top: top === end && open.wasLive ? 'end' : top });
    else return false;
    return true;
  };
  const reader: KeyReader = (event) => {
    if (event.type === 'paste') return keep(event);
    for (const key of splitKeys(event.text)) if (!press(keyName(key))) keep({ type: 'keys', text: key });
  };
  return {
    toggle: () => {
      const details = list();
      if (open !== undefined) return close();
      if (details.length === 0) return tellNothing();
      set(openAt(details, details.length - 1));
      release = read(reader);
    },
    close,
    view: ({ columns, rows: height }: ViewerSize): ViewerView | undefined => {
      if (open === undefined) return undefined;
      const { at, details, title } = open;
      const detail = details[at];
      // Until it has ended, and once more then.
      if (open.wasLive && detail !== undefined) open = { ...open, text: shownText(textOf(detail)), wasLive: isLive(detail) };
      const all = rowsOf(open.text, columns);
      size = { total: all.length, height: Math.max(1, height) };
      const top = open.top === 'end' ? Math.max(0, size.total - size.height) : open.top;
      return { title, rows: all.slice(top, top + size.height), top, total: all.length, number: at + 1, count: details.length };
    },
  };
}

type OpenDetail = {
  readonly at: number;
  readonly details: readonly Detail[];
  readonly title: string;
  readonly text: string;
  /** The first row that is shown, or the last rows, whatever comes. */
  readonly top: number | 'end';
  readonly wasLive: boolean;
};

const isLive = (detail: Detail): boolean => detail.kind === 'tool' && detail.isLive?.() === true;

type ShownSize = { readonly total: number; readonly height: number };

function createRows(): (text: string, columns: number) => readonly string[] {
  let last: { readonly text: string; readonly columns: number; readonly rows: readonly string[] } | undefined;
  return (text, columns) => {
    if (last?.text !== text || last.columns !== columns) last = { text, columns, rows: wrap(text, columns) };
    return last.rows;
  };
}

/** What is longer is shown without its middle: nobody scrolls through it, and it is in its file. */
const MAX_CHARS = 400_000;

function shownText(text: string | undefined): string {
  if (text === undefined)
    return localize({
      en: 'This result has left the context. /recall finds what was in it.',
      zh: '此结果已离开上下文。/recall 可找回其中的内容。',
    });
  if (text.trim() === '') return localize({ en: '(no output)', zh: '（无输出）' });
  if (text.length <= MAX_CHARS) return safeText(text.trimEnd());
  const [head, tail] = [text.slice(0, MAX_CHARS / 2), text.slice(-MAX_CHARS / 2)];
  const omitted = formatCount(text.length - MAX_CHARS);
  const gap = localize({ en: `… ${omitted} characters are left out here …`, zh: `… 此处省去 ${omitted} 个字符 …` });
  return `${safeText(head)}\n${gap}\n${safeText(tail.trimEnd())}`;
}

function topAfter(name: string | undefined, top: number, { total, height }: ShownSize): number | undefined {
  const page = Math.max(1, height - 1);
  const tops: Readonly<Record<string, number>> = {
    up: top - 1,
    down: top + 1,
    pageup: top - page,
    pagedown: top + page,
    home: 0,
    end: total - height,
  };
  const wanted = name === undefined ? undefined : tops[name];
  return wanted === undefined ? undefined : Math.max(0, Math.min(wanted, total - height));
}
