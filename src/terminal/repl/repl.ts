/**
 * The conversation at a terminal, and the roof of the room: prompt, command or turn, result, and again, until the user leaves. There are
 * two of them: one that reads keys and draws, and one that reads and writes lines where there is no terminal or a dumb one.
 *
 * What is typed and the events of the work come in. Messages and commands go out through the chat port, text through the screen. What is
 * typed while a turn runs is kept and delivered once, after it. Ctrl-C stops what runs, and a third one leaves at once. However the
 * program ends, the terminal is given back as it was.
 *
 * It knows no session, no model and no disk: all of that is behind the chat port. A failure is shown, and the next prompt follows.
 */

import { plainRepl } from './plain-repl.ts';
import { terminalRepl } from './terminal-repl.ts';
import type { Repl, ReplIo } from './types.ts';

export function createRepl(io: ReplIo): Repl {
  const isTerminal = io.input.isTTY === true && io.output.isTTY === true && !io.dumb;
  return isTerminal ? terminalRepl(io) : plainRepl(io);
}
