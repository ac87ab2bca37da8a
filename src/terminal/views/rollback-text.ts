import type { MessageLine, RollbackPreview } from '../chat/rollback-port.ts';
import { supersededText } from '../screen/context-line.ts';
import { formatCount, formatSize, pluralize, timeAgo } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import type { FileOutcome } from './file-restore.ts';

/** What a rollback would change, as a difference: `-` leaves the context, `+` comes back. Ends with a newline. */
export function rollbackPreviewText(preview: RollbackPreview, { columns, now }: { readonly columns: number; readonly now: Date }): string {
  const { snapshot, leaving, returning } = preview;
  const lines = [
    `Snapshot ${safeLine(snapshot.id)}, taken ${timeAgo(snapshot.at, now)} (${snapshot.reason}, ${formatSize(snapshot.bytes)})`,
    `  messages  ${formatCount(preview.messagesNow)} -> ${formatCount(snapshot.messages)}`,
    `  tokens    ${formatCount(preview.tokensNow)} -> ${formatCount(snapshot.tokens)}`,
    ...(snapshot.bodies === 0 ? [] : [`  ${pluralize(snapshot.bodies, 'offloaded result')} in it`]),
    ...differenceLines('-', leaving, columns),
    ...differenceLines('+', returning, columns),
    ...sinceLine(preview),
    leaving.length === 0 && returning.length === 0
      ? 'The messages are the same.'
      : 'The present state is saved as a snapshot first. Files on disk are touched only if you ask for it.',
  ];
  return `${lines.join('\n')}\n`;
}

function sinceLine({ since }: RollbackPreview): readonly string[] {
  if (since === undefined || since === 0) return [];
  return [`${pluralize(since, 'message')} came after that change and would leave the context with it; undoing the undo brings them back.`];
}

const MAX_SHOWN_MESSAGES = 6;

/** The first and the last few; what is left out between them is counted. */
export function differenceLines(sign: '-' | '+', messages: readonly MessageLine[], columns: number): readonly string[] {
  const line = ({ who, text }: MessageLine): string => clip(`  ${sign} ${who}: ${safeLine(text)}`, columns);
  if (messages.length <= MAX_SHOWN_MESSAGES) return messages.map(line);
  const omittedLine = `  ${sign} … ${pluralize(messages.length - MAX_SHOWN_MESSAGES, 'message')} more`;
  return [...messages.slice(0, MAX_SHOWN_MESSAGES / 2).map(line), omittedLine, ...messages.slice(-MAX_SHOWN_MESSAGES / 2).map(line)];
}

/** What `rollback --json` prints. Fields are added here, never taken away. */
export type RollbackReport = {
  /** The snapshot that is current again. */
  readonly restored: string;
  /** The snapshot of the state before: rolling back to it undoes this. */
  readonly undo: string;
  readonly messages: number;
  readonly tokens: number;
  /** With a message: what it said. */
  readonly text?: string;
  /** Memories whose standing changed, if any did. */
  readonly memories?: { readonly superseded: number; readonly restored: number } | undefined;
  /** With --files: what became of each that is not what it was. */
  readonly files?: readonly FileOutcome[];
};

export const rollbackJson = ({ restored, undo, messages, tokens, text, memories, files }: RollbackReport): string =>
  `${JSON.stringify({ restored, undo, messages, tokens, text, memories, files })}\n`;

export const rollbackResultText = ({ restored, undo, messages, tokens, text, memories }: RollbackReport): string =>
  `${text === undefined ? `Restored ${safeLine(restored)}` : 'Rewound to before that message'}: ${pluralize(messages, 'message')}, ${formatCount(tokens)} tokens. Undo: sanbot rollback --snapshot ${safeLine(undo)}\n${memories === undefined ? '' : `${supersededText(memories)}\n`}`;
