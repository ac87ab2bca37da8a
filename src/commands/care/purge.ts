import { SanbotError } from '../../domain/errors.ts';
import { homeOf } from '../../runtime/home.ts';
import { storeWorldOf } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { planPurge, purge } from '../../store/purge/purge.ts';
import { confirmOnTerminal } from '../../terminal/input/confirm.ts';
import type { PurgeOptions } from '../actions.ts';
import { purgeDoneText, purgeJson, purgePlanText } from './purge-text.ts';

/** Shows where a text stands, and takes it out of every file when told to: --yes, or a yes at the terminal. */
export async function purgeHome(world: World, options: PurgeOptions, screen: Screen): Promise<number> {
  const home = homeOf(world, options);
  const paths = pathsOf(home);
  const fromStdin = options.match === '-';
  const text = fromStdin ? await readSecret(world.stdin) : options.match;
  const plan = { text, ...filesIn(planPurge(paths, text)) };
  const nothing = plan.files.length === 0 && !plan.unfinished;
  if (options.dryRun || nothing) {
    screen.out(options.json ? purgeJson(plan, { purged: false }) : purgePlanText(plan));
    return 0;
  }
  const interactive = world.stdin.isTTY === true && world.stdout.isTTY === true && !options.json && !fromStdin;
  if (!options.yes && !interactive)
    throw new SanbotError('refused', 'A purge needs a yes, and there is no terminal to ask at', {
      hint: 'Nothing was changed. Add --yes, or --dry-run to see where it stands.',
    });
  if (!options.json) screen.out(purgePlanText(plan));
  if (!options.yes && !(await confirmOnTerminal('Purge it? This cannot be undone.', { input: world.stdin, output: world.stdout }))) {
    screen.out('Nothing was changed.\n');
    return 0;
  }
  purge({ ...storeWorldOf(world, home), warn: (line) => screen.err(`sanbot: ${line}\n`) }, paths, text);
  const left = planPurge(paths, text).findings;
  if (left.length > 0)
    throw new SanbotError(
      'store_failed',
      `It still stands in ${left.map(({ name }) => name).join(', ')}: something wrote there meanwhile`,
      {
        hint: 'Close every sanbot, then purge again.',
      },
    );
  screen.out(options.json ? purgeJson(plan, { purged: true }) : purgeDoneText(plan));
  return 0;
}

const filesIn = ({ findings: found, ...rest }: ReturnType<typeof planPurge>) => ({ files: found, ...rest });

/** One newline at its end is that of the file or the echo. */
async function readSecret(stdin: NodeJS.ReadStream): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stdin) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
