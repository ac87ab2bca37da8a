import { plainRepl } from './plain-repl.ts';
import { terminalRepl } from './terminal-repl.ts';
import type { Repl, ReplIo } from './types.ts';

/** A conversation at a terminal; or line by line where keys cannot be read or the screen not be drawn on. */
export function createRepl(io: ReplIo): Repl {
  const isTerminal = io.input.isTTY === true && io.output.isTTY === true && !io.dumb;
  return isTerminal ? terminalRepl(io) : plainRepl(io);
}
