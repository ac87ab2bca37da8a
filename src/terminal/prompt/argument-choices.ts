import { localize } from '../../domain/language.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import { descriptionOf } from '../slash/help-text.ts';
import { commandRows } from '../slash/slash-commands.ts';
import { speakers } from '../slash/slash-text.ts';
import { timeAgo } from '../text/format.ts';
import { snapshotReasonText } from '../views/history-table.ts';
import { argumentTexts } from './prompt-text.ts';

/** What can stand behind the name of a slash command, and what is said of it. */
export type ArgumentChoice = { readonly text: string; readonly detail: string };

/** The choices of a command, the likeliest first; none for one whose argument is words of the user's own. Must not reject. */
export type ArgumentChoices = (command: string) => Promise<readonly ArgumentChoice[]>;

/** Commands whose argument is a path. */
export const takesFile = (command: string): boolean => command === 'export';

/** Asks the conversation that is open. */
export const argumentChoicesOf =
  (chat: () => ChatPort | undefined, now: () => Date): ArgumentChoices =>
  async (command) => {
    const port = chat();
    const find = sources.get(command);
    if (port === undefined || find === undefined) return [];
    try {
      return await find(port, now());
    } catch {
      // What cannot be listed cannot be completed; the command itself says why.
      return [];
    }
  };

type Source = (chat: ChatPort, now: Date) => readonly ArgumentChoice[] | Promise<readonly ArgumentChoice[]>;

const sources: ReadonlyMap<string, Source> = new Map<string, Source>([
  ['help', () => commandRows.map((row) => ({ text: row.name, detail: descriptionOf(row) }))],
  ['compact', () => [{ text: '--preview', detail: argumentTexts.preview() }]],
  [
    'resume',
    ({ sessions }, now) =>
      sessions
        .list()
        .filter(({ sessionId, problem }) => problem === undefined && sessionId !== sessions.current().sessionId)
        .map(({ sessionId, updatedAt, title }) => ({ text: sessionId, detail: `${timeAgo(updatedAt, now)}  ${title}` })),
  ],
  [
    'rollback',
    ({ rollback }, now) =>
      rollback
        .snapshots()
        .toReversed()
        .map(({ id, at, reason, tokens }) => ({
          text: id,
          detail: argumentTexts.snapshot(timeAgo(at, now), snapshotReasonText(reason), tokens),
        })),
  ],
  [
    'rewind',
    ({ rollback }) =>
      rollback
        .pastMessages()
        .map(({ text }, at) => ({ text: String(at + 1), detail: text.slice(0, 200) }))
        .toReversed(),
  ],
  ['pin', ({ pins }) => [{ text: 'last', detail: argumentTexts.last() }, ...messagesOf(pins.choices().filter(({ pinned }) => !pinned))]],
  [
    'unpin',
    async ({ pins }) => {
      const { pins: pinned } = await pins.view();
      if (pinned.length === 0) return [];
      return [
        ...pinned.map(({ text }, at) => ({ text: String(at + 1), detail: text })),
        { text: 'all', detail: argumentTexts.pins(pinned.length) },
      ];
    },
  ],
  [
    'jobs',
    ({ jobs }) =>
      jobs
        .jobs()
        .filter(({ isLive }) => isLive)
        .flatMap(({ name, command }) => {
          const number = name.replace('job-', '');
          return ['stop', 'keep'].map((verb) => ({ text: `${verb} ${number}`, detail: command }));
        }),
  ],
  [
    'model',
    async ({ model }) =>
      (await model.choices(new AbortController().signal)).map(({ name, isCurrent, windowTokens }) => ({
        text: name,
        detail: argumentTexts.model(windowTokens, isCurrent),
      })),
  ],
  [
    'mcp',
    ({ mcp }) =>
      mcp
        .servers()
        .flatMap(({ name, changed }) => (changed === 0 ? [] : [{ text: `approve ${name}`, detail: argumentTexts.changed(changed) }])),
  ],
  ['config', ({ settings }) => settings.keys().map((text) => ({ text, detail: '' }))],
  [
    'permissions',
    ({ permissions, settings }) => [
      ...(['ask', 'accept-edits', 'read-only'] as const).map((mode) => ({ text: mode, detail: argumentTexts.mode[mode]() })),
      ...permissions.view().rules.map(({ number, kind, rule }) => ({ text: `remove ${number}`, detail: `${kind} ${rule.tool}` })),
      { text: 'readonly ask', detail: argumentTexts.readOnly.ask() },
      { text: 'readonly run', detail: argumentTexts.readOnly.run() },
      ...(['allow', 'ask', 'deny'] as const).flatMap((kind) =>
        settings.tools().map(({ name }) => ({ text: `${kind} ${name}`, detail: argumentTexts.rule[kind](name) })),
      ),
    ],
  ],
]);

const messagesOf = (rows: ReturnType<ChatPort['pins']['choices']>): readonly ArgumentChoice[] =>
  rows
    .map(({ number, who, text }) => ({
      text: String(number),
      detail: `${localize(speakers)[who]}${localize({ en: ': ', zh: '：' })}${text}`,
    }))
    .toReversed();
