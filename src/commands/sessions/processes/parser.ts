import { processEnvironment } from '../../../runtime/environment.ts';
import { serveParser } from '../../../tools/parse/serve-parser.ts';

/** A process that is given texts from outside on its standard input, and answers each on its standard output with what it parsed. */
const environment = processEnvironment();
// At a terminal Ctrl-C reaches this process too; whoever asks decides what ends by it.
environment.onSignal('SIGINT', () => undefined);
serveParser(environment);
