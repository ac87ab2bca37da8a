import type { OutputWriter } from './output.ts';
import type { Spinner } from './spinner.ts';

/** The output of a screen, which can be held back for a while: then what is written waits, and no spinner starts. */
export type HeldOutput = OutputWriter & {
  readonly isHeld: () => boolean;
  readonly hold: () => void;
  /** Writes what has waited. */
  readonly release: () => void;
  readonly spin: Spinner['start'];
};

export function createHeldOutput(output: OutputWriter, spinner: Spinner): HeldOutput {
  let waiting: string[] | undefined;
  return {
    isHeld: () => waiting !== undefined,
    write: (text) => {
      if (waiting === undefined) output.write(text);
      else waiting.push(text);
    },
    spin: (text, waitMs) => {
      if (waiting === undefined) spinner.start(text, waitMs);
    },
    hold: () => {
      waiting = [];
    },
    release: () => {
      const texts = waiting ?? [];
      waiting = undefined;
      for (const text of texts) output.write(text);
    },
  };
}
