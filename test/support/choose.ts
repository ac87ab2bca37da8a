import { expect } from 'vitest';
import type { Terminal } from './terminal.ts';

const DOWN = '\u001b[B';
const POINTER = '❯';

/** Moves down a list until the pointer stands before `name`, then takes it. */
export async function choose(terminal: Terminal, name: string): Promise<void> {
  const pointed = (): string => terminal.text().split(POINTER).at(-1)?.split('\n')[0] ?? '';
  await terminal.waitFor(name);
  await terminal.waitFor('Ctrl-C');
  for (let i = 0; i < 12 && !pointed().includes(name); i += 1) {
    const count = terminal.text().length;
    terminal.send(DOWN);
    // A screen may come in pieces: only a whole line after a new pointer says where it stands.
    await terminal.waitForRaw(() => terminal.text().slice(count).split(POINTER)[1]?.includes('\n') === true);
  }
  expect(pointed()).toContain(name);
  terminal.send('\r');
}
