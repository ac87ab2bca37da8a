import { localize } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { clear, type EditorState, replaceAll } from '../editor/editor.ts';
import type { Folds } from '../editor/folds.ts';
import type { Browsing, Search } from '../editor/history-search.ts';
import type { Layouter } from '../editor/layout.ts';
import type { ReplIo } from '../repl/types.ts';
import { BACKGROUND, type EditResult } from '../slash/command.ts';
import { pluralize } from '../text/format.ts';
import type { Complete, CompletionMenu } from './completion.ts';

export type PromptOptions = {
  readonly folds: Folds;
  readonly history: PromptHistory;
  readonly complete: Complete;
  readonly isCommand: (message: string) => boolean;
  readonly actions: PromptActions;
  readonly showKeys: () => void;
  /** The file of the image in the clipboard; undefined when there is none, which has been told. */
  readonly image: () => Promise<string | undefined>;
};

export type PromptActions = {
  readonly update: () => void;
  /** What was sent, as it stays on the screen; `text` may hold folded texts. */
  readonly echo: (text: string) => void;
  readonly notice: (text: string) => void;
  readonly pasted: (text: string) => void;
  readonly stop: (how?: 'background') => void;
  readonly changeMode: () => void;
  readonly suspend: () => void;
  readonly clearScreen: () => void;
  readonly view: () => void;
  readonly edit: (text: string) => Promise<EditResult>;
};

export type PromptState = {
  readonly editor: EditorState;
  readonly queue: readonly string[];
  readonly browsing: Browsing | undefined;
  readonly search: Search | undefined;
  readonly before: 'ctrl+c' | 'ctrl+x' | 'escape' | undefined;
  /** Takes the next message; undefined while something runs. */
  readonly resolve: ((message: string | undefined) => void) | undefined;
};

export type PromptModel = PromptOptions & {
  readonly get: () => PromptState;
  readonly set: (change: Partial<PromptState>) => void;
  readonly edit: (editor: EditorState) => void;
  readonly completion: CompletionMenu;
  readonly layout: Layouter;
  readonly columns: () => number;
};

export const show = ({ get, folds }: PromptModel, message: string): EditorState => replaceAll(get().editor, folds.fold(message));

export function deliver({ actions, folds }: PromptModel, folded: string): string {
  actions.echo(folded);
  return folds.expand(folded);
}

export function submit(model: PromptModel): void {
  const { get, set, folds, history, completion, actions } = model;
  const { editor, queue, resolve } = get();
  completion.close();
  const message = folds.expand(editor.text);
  set({ editor: clear(editor), browsing: undefined });
  if (message.trim() === '') return;
  history.add(message);
  if (resolve === undefined && message.trim() === `/${BACKGROUND}`) actions.stop('background');
  else if (resolve === undefined) set({ queue: [...queue, editor.text] });
  else {
    set({ resolve: undefined });
    resolve(deliver(model, editor.text));
  }
}

export function send({ get, set, actions }: PromptModel, command: string): void {
  const { resolve } = get();
  if (resolve === undefined) return;
  set({ resolve: undefined });
  actions.echo(command);
  resolve(command);
}

export function leave({ get, set }: PromptModel): void {
  const { resolve } = get();
  set({ resolve: undefined });
  resolve?.(undefined);
}

/** Ctrl-C: stops what runs and drops what waits; at the prompt it clears what is typed, and leaves when pressed again. */
export function interrupt(model: PromptModel, wasArmed: boolean): void {
  const { get, set, actions, completion, history, folds } = model;
  const { editor, queue, resolve } = get();
  completion.close();
  if (resolve === undefined) {
    actions.stop();
    if (queue.length === 0) return;
    set({ queue: [] });
    actions.notice(
      localize({
        en: `${pluralize(queue.length, 'queued message')} dropped. Press Up to bring back what you typed.`,
        zh: `已丢弃 ${queue.length} 条排队的消息。按上键可取回输入的内容。`,
      }),
    );
  } else if (wasArmed) leave(model);
  else {
    if (editor.text.trim() !== '') history.keep(folds.expand(editor.text));
    set({ editor: clear(editor), browsing: undefined, before: 'ctrl+c' });
    actions.notice(localize({ en: 'Press Ctrl-C again to exit.', zh: '再按一次 Ctrl-C 退出。' }));
  }
}

type PromptHistory = {
  readonly newestFirst: () => readonly string[];
  readonly add: (message: string) => void;
  readonly keep: (draft: string) => void;
};

export function createPromptHistory({ history }: Pick<ReplIo, 'history'>): PromptHistory {
  let messages: readonly string[] | undefined;
  const newestFirst = (): readonly string[] => {
    messages ??= history.load().toReversed();
    return messages;
  };
  const keep = (message: string): void => {
    messages = [message, ...newestFirst()];
  };
  return {
    newestFirst,
    keep,
    add: (message) => {
      keep(message);
      history.save(message);
    },
  };
}

export const attached = (path: string): string => `@${/[\s"]/.test(path) ? `"${path}"` : path} `;

/** What a terminal pastes for an image that is dropped on it, as an attachment: its full path, plain, quoted, with backslashes, or as an address. */
export function droppedImage(pasted: string): string | undefined {
  const text = pasted.trim().replace(/^'([^'\n]*)'$|^"([^"\n]*)"$/, '$1$2');
  const address = /^file:\/\/(?:localhost)?(\/\S+)$/.exec(text)?.[1];
  const path = address === undefined ? text.replace(/\\(.)/g, '$1') : (orUndefined(() => decodeURIComponent(address)) ?? '');
  return /^\/[^\n"]{1,1000}\.(?:png|jpe?g|gif|webp)$/i.test(path) ? attached(path) : undefined;
}
