import { createLineSource } from './line-source.ts';
import { guardOutput } from './output.ts';
import { createPaint } from './paint.ts';
import type { Repl, ReplIo } from './repl.ts';
import { runLoop } from './repl-loop.ts';
import { safeLine } from './safe-text.ts';
import { createScreen } from './screen.ts';
import { noSpinner } from './spinner.ts';
import { createStopper } from './stopper.ts';

/** The REPL without a terminal that can be drawn on: lines in, lines out. Nobody can be asked, so what would ask is not allowed. */
export function plainRepl(io: ReplIo): Repl {
  const source = createLineSource(io.input);
  const stopper = createStopper();
  const output = guardOutput(io.output, () => {
    source.stop();
    stopper.stop();
  });
  const screen = createScreen({ output, paint: createPaint(io.colour), spinner: noSpinner });
  let givenUp = false;

  const next = async (): Promise<string | undefined> => {
    if (io.output.isTTY) output.write('> ');
    const message = await source.next();
    if (message !== undefined) io.history.save(message);
    return message;
  };

  return {
    onEvent: screen.onEvent,
    askPermission: async (request) => {
      screen.line(`Not allowed, since there is nobody to ask: ${safeLine(request.title)}`, 'notice');
      return 'no';
    },
    confirm: async () => true,
    run: (chat) => runLoop(io, chat, { screen, stopper, questions: undefined, next, isGivenUp: () => givenUp }),
    interrupt: () => {
      const outcome = stopper.stop();
      if (outcome === 'given_up') givenUp = true;
      if (outcome === 'idle') source.stop();
    },
    restore: () => source.stop(),
  };
}
