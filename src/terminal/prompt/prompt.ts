/**
 * The prompt: where messages are written at any time, with what an editor alone does not have: earlier messages, a menu of what could be
 * meant, and a queue of messages that wait while something runs.
 *
 * Keys and pastes come in. Messages go out, each once and as it was meant: a folded text as its text. What a key does inside the text is
 * decided in `editor/`, what it does beyond it in `prompt-keys.ts`; what is drawn is data made in `prompt-view.ts`.
 *
 * It draws nothing itself and knows no terminal: suspending, clearing the window and the like are actions that it is given.
 */

import { type EditorState, emptyEditor, insert } from '../editor/editor.ts';
import { createLayouter } from '../editor/layout.ts';
import type { KeyReader } from '../input/keyboard.ts';
import { type KeyEvent, splitKeys } from '../input/keys.ts';
import { createCompletion } from './completion.ts';
import { pressKey } from './prompt-keys.ts';
import { deliver, droppedImage, leave, type PromptModel, type PromptOptions, type PromptState, show } from './prompt-model.ts';
import type { PromptView } from './prompt-view.ts';

export type Prompt = ReturnType<typeof createPrompt>;

const noState: PromptState = {
  editor: emptyEditor,
  queue: [],
  browsing: undefined,
  search: undefined,
  before: undefined,
  resolve: undefined,
};

export function createPrompt(options: PromptOptions) {
  let columns = 80;
  let isClosed = false;
  const model = createModel(options, () => columns);
  const { get, set } = model;
  const { folds } = options;
  return {
    read: createReader(model),
    /** The next message: one that waits, else one from now on; undefined when the person leaves. */
    next: async (): Promise<string | undefined> => {
      const [first, ...queue] = get().queue;
      if (isClosed) return undefined;
      if (first === undefined) return new Promise((resolve) => set({ resolve }));
      set({ queue });
      return deliver(model, first);
    },
    /** The oldest message that waits, given out once; undefined when none does, or a command is the next. */
    nextQueued: (): string | undefined => {
      const [first, ...queue] = get().queue;
      if (first === undefined || options.isCommand(options.folds.expand(first))) return undefined;
      set({ queue });
      return deliver(model, first);
    },
    enqueue: (message: string): void => {
      options.history.add(message);
      set({ queue: [...get().queue, folds.fold(message)] });
    },
    prefill: (text: string): void => {
      const typed = get().editor.text;
      set({ editor: show(model, typed === '' ? text : `${text}\n${folds.expand(typed)}`) });
    },
    isTyping: (): boolean => get().editor.text !== '',
    view: (size: { readonly columns: number }): PromptView => {
      columns = size.columns;
      return viewOf(model);
    },
    close: (): void => {
      isClosed = true;
      leave(model);
    },
  };
}

function createModel(options: PromptOptions, columns: () => number): PromptModel {
  let state = noState;
  const { actions, complete, folds } = options;
  const get = (): PromptState => state;
  const set = (change: Partial<PromptState>): void => {
    state = { ...state, ...change };
    actions.update();
  };
  const completion = createCompletion({
    complete,
    current: () => state.editor,
    apply: (editor) => set({ editor }),
    update: actions.update,
  });
  const edit = (editor: EditorState): void => {
    const isChange = editor.text !== state.editor.text;
    set({ editor, ...(isChange ? { browsing: undefined } : {}) });
    if (isChange) completion.refresh();
    else completion.close();
  };
  return { ...options, get, set, edit, completion, layout: createLayouter(folds.label), columns };
}

/** What comes behind a Tab waits until it is known what Tab takes, unless it is Esc or Ctrl-C. */
function createReader(model: PromptModel): KeyReader {
  let held: KeyEvent[] | undefined;
  const release = (waiting: KeyEvent[]): void => {
    if (held !== waiting) return;
    held = undefined;
    for (const event of waiting) read(event);
  };
  const read: KeyReader = (event) => {
    if (held !== undefined) {
      held.push(event);
      if (event.type === 'paste' || !/[\u001b\u0003]/.test(event.text)) return;
      model.completion.close();
      release(held);
    } else if (event.type === 'paste') {
      model.set({ search: undefined, before: undefined });
      model.edit(insert(model.get().editor, droppedImage(event.text) ?? model.folds.fold(event.text)));
      model.actions.pasted(event.text);
    } else {
      const rest = pressKeys(model, event.text);
      const taking = model.completion.taking();
      if (taking === undefined) return;
      const waiting: KeyEvent[] = rest === '' ? [] : [{ type: 'keys', text: rest }];
      held = waiting;
      void taking.then(() => release(waiting));
    }
  };
  return read;
}

/** Where something runs Esc stops it, also with the next key in the same read; else the two are Alt. Returns what waits for a Tab. */
function pressKeys(model: PromptModel, text: string): string {
  const keys = splitKeys(text);
  for (const [at, key] of keys.entries()) {
    const parts = model.get().resolve === undefined && /^\u001b[^\r\u007f]$/u.test(key) ? ['\u001b', key.slice(1)] : [key];
    for (const part of parts) pressKey(model, part);
    if (model.completion.taking() !== undefined) return keys.slice(at + 1).join('');
  }
  return '';
}

function viewOf({ get, folds, history, layout, columns, completion }: PromptModel): PromptView {
  const { search, editor, queue, resolve } = get();
  const found = search?.index === undefined ? undefined : history.newestFirst()[search.index];
  const shown = found === undefined ? editor : { text: folds.fold(found), cursor: 0 };
  return {
    layout: layout(shown, columns()),
    isEmpty: shown.text === '',
    isAwaited: resolve !== undefined,
    queue,
    search: search?.query,
    menu: completion.view(),
  };
}
