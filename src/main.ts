import { runCli } from './commands/program.ts';
import { errorReason, SanbotError } from './domain/errors.ts';
import { because } from './domain/language.ts';
import { processEnvironment } from './runtime/environment.ts';
import { openStreams } from './runtime/io-streams.ts';
import { errorText, exitCodeOf } from './terminal/text/error-text.ts';

const environment = processEnvironment();
const exit = (code: number): void => {
  // An open socket or a terminal in raw mode must not keep the program alive; what was printed goes out first.
  // A failure of the last write is told after its callback, and then `outputClosed` ends the program.
  process.stdout.write('', () => setImmediate(() => process.exit(code)));
};

const outputClosed = (failure?: Error): void => {
  // A reader that went away (`sanbot history | head`) is no failure.
  if (failure === undefined) process.exit(0);
  const error = new SanbotError(
    'store_failed',
    because({ en: 'Cannot write to standard output', zh: '无法写入标准输出' }, errorReason(failure)),
    { en: 'The output is incomplete.', zh: '已输出的内容不完整。' },
    failure,
  );
  io.err(errorText(error));
  process.exit(exitCodeOf(error));
};

const io = openStreams(environment, outputClosed);

process.on('uncaughtException', (error) => {
  io.err(errorText(error));
  process.exit(exitCodeOf(error));
});

// Node 20.19 says of X25519 in Web Crypto, which age-encryption uses, that it may change. Nobody who syncs can do anything about it.
const tellWarning = process.emitWarning;
process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]) => {
  if (!String(warning).includes('X25519')) Reflect.apply(tellWarning, process, [warning, ...rest]);
};

// No await at the top: the bundle is CommonJS, whose code V8 can keep (bin/load-program.js).
void runCli(process.argv.slice(2), { environment, io }).then(exit);
