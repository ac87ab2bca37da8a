import { AbortedError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { createTurns } from '../../domain/value/turns.ts';
import { answerOf, yesNoTip } from '../input/input-text.ts';
import { answerLine, createLineQuestions } from '../input/line-questions.ts';
import { askToAllow, permissionRows } from '../input/permission-prompt.ts';
import type { PlanChoice, PlanDialog } from '../input/plan-prompt.ts';
import { lineAnswer, type Questions, questionText } from '../input/questions.ts';
import { guardOutput, type OutputWriter } from '../screen/output.ts';
import { createScreen, type Screen } from '../screen/screen.ts';
import { noSpinner } from '../screen/spinner.ts';
import { createPaint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { createLineSource, type LineSource } from './line-source.ts';
import { createForegroundTask, runLoop } from './repl-loop.ts';
import { replText } from './session-text.ts';
import type { Repl, ReplIo } from './types.ts';

/** At a dumb terminal a question is a line too; elsewhere nobody can be asked, so what would ask is not allowed. */
export function plainRepl(io: ReplIo): Repl {
  const source = createLineSource(io.input);
  const foreground = createForegroundTask();
  const end = (): void => {
    source.stop();
    foreground.stop();
  };
  const output = guardOutput(io.output, end);
  const isAtTerminal = io.input.isTTY === true && io.output.isTTY === true;
  const columns = (): number => io.output.columns || COLUMNS_WITHOUT_TERMINAL;
  // A row that fills the last column is followed by an empty one on some terminals.
  const drawn = io.output.isTTY ? { columns: () => columns() - 1 } : {};
  const screen = createScreen({ output, paint: createPaint(io.colour), spinner: noSpinner, ...drawn });
  const asking = { screen, isAtTerminal, columns, askLine: lineAsker(source, output, screen) };
  const questions = createLineQuestions({ ...asking, show: screen.block });
  let exitArmed = false;
  let { first } = io;

  const next = async (): Promise<string | undefined> => {
    if (io.output.isTTY) output.write('> ');
    const message = first ?? (await source.next());
    if (first !== undefined && io.output.isTTY) output.write(`${safeLine(first)}\n`);
    first = undefined;
    if (message === undefined && io.output.isTTY) output.write('\n');
    exitArmed = false;
    if (message !== undefined) io.history.save(message);
    return message;
  };

  const prefill = (text: string): void => screen.block(`${replText.typedEarlier(text)}\n`);

  return {
    onEvent: screen.onEvent,
    ...createLineAsking(asking, questions, io.edit),
    run: (chat) =>
      runLoop(io, chat, { screen, foreground, questions: isAtTerminal ? questions : undefined, edit: io.edit, next, prefill, columns }),
    interrupt: () => {
      if (foreground.stop() !== 'idle') return;
      if (exitArmed || !isAtTerminal) source.stop();
      else {
        exitArmed = true;
        output.write(`\n${replText.pressAgain()}\n> `);
      }
    },
    end,
    restore: () => source.stop(),
  };
}

type AskLine = (question: string, signal: AbortSignal) => Promise<string | undefined>;
type LineAsking = {
  readonly screen: Screen;
  readonly isAtTerminal: boolean;
  readonly columns: () => number;
  readonly askLine: AskLine;
};

const lineAsker =
  (source: LineSource, output: OutputWriter, screen: Screen): AskLine =>
  async (question, signal) => {
    screen.settle();
    const release = screen.hold();
    try {
      output.write(`${question} `);
      const line = await source.answer(signal);
      if (line === undefined) output.write('\n');
      if (signal.aborted) throw new AbortedError('Interrupted');
      return line;
    } finally {
      release();
    }
  };

function createLineAsking(
  { screen, isAtTerminal, columns, askLine }: LineAsking,
  questions: Questions,
  edit: ReplIo['edit'],
): Pick<Repl, 'askPermission' | 'askPerson' | 'askPlan' | 'confirm'> {
  const inTurn = createTurns();
  return {
    askPermission: (request, signal) =>
      inTurn(async () => {
        if (isAtTerminal) {
          screen.settle();
          screen.apart(`${permissionRows(request, { paint: screen.paint, columns: columns() }).join('\n')}\n\n`);
          return askToAllow(request, { ...questions, isWhole: true, stop: () => undefined }, signal);
        }
        screen.line(replText.nobodyToAsk(request.title), 'notice');
        return 'nobody';
      }, signal),
    askPerson: (question, signal) =>
      inTurn(async () => {
        if (!isAtTerminal) return { kind: 'nobody' };
        screen.block(questionText(question));
        return lineAnswer((await askLine(answerLine(), signal)) ?? '', question);
      }, signal),
    askPlan: (question, signal) =>
      inTurn(async () => {
        if (!isAtTerminal) return { kind: 'nobody' };
        const { askToAccept, planShownOn } = await import('../input/plan-prompt.ts');
        const choose: PlanDialog['choose'] = (message, choices) =>
          questions.decide<PlanChoice>(message, choices, signal, { typed: (why) => ({ why }) });
        return askToAccept(question, { ...planShownOn(screen), choose, type: (message) => askLine(message, signal), edit });
      }, signal),
    confirm: (question, signal) =>
      inTurn(async () => {
        if (!isAtTerminal) return true;
        const asked = `${safeLine(question)} ${localize({ en: '[y/N]', zh: yesNoTip() })}`;
        return answerOf((await askLine(asked, signal)) ?? '') === 'yes';
      }, signal),
  };
}

const COLUMNS_WITHOUT_TERMINAL = 80;
