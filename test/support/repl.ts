import { binary, type Sandbox } from './sanbot.ts';
import { type SpawnedTerminal, spawnInTerminal, type Terminal } from './terminal.ts';

export const running: SpawnedTerminal[] = [];

/** The real binary at a terminal, offline, its prompt ready. */
export async function talkToBinary(world: Sandbox, ...args: readonly string[]): Promise<SpawnedTerminal> {
  const terminal = spawnInTerminal(process.execPath, [binary, ...args], {
    cwd: world.cwd,
    env: { ...world.env, SANBOT_PROVIDER: 'offline' },
  });
  running.push(terminal);
  await terminal.waitFor('> ');
  return terminal;
}

export const allow = async (terminal: Terminal): Promise<void> => {
  await terminal.waitFor(/2 Yes, (?:and do not ask again|all edits)/);
  terminal.send('1');
};

/** What was switched on for keys and pastes is switched off again, and the cursor is shown. */
export const isRestored = (raw: string): boolean =>
  raw.lastIndexOf('\x1b[?2004l') > raw.lastIndexOf('\x1b[?2004h') && raw.lastIndexOf('\x1b[?25h') > raw.lastIndexOf('\x1b[?25l');

export const stored = (world: Sandbox): string =>
  world
    .names('sessions')
    .map((id) => world.read(`sessions/${id}/log.jsonl`))
    .join('');
