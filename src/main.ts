import { openScreen } from './app/screen.ts';
import { versionOf } from './app/version.ts';
import { realWorld } from './app/world.ts';
import { runCli } from './cli/program.ts';
import { errorText, exitCodeOf } from './ui/error-text.ts';

const world = realWorld();
const leave = (code: number): void => {
  // An open socket or a terminal in raw mode must not keep the program alive; what was printed goes out first.
  process.stdout.write('', () => process.exit(code));
};
// A reader that went away (`sanbot history | head`) is no failure.
const screen = openScreen(world, () => process.exit(0));

process.on('uncaughtException', (error) => {
  screen.err(errorText(error));
  process.exit(exitCodeOf(error));
});

const code = await runCli(process.argv.slice(2), {
  version: versionOf(world),
  out: screen.out,
  err: screen.err,
  columns: screen.columns,
  now: world.now,
  loadActions: async () => (await import('./app.ts')).createActions(world, screen),
});
leave(code);
