import { localize } from '../../domain/language.ts';
import type { PermissionRequest } from '../../domain/permission.ts';
import { createTurns } from '../../domain/value/turns.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import { completeLine } from '../input/complete-line.ts';
import { CTRL_C } from '../input/keys.ts';
import { askToAllow, permissionView } from '../input/permission-prompt.ts';
import type { PlanChoice, PlanDialog } from '../input/plan-prompt.ts';
import { createQuestions, decideYesNo, NO_ANSWER, otherText, personChoices, type Questions } from '../input/questions.ts';
import { createStage, type Stage } from '../live/stage.ts';
import { createViewer } from '../live/viewer.ts';
import { createPrompt, type Prompt } from '../prompt/prompt.ts';
import { createPromptHistory } from '../prompt/prompt-model.ts';
import { type EditResult, parseCommand } from '../slash/command.ts';
import { keysText } from '../slash/help-text.ts';
import { argumentChoices } from '../slash/slash-commands.ts';
import { safeLine } from '../text/safe-text.ts';
import { createForegroundTask, type ForegroundTask, runLoop } from './repl-loop.ts';
import { replText } from './session-text.ts';
import type { Repl, ReplIo } from './types.ts';

/** A question has the keys first, and what does not answer it goes to the editor. */
export function terminalRepl(io: ReplIo): Repl {
  const end = (): void => {
    prompt.close();
    foreground.stop();
  };
  const stage = createStage(io, end);
  const { screen, status, keyboard, details, ring } = stage;
  const { update } = stage.area;
  const foreground = createForegroundTask(stage.busy.setStoppable);
  let chat: ChatPort | undefined;
  const prompt = createPromptOn(stage, io, { foreground, chat: () => chat, view: () => viewer.toggle() });
  const viewer = createViewer({
    ...{ list: details.list, update, read: keyboard.read, keep: prompt.read },
    textOf: (detail) =>
      detail.kind === 'thinking'
        ? detail.text
        : (detail.diff ?? (detail.isLive?.() === true ? chat?.turn.printed() : chat?.turn.output(detail.toolUseId))),
    tellNothing: () => screen.line(replText.nothingToView(), 'notice'),
  });
  const questions = createQuestions({
    ...{ keyboard, keep: prompt.read, isTyping: prompt.isTyping, update },
    call: () => {
      viewer.close();
      ring();
    },
  });
  const about = createAbout(stage);
  stage.setParts(() => ({ prompt: prompt.view, question: questions.open(), about: about.rows, viewer: viewer.view }));

  return {
    onEvent: (event) => {
      status.onEvent(event);
      stage.running.onEvent(event);
      screen.onEvent(event);
      details.onEvent(event);
      if (event.type === 'turn_ended') ring();
    },
    ...createAsking({ screen, stop: foreground.stop, edit: (text) => stage.lend(() => io.edit(text)) }, questions, about),
    run: (opened) => {
      chat = opened;
      return runAt(stage, io, { chat: opened, prompt, questions, foreground });
    },
    interrupt: () => keyboard.press(CTRL_C),
    end,
    restore: stage.restore,
  };
}

type RunParts = {
  readonly chat: ChatPort;
  readonly prompt: Prompt;
  readonly questions: Questions;
  readonly foreground: ForegroundTask;
};

async function runAt(stage: Stage, io: ReplIo, { chat, prompt, questions, foreground }: RunParts): Promise<number> {
  const { screen, status, keyboard, area, columns, markdown } = stage;
  status.follow(chat);
  stage.running.follow(chat.turn);
  await keyboard.start();
  if (io.colour)
    keyboard.askBackground((answer) => {
      io.theme.takeBackground(answer);
      area.update();
    });
  area.show();
  io.output.on('resize', area.resized);
  const release = keyboard.read((event) => {
    // Whoever types will see an answer soon.
    void markdown.load();
    prompt.read(event);
  });
  const next = async (): Promise<string | undefined> => {
    status.renew();
    const message = await prompt.next();
    await markdown.load();
    return message;
  };
  const edit = (text: string): Promise<EditResult> => stage.lend(() => io.edit(text));
  const { prefill, nextQueued } = prompt;
  if (io.first !== undefined) prompt.enqueue(io.first);
  try {
    return await runLoop(io, chat, { screen, foreground, questions, columns, next, edit, prefill, nextQueued });
  } finally {
    io.output.off('resize', area.resized);
    release();
    stage.restore();
  }
}

type PromptParts = {
  readonly foreground: ForegroundTask;
  readonly chat: () => ChatPort | undefined;
  readonly view: () => void;
};

