/**
 * The editor of a message: many rows, edited anywhere. All of it is pure: a state and a key give the next state, a state and a width
 * give rows to draw. What runs beside it (history, completion, the terminal) stands in `prompt/`.
 *
 * Text is kept as it will be sent, tabs and control characters included; only the rows show signs for them. The cursor always stands
 * between two graphemes. A folded text is one character of a private plane, so that every motion and every deletion takes it whole.
 *
 * It is our own because none of the libraries that were tried keeps a text as it was pasted, and a line of 20,000 characters took the
 * best of them a second of CPU for each key (@mariozechner/pi-tui 0.73.1, Node 20.20); Node's own line editor cannot edit rows at all,
 * and puts several characters of one read in the wrong places.
 */

export type EditorState = {
  readonly text: string;
  /** In UTF-16 units, between two graphemes. */
  readonly cursor: number;
  /** Earlier states, oldest first, and those that Undo has left. */
  readonly past: readonly Snapshot[];
  readonly future: readonly Snapshot[];
  readonly killed: readonly string[];
  /** Letters of one word are undone together, cuts in a row are one cut, and only a yank can be cycled. */
  readonly lastAction: 'word' | 'blank' | 'kill' | 'yank' | 'delete' | 'other';
  readonly goalColumn: number | undefined;
  readonly yankedLength: number;
};

type Snapshot = { readonly text: string; readonly cursor: number };

export const emptyEditor: EditorState = {
  text: '',
  cursor: 0,
  past: [],
  future: [],
  killed: [],
  lastAction: 'other',
  goalColumn: undefined,
  yankedLength: 0,
};

const MAX_UNDO = 200;
const MAX_KILLS = 20;

/** An edit that Undo takes back; consecutive ones of one `action` are taken back together where they belong together. */
export function edit(state: EditorState, next: Snapshot, action: EditorState['lastAction'] = 'other'): EditorState {
  if (next.text === state.text) return { ...state, cursor: next.cursor, goalColumn: undefined, lastAction: 'other' };
  const last = state.lastAction;
  const continues = (action === 'word' && (last === 'word' || last === 'blank')) || (action === 'delete' && last === 'delete');
  const past = continues ? state.past : [...state.past, { text: state.text, cursor: state.cursor }].slice(-MAX_UNDO);
  return { ...state, ...next, past, future: [], lastAction: action, goalColumn: undefined };
}

export function insert(state: EditorState, text: string, action: EditorState['lastAction'] = 'other'): EditorState {
  const { text: before, cursor } = state;
  return edit(state, { text: before.slice(0, cursor) + text + before.slice(cursor), cursor: cursor + text.length }, action);
}

/** One key's text: letters of a word go together, a blank begins the next thing to undo. */
export const type = (state: EditorState, text: string): EditorState => insert(state, text, /^\s/.test(text) ? 'blank' : 'word');

export const moveTo = (state: EditorState, cursor: number): EditorState => ({
  ...state,
  cursor,
  lastAction: 'other',
  goalColumn: undefined,
});

export const replaceAll = (state: EditorState, text: string): EditorState => edit(state, { text, cursor: text.length });

export const clear = (state: EditorState): EditorState => ({ ...emptyEditor, killed: state.killed });

export function erase(state: EditorState, from: number, to: number): EditorState {
  return edit(state, { text: state.text.slice(0, from) + state.text.slice(to), cursor: from }, 'delete');
}

export function kill(state: EditorState, from: number, to: number): EditorState {
  if (from >= to) return moveTo(state, state.cursor);
  const cut = state.text.slice(from, to);
  const last = state.lastAction === 'kill' ? state.killed.at(-1) : undefined;
  const joined = last === undefined ? cut : from < state.cursor ? cut + last : last + cut;
  const killed = [...(last === undefined ? state.killed : state.killed.slice(0, -1)), joined].slice(-MAX_KILLS);
  return { ...edit(state, { text: state.text.slice(0, from) + state.text.slice(to), cursor: from }), killed, lastAction: 'kill' };
}

export function yank(state: EditorState): EditorState {
  const text = state.killed.at(-1);
  return text === undefined ? state : { ...insert(state, text, 'yank'), yankedLength: text.length };
}

export function yankEarlier(state: EditorState): EditorState {
  const newest = state.killed.at(-1);
  if (state.lastAction !== 'yank' || newest === undefined || state.killed.length < 2) return state;
  const killed = [newest, ...state.killed.slice(0, -1)];
  const start = state.cursor - state.yankedLength;
  const without = { ...state, killed, text: state.text.slice(0, start) + state.text.slice(state.cursor), cursor: start };
  const next = yank(without);
  return { ...next, past: state.past };
}

export const undo = (state: EditorState): EditorState => travel(state, 'past', 'future');
export const redo = (state: EditorState): EditorState => travel(state, 'future', 'past');

function travel(state: EditorState, from: 'past' | 'future', to: 'past' | 'future'): EditorState {
  const { text, cursor } = state;
  const next = state[from].at(-1);
  if (next === undefined) return state;
  const moved = { [from]: state[from].slice(0, -1), [to]: [...state[to], { text, cursor }] };
  return { ...state, ...next, ...moved, lastAction: 'other', goalColumn: undefined };
}
