import { binary, type Sandbox } from './sanbot.ts';
import { ASKED, type SpawnedTerminal, spawnInTerminal } from './terminal.ts';

export const running: SpawnedTerminal[] = [];

/** The real binary at a pseudo terminal, offline, its prompt ready. */
export async function talk(world: Sandbox, ...args: readonly string[]): Promise<SpawnedTerminal> {
  const terminal = spawnInTerminal(process.execPath, [binary, ...args], {
    cwd: world.cwd,
    env: { ...world.env, SANBOT_PROVIDER: 'offline' },
    columns: 160,
  });
  running.push(terminal);
  await terminal.waitFor('> ');
  return terminal;
}

export const say = async (terminal: SpawnedTerminal, text: string): Promise<void> => {
  terminal.send(`${text}\r`);
};

/** Yes, and do not ask again: as the choice of that number says. */
export const allowLasting = async (terminal: SpawnedTerminal, number: number): Promise<void> => {
  await terminal.waitFor(ASKED);
  terminal.send('a');
  await terminal.waitFor('Back');
  terminal.send(String(number));
};

export const PROMPT = /\n> $/;

export const config = (world: Sandbox) => JSON.parse(world.read('config.json'));
