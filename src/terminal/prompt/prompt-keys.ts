import { localize } from '../../domain/language.ts';
import { applyKey } from '../editor/apply-key.ts';
import { type EditorState, insert, moveTo, replaceAll, type } from '../editor/editor.ts';
import { isFold } from '../editor/folds.ts';
import { beginSearch, earlierMessage, laterMessage, type Search, searchFor, searchOlder } from '../editor/history-search.ts';
import { type LabelOf, type Layouter, offsetAt } from '../editor/layout.ts';
import { keyName, typedText } from '../input/key-name.ts';
import { attached, interrupt, leave, type PromptModel, send, show, submit } from './prompt-model.ts';

export function pressKey(model: PromptModel, key: string): void {
  const { get, set } = model;
  const name = keyName(key);
  const { before, search, editor } = get();
  if (before !== undefined) set({ before: undefined });
  if (search !== undefined && searches(model, search, { name, key })) return;
  const command = name === undefined ? undefined : commands.get(name);
  if (name === 'escape' && before === 'escape') escapeTwice(model);
  else if (name === 'ctrl+c') interrupt(model, before === 'ctrl+c');
  else if (name === 'ctrl+e' && before === 'ctrl+x') void openEditor(model);
  else if (name === 'ctrl+d' && editor.text === '') leaveByKey(model);
  else if (name === 'ctrl+b' && editor.text === '') model.actions.stop('background');
  else if (command !== undefined) command(model);
  else changeText(model, { name, key });
}

type Key = { readonly name: string | undefined; readonly key: string };

function changeText({ get, edit, folds, showKeys }: PromptModel, { name, key }: Key): void {
  const edited = name === undefined ? undefined : applyKey(get().editor, name);
  const text = edited === undefined ? typedText(name, key) : '';
  if (edited !== undefined) edit(edited);
  else if (/^[?？]$/.test(text) && get().editor.text === '') showKeys();
  else if (text !== '') edit(type(get().editor, isFold(text) ? folds.fold(text) : text.replace(/[\u2028\u2029]/g, ' ')));
}

const LEAVE = '/quit';

/** Where something runs, leaving waits like a message. */
function leaveByKey(model: PromptModel): void {
  const { queue, resolve } = model.get();
  if (resolve === undefined) model.set({ queue: [...queue, LEAVE] });
  else leave(model);
}

type Command = (model: PromptModel) => void;

const enter: Command = (model) => {
  const { get, edit, completion } = model;
  const { editor } = get();
  const { text, cursor } = editor;
  if (text.charAt(cursor - 1) === '\\')
    return edit(insert({ ...editor, text: text.slice(0, cursor - 1) + text.slice(cursor), cursor: cursor - 1 }, '\n'));
  if (!completion.acceptForEnter() || get().editor.text.startsWith('/')) submit(model);
};

const vertical =
  (by: -1 | 1): Command =>
  (model) => {
    const { get, set, completion, layout, columns, folds } = model;
    if (completion.move(by)) return;
    const { editor, browsing } = get();
    // An earlier message that was not touched gives way to the next one, however many rows it has.
    const isPassing = browsing !== undefined && editor.cursor === editor.text.length;
    const moved = isPassing ? undefined : moveRow(editor, by, { layout, columns: columns(), label: folds.label });
    if (moved !== undefined) set({ editor: moved });
    else if (by < 0) goBack(model);
    else goForward(model);
  };

function goBack(model: PromptModel): void {
  const { get, set, history, folds } = model;
  const { editor, queue, browsing } = get();
  const last = queue.at(-1);
  if (editor.text === '' && last !== undefined && browsing === undefined) {
    set({ queue: queue.slice(0, -1), editor: replaceAll(editor, last) });
    return;
  }
  const earlier = earlierMessage(history.newestFirst(), browsing, folds.expand(editor.text));
  if (earlier !== undefined) set({ browsing: earlier, editor: show(model, history.newestFirst()[earlier.index] ?? '') });
}

function goForward(model: PromptModel): void {
  const { get, set, history } = model;
  const { browsing } = get();
  if (browsing === undefined) return;
  const later = laterMessage(history.newestFirst(), browsing);
  const text = later === undefined ? browsing.draft : (history.newestFirst()[later.index] ?? '');
  set({ browsing: later, editor: show(model, text) });
}

