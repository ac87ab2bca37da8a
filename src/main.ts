import { runCli } from './commands/program.ts';
import { SanbotError } from './domain/errors.ts';
import { versionOf } from './runtime/home.ts';
import { openScreen } from './runtime/screen.ts';
import { realWorld } from './runtime/world.ts';
import { errorText, exitCodeOf } from './terminal/text/error-text.ts';

const world = realWorld();
const leave = (code: number): void => {
  // An open socket or a terminal in raw mode must not keep the program alive; what was printed goes out first.
  // A failure of the last write is told after its callback, and then `outputClosed` ends the program.
  process.stdout.write('', () => setImmediate(() => process.exit(code)));
};

const outputClosed = (failure?: Error): void => {
  // A reader that went away (`sanbot history | head`) is no failure.
  if (failure === undefined) process.exit(0);
  const error = new SanbotError('store_failed', `Cannot write to standard output: ${failure.message}`, {
    cause: failure,
    hint: 'What was printed is not complete.',
  });
  screen.err(errorText(error));
  process.exit(exitCodeOf(error));
};

const screen = openScreen(world, outputClosed);

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
