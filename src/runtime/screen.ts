import { guardOutput } from '../terminal/screen/output.ts';
import { wantsColour } from '../terminal/text/wants-colour.ts';
import type { World } from './world.ts';

/** Where text for people and programs goes. */
export type Screen = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly columns: number;
  readonly colour: boolean;
};

/** What a table gets where there is no terminal to tell. */
const COLUMNS_WITHOUT_TERMINAL = 120;

/** `onClosed` is called once, when standard output takes no more: with the failure, or with nothing when its reader went away. */
export function openScreen(world: World, onClosed: (failure?: Error) => void): Screen {
  const out = guardOutput(world.stdout, onClosed);
  const err = guardOutput(world.stderr, () => undefined);
  return {
    out: out.write,
    err: err.write,
    columns: world.stdout.columns ?? COLUMNS_WITHOUT_TERMINAL,
    colour: wantsColour({ env: world.env, isTTY: world.stdout.isTTY === true }),
  };
}
