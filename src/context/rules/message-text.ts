import { isText, type Message } from '../../domain/session/message.ts';

/** Nobody types this much: the rest was pasted, and reading 8 MB of it sentence by sentence took 20 s. */
const HEAD_CHARS = 150_000;
const TAIL_CHARS = 50_000;

const truncateMiddle = (text: string): string =>
  text.length <= HEAD_CHARS + TAIL_CHARS ? text : `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`.toWellFormed();

/** What the user or the model said in a message, and no program in their name; of a very long text its beginning and end. */
export function messageText(message: Message): string {
  if (message.origin !== 'user' && message.origin !== 'model') return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => message.origin === 'model' || !isProgramNote(text))
    .map(truncateMiddle)
    .join('\n');
}

export const isRequest = (message: Message): boolean => message.origin === 'user' && messageText(message).trim() !== '';

export function onlyKept(kept: readonly Message[], messages: readonly Message[]): readonly Message[] {
  const ids = new Set(messages.map(({ id }) => id));
  return kept.filter(({ id }) => !ids.has(id));
}

/** What a program wrote in the user's name: a background task's report, a note of an interruption, another agent's summary. */
export function programNotes(message: Message): string {
  const isForeign = message.origin === 'summary' && message.summary === undefined;
  if (message.origin !== 'user' && !isForeign) return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => isForeign || isProgramNote(text))
    .join('\n');
}

/** Other agents wrap what the user did not write: `<task-notification>…</task-notification>`, `[Request interrupted by user]`. */
function isProgramNote(text: string): boolean {
  if (text.length < 200 && /^\s*\[[A-Z][^\]\n]*\]\s*$/.test(text)) return true;
  const name = /^\s{0,20}<([a-z]{2,30}(?:-[a-z]{2,30}){1,4})>/.exec(text)?.[1];
  return name !== undefined && text.includes(`</${name}>`);
}