async function openEditor(model: PromptModel): Promise<void> {
  const { get, edit, folds, actions } = model;
  const result = await actions.edit(folds.expand(get().editor.text));
  if (result.kind === 'edited') edit(show(model, result.text.replace(/\n$/, '')));
  else actions.notice(result.why);
}

async function pasteImage({ get, edit, image }: PromptModel): Promise<void> {
  const path = await image();
  if (path !== undefined) edit(insert(get().editor, attached(path)));
}

const MAX_OPENED_CHARS = 20_000;

const tooLong = {
  en: 'This text is too long to be shown here. Ctrl-G opens the message in your editor.',
  zh: '文字太长，无法在此显示。Ctrl-G 在编辑器中打开这条消息。',
};

function openFold({ get, edit, folds, actions }: PromptModel): boolean {
  const { editor } = get();
  const { text, cursor } = editor;
  const character = text.slice(Math.max(0, cursor - 2), cursor);
  if (folds.label(character) === undefined) return false;
  const opened = folds.expand(character);
  if (opened.length > MAX_OPENED_CHARS) actions.notice(localize(tooLong));
  else edit(insert({ ...editor, text: text.slice(0, cursor - 2) + text.slice(cursor), cursor: cursor - 2 }, opened));
  return true;
}

const leaveMenuOrStop: Command = ({ get, set, completion, actions }) => {
  if (completion.isOpen()) completion.close();
  else if (get().resolve === undefined) actions.stop();
  else set({ before: 'escape' });
};

const REWIND = '/rewind';

/** Esc twice at the prompt: what is typed goes, and Undo brings it back; where nothing is, one goes back to an earlier message. */
function escapeTwice(model: PromptModel): void {
  const { editor } = model.get();
  if (editor.text === '') send(model, REWIND);
  else model.edit(replaceAll(editor, ''));
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['enter', enter],
  ['up', vertical(-1)],
  ['ctrl+p', vertical(-1)],
  ['down', vertical(1)],
  ['ctrl+n', vertical(1)],
  ['escape', leaveMenuOrStop],
  ['shift+tab', ({ actions }) => actions.changeMode()],
  ['tab', (model) => (openFold(model) ? undefined : model.completion.tab())],
  ['ctrl+r', ({ set }) => set({ search: beginSearch })],
  ['ctrl+x', ({ set }) => set({ before: 'ctrl+x' })],
  ['ctrl+v', (model) => void pasteImage(model)],
  ['ctrl+g', (model) => void openEditor(model)],
  ['ctrl+o', ({ actions }) => actions.view()],
  ['ctrl+l', ({ actions }) => actions.clearScreen()],
  ['ctrl+z', ({ actions }) => actions.suspend()],
]);

/** True when the search took the key; any other one ends it with what it found, and then does its own work. */
function searches(model: PromptModel, search: Search, { name, key }: Key): boolean {
  const { set, history } = model;
  const messages = history.newestFirst();
  const typed = typedText(name, key);
  if (name === 'ctrl+r') set({ search: searchOlder(messages, search) });
  else if (name === 'backspace') set({ search: searchFor(messages, [...search.query].slice(0, -1).join('')) });
  else if (typed !== '') set({ search: searchFor(messages, search.query + typed, search.index ?? 0) });
  else if (name === 'escape' || name === 'ctrl+g' || name === 'ctrl+c') set({ search: undefined });
  else {
    const found = search.index === undefined ? {} : { editor: show(model, messages[search.index] ?? '') };
    set({ search: undefined, ...found });
    return name === 'enter';
  }
  return true;
}

/** One row up or down, in the column where the motion began; undefined where there is no such row. */
function moveRow(
  state: EditorState,
  by: -1 | 1,
  { layout, columns, label }: { readonly layout: Layouter; readonly columns: number; readonly label: LabelOf },
): EditorState | undefined {
  const { rows, row, column } = layout(state, columns);
  const target = rows[row + by];
  if (target === undefined) return undefined;
  const goalColumn = state.goalColumn ?? column;
  const offset = offsetAt(state.text, target, goalColumn, { labelOf: label, width: columns });
  // The end of a row that goes on is the beginning of the next.
  const next = rows[row + by + 1];
  const last = next !== undefined && next.start === target.end && offset === target.end ? Math.max(target.start, offset - 1) : offset;
  return { ...moveTo(state, last), goalColumn };
}