function createPromptOn(
  { area, columns, screen, status, folds, echo, lend }: Stage,
  io: ReplIo,
  { foreground, chat, view }: PromptParts,
): Prompt {
  const notice = (text: string): void => screen.line(text, 'notice');
  const { update, clearScreen } = area;
  const prompt = createPrompt({
    folds,
    history: createPromptHistory(io),
    complete: (before) => {
      const opened = chat();
      return completeLine(before, {
        own: opened === undefined ? [] : [...opened.skills.commands(), ...opened.skills.list()],
        files: async (typed) => opened?.turn.findPaths(typed) ?? [],
        arguments: async (command) => (opened === undefined ? [] : argumentChoices(command, opened, io.now())),
      });
    },
    isCommand: (message) => parseCommand(message) !== undefined,
    showKeys: () => screen.block(keysText(columns())),
    image: async () => {
      const image = await io.clipboardImage();
      if ('path' in image) return image.path;
      notice(image.why);
      return undefined;
    },
    actions: {
      ...{ update, clearScreen, echo, notice, view },
      stop: (how) => {
        const why = how === 'background' ? chat()?.turn.toBackground() : undefined;
        if (why !== undefined) notice(replText.notInBackground(safeLine(localize(why))));
        if (how === undefined && foreground.stop() === 'still_stopping') notice(replText.stillStopping());
      },
      changeMode: () => {
        chat()?.permissions.nextMode();
        status.renew();
        update();
      },
      pasted: async (text) => {
        // What fails here is told when the message is sent.
        const isLong = await chat()
          ?.turn.becomesFile(text)
          .catch(() => false);
        if (isLong === true) notice(replText.longPaste());
      },
      suspend: () => void lend(io.suspend),
      edit: (text) => lend(() => io.edit(text)),
    },
  });
  return prompt;
}

type About = ReturnType<typeof createAbout>;

const ROWS_BESIDE = 12;

/**
 * Above the question in the live area. Of the difference of an edit what has room stands there, and Ctrl-O shows it whole; all else that does
 * not fit is printed, so that nothing that is allowed is out of sight.
 */
function createAbout({ screen, columns, rows, markdown, details }: Stage) {
  let request: PermissionRequest | undefined;
  const draw = (about: PermissionRequest, width: number) =>
    permissionView(about, { paint: screen.paint, columns: width, codeParts: markdown.codeParts() }, rows() - ROWS_BESIDE);
  return {
    show: (asked: PermissionRequest) => {
      const { rows: drawn, isCut } = draw(asked, columns() - 1);
      const isWhole = !isCut && drawn.length + ROWS_BESIDE <= rows();
      if (isWhole || isCut) request = asked;
      else screen.apart(`${drawn.join('\n')}\n`);
      details.ask(isCut ? asked : undefined);
      const close = (): void => {
        request = undefined;
        details.ask(undefined);
      };
      return { isWhole, close };
    },
    rows: (width: number): readonly string[] => (request === undefined ? [] : [...draw(request, width).rows, '']),
  };
}

function createAsking(
  { screen, stop, edit }: Pick<Stage, 'screen'> & { readonly stop: () => void; readonly edit: ReplIo['edit'] },
  questions: Questions,
  about: About,
): Pick<Repl, 'askPermission' | 'confirm' | 'askPerson' | 'askPlan'> {
  const inTurn = createTurns();
  return {
    askPermission: (request, signal) =>
      inTurn(async () => {
        screen.settle();
        const { isWhole, close } = about.show(request);
        try {
          return await askToAllow(request, { ...questions, isWhole, stop }, signal);
        } finally {
          close();
        }
      }, signal),
    askPerson: (question, signal) =>
      inTurn(async () => {
        screen.settle();
        const answer = await questions.decide(safeLine(question.question), personChoices(question), signal, { left: NO_ANSWER });
        if (answer.kind !== 'typed') return answer;
        const text = (await questions.type(otherText(), signal))?.trim() ?? '';
        return text === '' ? NO_ANSWER : { kind: 'typed', text };
      }, signal),
    askPlan: (question, signal) =>
      inTurn(async () => {
        const choose: PlanDialog['choose'] = async (message, choices) => {
          const answer = await questions.decide<PlanChoice | 'stop'>(message, choices, signal, { left: 'stop' });
          if (answer === 'stop') stop();
          return answer === 'stop' ? 'no' : answer;
        };
        const type = (message: string) => questions.type(message, signal);
        const { askToAccept, planShownOn } = await import('../input/plan-prompt.ts');
        return askToAccept(question, { ...planShownOn(screen), choose, type, edit });
      }, signal),
    confirm: (question, signal) =>
      inTurn(async () => {
        screen.settle();
        return decideYesNo(questions, safeLine(question), { signal });
      }, signal),
  };
}
