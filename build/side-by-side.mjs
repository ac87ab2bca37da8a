/**
 * `node build/side-by-side.mjs COMMAND… -- [ARGUMENT…]`: runs the commands at the same time, the last one with the arguments. Only the last
 * one writes to the terminal while it runs; what the others said follows when all have ended. The exit code is 0 if that of each is.
 */
import { spawn } from 'node:child_process';

const end = process.argv.indexOf('--');
const commands = process.argv.slice(2, end);
const last = commands.length - 1;

const ended = await Promise.all(commands.map((command, at) => (at === last ? run(command, process.argv.slice(end + 1)) : run(command))));
for (const { command, said, code } of ended) {
  if (said !== '' || code !== 0) process.stdout.write(`${said}${command}: ${code === 0 ? 'done' : `failed (${code})`}\n`);
}
process.exitCode = ended.every(({ code }) => code === 0) ? 0 : 1;

/** With arguments it has the terminal. Words with a star reach the command as they are (-f). */
function run(command, more) {
  const child = spawn('sh', ['-fc', `${command} "$@"`, 'sh', ...(more ?? [])], {
    stdio: ['ignore', ...(more ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
  });
  const pieces = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve) =>
    child.on('close', (code, signal) => resolve({ command, said: Buffer.concat(pieces).toString(), code: code ?? signal })),
  );
}
