/** What a start costs, in times the CPU of `node -e 0`: each way in, one after the other, and medians of so many rounds. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { writeConfig, writeSessions } from './generated-home.mjs';
import { startServer, streamOf } from './model-server.mjs';
import { environment, inFolder, median, program, timeNode, usageOf } from './run-program.mjs';

const CONFIG = { model: { provider: 'offline' } };

export async function measureStart({ rounds = 15, node = process.execPath, homes = [0, 1_000, 10_000] } = {}) {
  return inFolder(async (folder) => {
    const places = [];
    for (const count of homes) {
      const home = join(folder, `home-${count}`);
      writeConfig(home, CONFIG);
      writeSessions(home, folder, count);
      places.push({ count, env: { ...environment(folder), SANBOT_HOME: home } });
    }
    const [{ env }] = places;
    const run =
      (argv, where = env) =>
      async () =>
        timeNode(argv, { cwd: folder, env: where, node });
    const ways = {
      'node -e 0': run(['-e', '0']),
      version: run([program, '--version']),
      help: run([program, '--help']),
      ...Object.fromEntries(places.map(({ count, env: where }) => [`history, ${count} sessions`, run([program, 'history'], where)])),
      // Its own home: each run leaves a session behind.
      'headless answer offline': run([program, '-p', 'status'], environment(join(folder))),
      'prompt ready': () => promptReady({ folder, env, node }),
      'first request': () => firstRequest({ folder, node }),
    };
    writeConfig(join(folder, 'home'), CONFIG);
    // What is killed below leaves no code cache behind; whoever uses the program has one.
    await promptReady({ folder, env, node, isLeft: true });
    const taken = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    for (let round = 0; round <= rounds; round++)
      for (const [name, way] of Object.entries(ways)) {
        const used = await way();
        if (round > 0) taken[name].push(used);
      }
    const base = median(taken['node -e 0'].map(({ cpuMs }) => cpuMs));
    return Object.entries(taken).map(([name, all]) => {
      const cpuMs = median(all.map((used) => used.cpuMs));
      return {
        name,
        cpuMs,
        times: cpuMs / base,
        memoryMb: all[0]?.memoryMb === undefined ? undefined : median(all.map(({ memoryMb }) => memoryMb)),
      };
    });
  });
}

/** Until the prompt stands at a terminal. */
async function promptReady({ folder, env, node, isLeft = false }) {
  const terminal = spawnInTerminal(node, [program], { name: 'xterm', cols: 100, rows: 30, cwd: folder, env });
  const ended = new Promise((resolve) => terminal.onExit(resolve));
  let shown = '';
  const used = await new Promise((resolve, reject) => {
    terminal.onData((data) => {
      shown += data;
      if (shown.slice(-60).includes('> ')) resolve(usageOf(terminal.pid));
    });
    ended.then(() => reject(new Error(`It ended before its prompt: ${shown}`)));
  });
  if (isLeft) terminal.write('\x04');
  else terminal.kill('SIGKILL');
  await ended;
  return used;
}

/** Until the model's endpoint has the first request. */
async function firstRequest({ folder, node }) {
  let used;
  let child;
  const server = await startServer((_, n) => {
    used ??= usageOf(child.pid);
    return streamOf(n, { type: 'text', text: 'Done.' }, 100);
  });
  try {
    const env = environment(folder, { SANBOT_HOME: join(folder, 'home-wire'), ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' });
    writeConfig(env.SANBOT_HOME, { model: { name: 'bench', contextWindow: 200_000 } });
    child = spawn(node, [program, '-p', 'hello'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'ignore'] });
    await new Promise((resolve) => child.on('close', resolve));
    if (used === undefined) throw new Error('No request came.');
    return used;
  } finally {
    server.close();
  }
}
