import { type EditorState, edit } from '../editor/editor.ts';

export type Completion = {
  readonly items: readonly CompletionItem[];
  /** The end of the text before the cursor that an item replaces. */
  readonly replaced: string;
  /** What was typed may be meant as it is: none is selected until an arrow or Tab says so. */
  readonly isOptional?: boolean;
};

export type CompletionItem = {
  readonly insert: string;
  readonly label: string;
  readonly shortLabel?: string;
  readonly detail: string;
};

/** What can be meant at the cursor; undefined where nothing is completed. Must not reject. */
export type Complete = (beforeCursor: string) => Promise<Completion | undefined>;

/** The menu below the prompt; `selected` is -1 where none is. */
export type MenuView = { readonly items: readonly CompletionItem[]; readonly selected: number };

export type CompletionMenu = ReturnType<typeof createCompletion>;

type CompletionOptions = {
  readonly complete: Complete;
  readonly current: () => EditorState;
  readonly apply: (editor: EditorState) => void;
  readonly update: () => void;
};

/**
 * A menu that opens by itself behind a `/` at the beginning and behind an `@`, and that Tab opens. `refresh` tells that the text has changed;
 * `move` is true when there is a menu to move in; `tab` takes the selected item, or asks for a menu. While it is looked up what Tab takes
 * (`taking`), keys that come are meant for the text with it. `acceptForEnter` takes the selected item where Enter means that, and is true when it
 * changed the text or was what stands there already.
 */
export function createCompletion({ complete, current, apply, update }: CompletionOptions) {
  // `before` is what it was made for: a key that comes before the next one is there finds it out of date.
  let menu: (Completion & { readonly selected: number; readonly before: string }) | undefined;
  let request = 0;
  const taking = createTaking();
  const close = (): void => {
    request += 1;
    taking.forget();
    if (menu === undefined) return;
    menu = undefined;
    update();
  };
  const load = async (onlyOne: 'take' | 'show'): Promise<void> => {
    const mine = ++request;
    const before = beforeCursor(current());
    const found = await complete(before);
    if (mine !== request || before !== beforeCursor(current())) return;
    const [first, second] = found?.items ?? [];
    if (found === undefined || first === undefined) return close();
    if (second === undefined && (onlyOne === 'take' || found.replaced === first.insert.trimEnd())) {
      menu = undefined;
      return onlyOne === 'take' ? take(first, found.replaced) : update();
    }
    menu = { ...found, before, selected: found.isOptional === true ? NONE : 0 };
    update();
  };
  const take = (item: CompletionItem, replaced: string): void => apply(withItem(current(), item, replaced));
  const takeSelected = (): string | undefined => {
    const item = menu?.items[menu.selected];
    if (menu === undefined || item === undefined || menu.before !== beforeCursor(current())) return undefined;
    const { replaced } = menu;
    close();
    take(item, replaced);
    return item.insert;
  };
  return {
    refresh: (): void => {
      if (opensByItself(beforeCursor(current()))) void load('show');
      else close();
    },
    close,
    isOpen: (): boolean => menu !== undefined,
    move: (by: number): boolean => {
      if (menu === undefined) return false;
      menu = { ...menu, selected: moved(menu, by) };
      update();
      return true;
    },
    tab: (): void => {
      if (menu?.selected === NONE) menu = { ...menu, selected: 0 };
      const taken = takeSelected();
      // A folder's name is the beginning of what is in it, and a command's of what can stand behind it.
      if (taken === undefined) taking.follow(load('take'));
      else if (/[/ ]$/.test(taken)) void load('show');
    },
    taking: taking.current,
    acceptForEnter: (): boolean => menu !== undefined && takeSelected() !== undefined,
    view: (): MenuView | undefined => menu,
  };
}

function createTaking() {
  let current: Promise<void> | undefined;
  return {
    current: (): Promise<void> | undefined => current,
    forget: (): void => {
      current = undefined;
    },
    follow: (loading: Promise<void>): void => {
      const mine = loading.finally(() => {
        if (current === mine) current = undefined;
      });
      current = mine;
    },
  };
}

const NONE = -1;

const moved = ({ selected, items }: MenuView, by: number): number =>
  selected === NONE && by < 0 ? items.length - 1 : (selected + by + items.length) % items.length;

function withItem(state: EditorState, { insert }: CompletionItem, replaced: string): EditorState {
  const start = state.cursor - replaced.length;
  return edit(state, { text: state.text.slice(0, start) + insert + state.text.slice(state.cursor), cursor: start + insert.length });
}

const beforeCursor = ({ text, cursor }: EditorState): string => text.slice(0, cursor);

const opensByItself = (before: string): boolean => /^\/\S*(?: [^\n]*)?$/.test(before) || /(?:^|\s)@(?:"[^"\n]*|\S*)$/.test(before);
