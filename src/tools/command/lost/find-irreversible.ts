/**
 * What of a command's losses nobody could bring back, as the disk is now.
 *
 * Paths and acts elsewhere come in, as they were read off the command; out comes one line that names what is beyond the record of changes:
 * files larger than what is kept, what lies outside of the recorded folders, and what is on no disk of ours.
 *
 * It is looked, not guessed, and within bounds: a very large folder may hold more than is told. Nothing is opened but folders and the files
 * by which git knows what it tracks and ignores. What the sandbox does not let happen is not told.
 */

import { realpathSync, type Stats } from 'node:fs';
import { relative } from 'node:path';
import type { RecordReach } from '../../../agent/ports/disk.ts';
import { type Bilingual, joinTexts, sameInBoth } from '../../../domain/language.ts';
import type { Irreversible, Loss } from '../../../domain/permission.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { sizeText } from '../../../domain/value/size-text.ts';
import { visibleLine, visibleText } from '../../place/visible.ts';
import type { ToolContext } from '../../tool-context.ts';
import { type LookPlace, type LostPath, MAX_LOOKED, pathsLost } from './lost-paths.ts';

/** What a command can reach: all; the folders and the network; the folders alone. */
export type Confinement = 'none' | 'network' | 'held';

type Look = Pick<ToolContext, 'cwd' | 'folders' | 'userHome' | 'env' | 'reachOf' | 'startedAt'>;

/** Never rejects. */
export async function findIrreversible(
  losses: readonly Loss[],
  confinement: Confinement,
  { cwd: folder, folders, userHome, env, reachOf, startedAt }: Look,
): Promise<Irreversible | undefined> {
  const cwd = orUndefined(() => realpathSync(folder));
  if (losses.length === 0 || cwd === undefined) return undefined;
  const reach = (await reachOf?.(cwd).catch(() => undefined)) ?? nothingKept(cwd);
  const isScratch = scratchTest(env.TMPDIR, startedAt);
  const place: FixedPlace = { cwd, folders: [cwd, ...(folders?.() ?? [])], userHome, isConfined: confinement !== 'none', isScratch };
  const all = await lostTo(losses, place, reach);
  const found = losses.map((loss, at) => ({
    loss,
    paths: all[at] ?? [],
    text: loss.kind === 'remote' && confinement !== 'held' ? loss.text : undefined,
  }));
  const real = found.filter(({ paths, text }) => paths.length > 0 || text !== undefined);
  if (real.length === 0) return undefined;
  const paths = [...new Map(real.flatMap((each) => each.paths).map((each) => [each.path, each])).values()];
  const acts = real.flatMap(({ text }) => text ?? []);
  const texts = [
    ...(paths.length === 0 ? [] : [pathsText(paths, place)]),
    ...new Map(acts.map((act) => [act.en, visibleText(act, 200)])).values(),
  ];
  return { text: joinTexts(texts, { en: '; ', zh: '；' }), commands: real.map(({ loss }) => loss.command) };
}

type FixedPlace = Omit<LookPlace, 'reach' | 'budget' | 'named'>;
type Lost = readonly (readonly LostPath[])[];

/** By loss. The folder is looked at only where it takes that to know. */
async function lostTo(losses: readonly Loss[], place: FixedPlace, reach: RecordReach): Promise<Lost> {
  const named = new Set<string>();
  const find = (isKept: RecordReach['isKept']): Lost => {
    const looked = { ...place, reach: { ...reach, isKept }, budget: { left: MAX_LOOKED }, named };
    return losses.map((loss) => (loss.kind === 'remote' ? [] : pathsLost(loss, looked)));
  };
  if (reach.look === undefined) return find(reach.isKept);
  let isKnown = true;
  const found = find((path) => {
    isKnown &&= reach.isKept(path);
    return true;
  });
  if (isKnown) return found;
  // What cannot be looked at is not kept either.
  await reach.look([...named]).catch(() => undefined);
  return find(reach.isKept);
}

const nothingKept = (cwd: string): RecordReach => ({
  folders: [cwd],
  fileBytes: 0,
  isKept: () => false,
  isRemade: () => false,
  tracked: () => new Set(),
  isClean: () => false,
});

/** Below the folders for temporary files, what was made since this process began is of its own work, and made to be thrown away. */
function scratchTest(temporary: string | undefined, startedAt: number | undefined): (path: string, standing: Stats) => boolean {
  const folders = ['/tmp', '/var/tmp', '/dev/shm', temporary].flatMap((path) => orUndefined(() => realpathSync(path ?? '')) ?? []);
  return (path, { birthtimeMs }) => startedAt !== undefined && birthtimeMs >= startedAt && folders.some((folder) => isWithin(path, folder));
}

const MAX_NAMED = 3;

/** The largest first, what is lost as a whole before it. */
function pathsText(paths: readonly LostPath[], { cwd, folders }: FixedPlace): Bilingual {
  const sorted = paths.toSorted((a, b) => (b.bytes ?? Number.POSITIVE_INFINITY) - (a.bytes ?? Number.POSITIVE_INFINITY));
  const named = sorted.slice(0, MAX_NAMED).map(({ path, bytes }): Bilingual => {
    const name = visibleLine(isWithin(path, cwd) ? relative(cwd, path) || '.' : path, 200);
    const isOutside = !folders.some((folder) => isWithin(path, folder));
    const size = bytes === undefined ? [] : [sameInBoth(sizeText(bytes))];
    const facts = joinTexts([...size, ...(isOutside ? [OUTSIDE] : [])], { en: ', ', zh: '，' });
    return facts.en === '' ? sameInBoth(name) : { en: `${name} (${facts.en})`, zh: `${name}（${facts.zh}）` };
  });
  const more = sorted.length - named.length;
  const rest = more === 0 ? [] : [{ en: `${more} more`, zh: `另外 ${more} 个` }];
  return joinTexts([...named, ...rest], { en: ', ', zh: '、' });
}

const OUTSIDE: Bilingual = { en: 'outside the working folder', zh: '在当前文件夹之外' };
