import { localize, type Warn } from '../domain/language.ts';
import { guardOutput } from '../terminal/screen/output.ts';
import { safeText } from '../terminal/text/safe-text.ts';
import { COLUMNS_WITHOUT_TERMINAL } from '../terminal/text/table.ts';
import type { ProcessState, StandardStreams } from './environment.ts';

/** Where text for people and programs goes. */
export type IoStreams = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** One line to `err`, with the program's name before it, and through the filter for control sequences. */
  readonly warn: Warn;
  readonly columns: number;
  readonly colour: boolean;
};

/** `onClosed` is called once, when standard output takes no more: with the failure, or with nothing when its reader went away. */
export function openStreams(environment: StandardStreams & Pick<ProcessState, 'env'>, onClosed: (failure?: Error) => void): IoStreams {
  const out = guardOutput(environment.stdout, onClosed);
  const err = guardOutput(environment.stderr, () => undefined);
  return {
    out: out.write,
    err: err.write,
    warn: (text) => err.write(`sanbot: ${safeText(localize(text))}\n`),
    columns: environment.stdout.columns ?? COLUMNS_WITHOUT_TERMINAL,
    colour: supportsColour({ env: environment.env, isTTY: environment.stdout.isTTY === true }),
  };
}

/** NO_COLOR, set to anything, wins; then FORCE_COLOR; else a terminal that is not dumb has colours. */
export function supportsColour({ env, isTTY }: Pick<ProcessState, 'env'> & { readonly isTTY: boolean }): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY && env.TERM !== 'dumb';
}
