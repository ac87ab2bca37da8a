import { AbortedError } from '../../domain/errors.ts';
import type { TurnPort } from '../chat/turn-port.ts';
import { pluralize } from '../text/format.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import type { CommandUi, LoopControl } from './command.ts';

type ShellCommand = { readonly ui: CommandUi; readonly stoppable: LoopControl['stoppable'] };

/** `!command` runs it, shows what it printed, and puts both into the conversation. */
export async function runShellCommand(command: string, { run }: TurnPort, { ui: { screen }, stoppable }: ShellCommand): Promise<void> {
  if (command === '') {
    screen.line('Add a command: !COMMAND runs it and shows the model what it printed.', 'bad');
    return;
  }
  await stoppable(async (signal) => {
    const result = await run(command, signal).catch(undefinedWhenStopped);
    if (result === undefined) return screen.line('Stopped. The model is not told of it.', 'notice');
    const { ok, output, note } = result;
    if (output.trim() !== '') screen.block(`${shownPart(safeText(output).trimEnd().split('\n')).join('\n')}\n`);
    screen.line(`${ok ? '✓' : '✗'} ${safeLine(note)}. The model sees this with your next message.`, ok ? 'quiet' : 'bad');
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
  return [...lines.slice(0, MAX_FIRST_LINES), `… ${pluralize(left, 'line')} not shown …`, ...lines.slice(-MAX_LAST_LINES)];
}
