import { confirmOnTerminal, pickOnTerminal } from '../../terminal/input/confirm.ts';
import { createPaint, type Drawing } from '../../terminal/text/paint.ts';
import type { RestoreDialog } from '../../terminal/views/file-restore.ts';
import { canAsk } from '../answer.ts';
import type { CommandContext } from '../command.ts';

export const drawingOn = ({ colour, columns }: CommandContext['io']): Drawing => ({ paint: createPaint(colour), columns });

/**
 * Asks at the terminal. Where nobody is asked, what only SanBot changed becomes what it was, and what its commands made is removed: the
 * restoring can be undone. What somebody else changed since stays.
 */
export function restoreDialog(
  options: { readonly yes?: boolean | undefined; readonly json?: boolean | undefined },
  { environment, io }: CommandContext,
): RestoreDialog {
  const isAsked = canAsk(environment, options) && !options.yes;
  return {
    drawing: drawingOn(io),
    show: options.json ? () => undefined : io.out,
    ask: async (question, own) => (isAsked ? confirmOnTerminal(question, environment) : own),
    choose: async (question, ways, own) => (isAsked ? ((await pickOnTerminal(question, ways, environment)) ?? 'leave') : own),
  };
}
