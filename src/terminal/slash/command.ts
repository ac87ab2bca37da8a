import { type Bilingual, localize } from '../../domain/language.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import { nothingChangedText } from '../input/input-text.ts';
import type { Choice } from '../input/prompts.ts';
import { decideYesNo, type Questions } from '../input/questions.ts';
import { areNumbered } from '../input/typed-line.ts';
import type { Screen } from '../screen/screen.ts';
import type { Tone } from '../text/paint.ts';
import type { Theme } from '../text/theme.ts';

export type SlashContext = {
  readonly chat: ChatPort;
  readonly ui: CommandUi;
  readonly loop: LoopControl;
  readonly retentionDays: number;
};

export type CommandUi = {
  readonly screen: Screen;
  /** Undefined where there are no colours. */
  readonly theme: Theme | undefined;
  /** Undefined where there is no terminal to ask at. */
  readonly questions: Questions | undefined;
  readonly columns: () => number;
  readonly now: () => Date;
};

export type LoopControl = {
  /** Runs something that the user can stop with Ctrl-C or Esc; undefined when they no longer wait for it. */
  readonly stoppable: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;
  readonly say: (text: string) => Promise<void>;
  readonly edit: (text: string) => Promise<EditResult>;
  readonly welcome: () => void;
  readonly prefill: (text: string) => void;
  readonly quit: () => void;
};

export type EditResult = { readonly kind: 'edited'; readonly text: string } | { readonly kind: 'failed'; readonly why: string };

export type ArgumentChoice = { readonly text: string; readonly detail: string };

/** All that there is to know of a command: /help, completion and the check for arguments read it. */
export type SlashCommand = {
  readonly name: string;
  readonly argumentHint?: Bilingual;
  readonly example?: Bilingual;
  readonly description: Bilingual;
  /** What can stand behind the name, the likeliest first; none for one whose argument is words of the user's own. */
  readonly choices?: (chat: ChatPort, now: Date) => readonly ArgumentChoice[] | Promise<readonly ArgumentChoice[]>;
  readonly takesFile?: true;
  readonly run: (argument: string, context: SlashContext) => void | Promise<void>;
};

/** A line that begins so is a command; a path such as /etc/hosts is not. A lone slash asks for the list, and "quit" is what it says. */
export function parseCommand(line: string): { readonly name: string; readonly argument: string } | undefined {
  if (line.trim() === '/') return { name: 'help', argument: '' };
  if (/^(?:quit|exit)$/i.test(line.trim())) return { name: 'quit', argument: '' };
  const shell = /^!([\s\S]*)$/.exec(line.trim())?.[1];
  if (shell !== undefined) return { name: SHELL, argument: shell.trim() };
  const remembered = /^#\s+(\S[\s\S]*)$/.exec(line.trim())?.[1];
  if (remembered !== undefined) return { name: 'remember', argument: remembered };
  const match = /^\/([\p{L}\p{N}_-]+)(?:\s+([\s\S]*))?$/u.exec(line.trim());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), argument: (match[2] ?? '').trim() };
}

export const SHELL = '!';
/** Acts at once, also while something runs. */
export const BACKGROUND = 'background';

export const printLine = ({ screen }: CommandUi, tone: Tone, text: Bilingual): void => screen.line(localize(text), tone);

type Selection = {
  readonly choices: readonly Choice<string>[];
  readonly none: Bilingual;
  /** How to name one where there is no terminal to ask at. */
  readonly unasked: Bilingual;
  readonly which: Bilingual;
};

/** One of the choices by asking, in a list that typing narrows; undefined where there is none, or nobody chose one. */
export async function selectOne(ui: CommandUi, { choices, none, unasked, which }: Selection): Promise<string | undefined> {
  if (choices.length === 0) printLine(ui, 'plain', none);
  else if (ui.questions === undefined) printLine(ui, 'bad', unasked);
  else return ui.questions.find(localize(which), areNumbered(choices) ? aligned(choices) : choices);
  return undefined;
}

function aligned(choices: Selection['choices']): Selection['choices'] {
  const most = Math.max(...choices.map(({ name }) => name.indexOf(' ')));
  return choices.map((choice) => ({ ...choice, name: choice.name.replace(/^\d+/, (number) => number.padEnd(most)) }));
}

export const confirmChoice = async ({ questions }: CommandUi, question: string, yes?: string): Promise<boolean> =>
  questions !== undefined && decideYesNo(questions, question, yes === undefined ? {} : { yes });

type Change = { readonly question: Bilingual; readonly yes: Bilingual; readonly unasked: Bilingual };

/** Asks before something is changed; without a terminal to ask at, nothing is, and the command line that does it is named. */
export async function confirmChange(ui: CommandUi, { question, yes, unasked }: Change): Promise<boolean> {
  if (ui.questions === undefined) printLine(ui, 'bad', unasked);
  else if (await confirmChoice(ui, localize(question), localize(yes))) return true;
  else ui.screen.line(nothingChangedText(), 'quiet');
  return false;
}
