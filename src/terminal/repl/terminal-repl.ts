import type { ChatPort } from '../chat/chat-port.ts';
import type { TurnPort } from '../chat/turn-port.ts';
import { completeLine, type LineCompletion } from '../input/complete-line.ts';
import { noText, yesText } from '../input/input-text.ts';
import type { KeyReader } from '../input/keyboard.ts';
import { CTRL_C } from '../input/keys.ts';
import { askToAllow, permissionText } from '../input/permission-prompt.ts';
import { NO_ANSWER, otherText, personChoices } from '../input/person-question.ts';
import { createQuestions, NO, type Questions, YES } from '../input/questions.ts';
import { viewerText } from '../live/live-text.ts';
import { createStage, type Stage } from '../live/stage.ts';
import { createViewer, type Viewer } from '../live/viewer.ts';
import { createPrompt, type Prompt } from '../prompt/prompt.ts';
import { createPromptHistory } from '../prompt/prompt-model.ts';
import { parseCommand } from '../slash/command.ts';
import { argumentChoices } from '../slash/slash-commands.ts';
import { safeLine } from '../text/safe-text.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createForegroundTask, type ForegroundTask, runLoop } from './repl-loop.ts';
import { replText } from './session-text.ts';
import type { Repl, ReplIo } from './types.ts';

/**
 * The REPL on a real terminal: finished text above, the live area at the bottom, and one editor that takes what is typed at any time. A
 * question has the keys first, and what does not answer it goes to the editor.
 */
export function terminalRepl(io: ReplIo): Repl {
  const end = (): void => {
    prompt.close();
    foreground.stop();
  };
  const stage = createStage(io, end);
  const { screen, status, keyboard, area, details } = stage;
  const foreground = createForegroundTask(stage.busy.setStoppable);
  let chat: ChatPort | undefined;
  const prompt = createPromptOn(stage, io, {
    stop: () => {
      if (foreground.stop() === 'still_stopping') screen.line(replText.stillStopping(), 'notice');
    },
    completion: () => ({
      own: chat === undefined ? [] : [...chat.skills.commands(), ...chat.skills.list()],
      files: async (typed) => chat?.turn.findPaths(typed) ?? [],
      arguments: async (command) => (chat === undefined ? [] : argumentChoices(command, chat, io.now())),
    }),
    changeMode: () => {
      const mode = chat?.permissions.nextMode();
      if (mode !== undefined && prompt.isBusy()) screen.line(replText.mode(mode), 'notice');
      status.renew();
      update();
    },
    view: () => viewer.toggle(),
    pasted: async (text) => {
      // What fails here is told when the message is sent.
      const isLong = await chat?.turn.becomesFile(text).catch(() => false);
      if (isLong === true) screen.line(replText.longPaste(), 'notice');
    },
  });
  const { update } = area;
  const viewer = createViewerOn(stage, prompt, (toolUseId) => chat?.turn.output(toolUseId));
  const call = (): void => callPerson(stage, viewer);
  const questions = createQuestions({ keyboard, keep: prompt.read, isTyping: prompt.isTyping, update, call });
  stage.setParts(() => ({ prompt: prompt.view, question: questions.open(), viewer: viewer.view }));

  return {
    onEvent: (event) => {
      status.onEvent(event);
      screen.onEvent(event);
      details.onEvent(event);
      if (event.type === 'turn_ended') stage.ring();
    },
    ...createAsking(stage, questions),
    run: (opened) => {
      chat = opened;
      return runAt(stage, io, { chat: opened, prompt, questions, foreground });
    },
    interrupt: () => keyboard.press(CTRL_C),
    end,
    restore: stage.restore,
  };
}

/** A question has come up: it is seen, and heard where nobody looks. */
function callPerson({ ring }: Stage, { close }: Viewer): void {
  close();
  ring();
}

/** Whoever types will see an answer soon. */
const readAndLoad =
  ({ markdown }: Stage, { read }: Prompt): KeyReader =>
  (event) => {
    void markdown.load();
    read(event);
  };

async function nextMessage({ status, markdown }: Stage, { next }: Prompt): Promise<string | undefined> {
  status.renew();
  const message = await next();
  await markdown.load();
  return message;
}

const createViewerOn = ({ area, screen, details, keyboard }: Stage, { read }: Prompt, outputOf: TurnPort['output']): Viewer =>
  createViewer({
    ...{ list: details.list, update: area.update, read: keyboard.read, keep: read },
    textOf: (detail) => (detail.kind === 'thinking' ? detail.text : outputOf(detail.toolUseId)),
    tellNothing: () => screen.line(viewerText.nothing(), 'notice'),
  });

type RunParts = {
  readonly chat: ChatPort;
  readonly prompt: Prompt;
  readonly questions: Questions;
  readonly foreground: ForegroundTask;
};

/** The loop, with the terminal taken before it and given back after it. */
async function runAt(stage: Stage, io: ReplIo, { chat, prompt, questions, foreground }: RunParts): Promise<number> {
  const { screen, status, keyboard, area, columns } = stage;
  status.follow(chat);
  await keyboard.start();
  area.show();
  io.output.on('resize', area.resized);
  const release = keyboard.read(readAndLoad(stage, prompt));
  try {
    return await runLoop(io, chat, {
      screen,
      foreground,
      questions,
      edit: (text) => stage.lend(() => io.edit(text)),
      next: () => nextMessage(stage, prompt),
      nextQueued: prompt.nextQueued,
      prefill: prompt.prefill,
      columns,
    });
  } finally {
    io.output.off('resize', area.resized);
    release();
    stage.restore();
  }
}

type PromptParts = {
  readonly stop: () => void;
  readonly completion: () => LineCompletion;
  readonly view: () => void;
  readonly changeMode: () => void;
  readonly pasted: (text: string) => Promise<void>;
};

const createPromptOn = (
  { area, screen, folds, echo, lend }: Stage,
  io: ReplIo,
  { stop, completion, view, changeMode, pasted }: PromptParts,
): Prompt =>
  createPrompt({
    folds,
    history: createPromptHistory(io),
    complete: (before) => completeLine(before, completion()),
    isCommand: (message) => parseCommand(message) !== undefined,
    actions: {
      update: area.update,
      echo,
      notice: (text) => screen.line(text, 'notice'),
      ...{ stop, view, changeMode },
      pasted: (text) => void pasted(text),
      suspend: () => void lend(io.suspend),
      clearScreen: area.clearScreen,
      edit: (text) => lend(() => io.edit(text)),
    },
  });

/** The questions of a turn, one after the other, each below what it is about. */
function createAsking({ screen, columns }: Stage, questions: Questions): Pick<Repl, 'askPermission' | 'confirm' | 'askPerson'> {
  return {
    askPermission: oneAtATime(async (request, signal) => {
      screen.settle();
      screen.block(permissionText(request, { paint: screen.paint, columns: columns() - 1 }));
      return askToAllow(request, questions, signal);
    }),
    askPerson: oneAtATime(async (question, signal) => {
      screen.settle();
      const answer = await questions.decide(safeLine(question.question), personChoices(question), signal, NO_ANSWER);
      if (answer.kind !== 'typed') return answer;
      const text = await questions.type(otherText(), signal);
      return text === undefined || text.trim() === '' ? NO_ANSWER : { kind: 'typed', text: text.trim() };
    }),
    confirm: oneAtATime(async (question, signal) => {
      screen.settle();
      return questions.decide(safeLine(question), yesOrNo(), signal);
    }),
  };
}

const yesOrNo = () =>
  [
    { name: noText(), value: false, words: NO },
    { name: yesText(), value: true, words: YES },
  ] as const;
