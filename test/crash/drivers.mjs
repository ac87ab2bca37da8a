// What runs in processes that are killed: `node test/crash/drive.cjs NAME ARGUMENT…`. Names are single words, for each of which
// bin/load-program.js keeps what V8 has compiled.
const DRIVERS = {
  chat: () => import('./one-chat.mjs'),
  command: () => import('./one-command.mjs'),
  move: () => import('./one-move.mjs'),
  line: () => import('./one-line.mjs'),
  turn: () => import('./one-turn.mjs'),
  opening: () => import('./open-long.mjs'),
  rollback: () => import('./roll-back.mjs'),
  runs: () => import('./many-runs.mjs'),
  fulldisk: () => import('./store-disk-full.mjs'),
  work: () => import('./store-work.mjs'),
};

const [name] = process.argv.splice(2, 1);
void DRIVERS[name]();
