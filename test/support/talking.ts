import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { afterThisTest } from './clean-up.ts';
import { binary, type Sandbox } from './sanbot.ts';

/** A conversation that goes on until it is told to end, one message at a time. */
export function talking({ cwd, env }: Sandbox, args: readonly string[], node: readonly string[] = []) {
  const stream = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
  const child = spawn(process.execPath, [...node, binary, ...stream, ...args], { cwd, env });
  afterThisTest(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  let turns = 0;
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    err: () => err,
    say: async (text: string) => {
      child.stdin.write(`${JSON.stringify({ type: 'user', text })}\n`);
      turns += 1;
      await expect.poll(() => out.split('"type":"result"').length - 1, { timeout: 200_000 }).toBe(turns);
    },
    end: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
