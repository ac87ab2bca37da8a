import { keyName } from '../input/key-name.ts';
import type { KeyReader } from '../input/keyboard.ts';
import { splitKeys } from '../input/keys.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import type { Detail } from './details.ts';
import { viewerText } from './live-text.ts';

/** Shows whole what the screen shows in part, in the live area, and leaves nothing behind in what was printed. */
export type Viewer = {
  /** The newest of them; false where there is none. Closes when it is open. */
  readonly toggle: () => boolean;
  readonly close: () => void;
  /** Undefined while it is closed. */
  readonly view: (size: ViewerSize) => ViewerView | undefined;
};

export type ViewerSize = { readonly columns: number; readonly rows: number };
export type ViewerView = {
  readonly title: string;
  readonly rows: readonly string[];
  /** The place of the first of these rows, from 0, among all. */
  readonly top: number;
  readonly total: number;
  readonly number: number;
  readonly count: number;
};

export type ViewerIo = {
  readonly list: () => readonly Detail[];
  /** The whole text; undefined when it is not there any more. */
  readonly textOf: (detail: Detail) => string | undefined;
  /** Gives the keys to `reader` until the returned function is called. */
  readonly read: (reader: KeyReader) => () => void;
  /** What is typed and means nothing here. */
  readonly keep: KeyReader;
  readonly update: () => void;
};

type OpenDetail = { readonly at: number; readonly details: readonly Detail[]; readonly text: string; readonly top: number };

export function createViewer({ list, textOf, read, keep, update }: ViewerIo): Viewer {
  let open: OpenDetail | undefined;
  let release = (): void => undefined;
  let laidOut: { readonly text: string; readonly columns: number; readonly rows: readonly string[] } | undefined;
  let height = 1;

  const rowsAt = (text: string, columns: number): readonly string[] => {
    if (laidOut?.text !== text || laidOut.columns !== columns) laidOut = { text, columns, rows: wrap(text, columns) };
    return laidOut.rows;
  };
  const show = (details: readonly Detail[], at: number): void => {
    const detail = details[at];
    if (detail === undefined) return;
    open = { at, details, text: shownText(textOf(detail)), top: 0 };
    update();
  };
  const close = (): void => {
    release();
    release = () => undefined;
    open = undefined;
    laidOut = undefined;
    update();
  };
  const scroll = (by: number): void => {
    if (open === undefined) return;
    const last = Math.max(0, (laidOut?.rows.length ?? 0) - height);
    open = { ...open, top: Math.min(last, Math.max(0, open.top + by)) };
    update();
  };
  /** True when the key means something here. */
  const press = (name: string | undefined): boolean => {
    if (open === undefined) return false;
    if (name === 'escape' || name === 'ctrl+o') close();
    else if (name === 'left') show(open.details, open.at - 1);
    else if (name === 'right') show(open.details, open.at + 1);
    else {
      const step = stepOf(name, height);
      if (step === undefined) return false;
      scroll(step);
    }
    return true;
  };
  const reader: KeyReader = (event) => {
    if (event.type === 'paste') return keep(event);
    for (const key of splitKeys(event.text)) if (!press(keyName(key))) keep({ type: 'keys', text: key });
  };
  return {
    toggle: () => {
      const details = list();
      if (open !== undefined) close();
      else if (details.length === 0) return false;
      else {
        show(details, details.length - 1);
        release = read(reader);
      }
      return true;
    },
    close,
    view: ({ columns, rows }) => {
      if (open === undefined) return undefined;
      const { at, details, text, top } = open;
      const all = rowsAt(text, columns);
      height = Math.max(1, rows);
      return {
        title: safeLine(details[at]?.title ?? ''),
        ...{ rows: all.slice(top, top + height), top, total: all.length },
        ...{ number: at + 1, count: details.length },
      };
    },
  };
}

/** What is longer is shown without its middle: nobody scrolls through it, and it is in its file. */
const MAX_CHARS = 400_000;

function shownText(text: string | undefined): string {
  if (text === undefined) return viewerText.gone;
  if (text.trim() === '') return viewerText.empty;
  if (text.length <= MAX_CHARS) return safeText(text.trimEnd());
  const [head, tail] = [text.slice(0, MAX_CHARS / 2), text.slice(-MAX_CHARS / 2)];
  return `${safeText(head)}\n${viewerText.omitted(text.length - MAX_CHARS)}\n${safeText(tail.trimEnd())}`;
}

/** How far a key scrolls; undefined for other keys. */
function stepOf(name: string | undefined, height: number): number | undefined {
  switch (name) {
    case 'up':
      return -1;
    case 'down':
      return 1;
    case 'pageup':
      return -Math.max(1, height - 1);
    case 'pagedown':
      return Math.max(1, height - 1);
    case 'home':
      return Number.NEGATIVE_INFINITY;
    case 'end':
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}
