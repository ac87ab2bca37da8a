import { AbortedError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { pluralize } from '../text/format.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { printLine, type SlashContext } from './command.ts';

/** `!command` runs it, shows what it printed, and puts both into the conversation. */
export async function runShellCommand(command: string, { chat, ui, loop }: SlashContext): Promise<void> {
  if (command === '')
    return printLine(ui, 'bad', {
      en: 'Add a command: !COMMAND runs it and shows the model what it printed.',
      zh: '请加上命令：!COMMAND 运行它，并把输出给模型看。',
    });
  await loop.stoppable(async (signal) => {
    const result = await chat.turn.run(command, signal).catch(undefinedWhenStopped);
    if (result === undefined)
      return printLine(ui, 'notice', { en: 'Stopped. The model is not told of it.', zh: '已停止。模型不会得知此事。' });
    const { ok, output, note, changed } = result;
    if (output.trim() !== '') ui.screen.block(`${shownPart(safeText(output).trimEnd().split('\n')).join('\n')}\n`);
    const mark = ok ? '✓' : '✗';
    printLine(ui, ok ? 'quiet' : 'bad', {
      en: `${mark} ${safeLine(note.en)}. The model sees this with your next message.`,
      zh: `${mark} ${safeLine(note.zh)}。模型会随你的下一条消息看到它。`,
    });
    if (changed !== undefined) printLine(ui, 'quiet', { en: `  ${safeLine(changed.en)}`, zh: `  ${safeLine(changed.zh)}` });
  });
}

function undefinedWhenStopped(error: unknown): undefined {
  if (!(error instanceof AbortedError)) throw error;
}

/** What a person scrolls through; the model has the rest too. */
const MAX_FIRST_LINES = 100;
const MAX_LAST_LINES = 300;

function shownPart(lines: readonly string[]): readonly string[] {
  const left = lines.length - MAX_FIRST_LINES - MAX_LAST_LINES;
  if (left <= 0) return lines;
  return [
    ...lines.slice(0, MAX_FIRST_LINES),
    localize({ en: `… ${pluralize(left, 'line')} not shown …`, zh: `… ${left} 行未显示 …` }),
    ...lines.slice(-MAX_LAST_LINES),
  ];
}
