import type { Message } from '../../src/domain/session/message.ts';
import { answers, calls } from './build.ts';

let serial = 0;

/** A command and what it came to. */
export const run = (command: string, content = 'ok', isError = false): readonly Message[] => {
  const id = `c${++serial}`;
  return [calls({ id, name: 'run_command', input: { command } }), answers({ id, content, isError })];
};

/** An edit of a file. */
export const edit = (path: string): readonly Message[] => {
  const id = `e${++serial}`;
  return [calls({ id, name: 'edit_file', input: { path, old_text: 'a', new_text: 'b' } }), answers({ id, content: `Edited ${path}` })];
};
