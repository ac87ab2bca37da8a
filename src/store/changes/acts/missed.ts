import { dirname, join } from 'node:path';
import type { Change } from '../../../domain/session/change.ts';
import type { Contents } from '../contents.ts';
import { mayConvert, oidBytes } from '../git/clean-files.ts';
import { type GitIndex, gitIndexOf } from '../git/git-index.ts';
import { type Missed, trackedChanges } from '../git/tracked-before.ts';
import { isCovered } from '../look/recorder.ts';
import { named } from '../look/unsettled.ts';
import type { Walk } from '../look/walk.ts';
import type { Place } from './places.ts';

type MissedOptions = Pick<Missed, 'sizesOf' | 'now' | 'until'> & {
  readonly contents: Contents;
  readonly gitConfigs: readonly string[];
  /** The look after the act. */
  readonly walk: Pick<Walk, 'withAttributes'>;
};

/** What became, since the acts of a place began, of files that git tracks and to which the look before them did not come. */
export function changesMissed(place: Place, { contents, gitConfigs, walk, ...options }: MissedOptions): readonly Change[] {
  const { state, roots, since } = place;
  if (since === undefined || place.isWide || ![...state.uncovered.values()].includes('late')) return [];
  const gitFolder = roots.linked === undefined ? join(roots.top, '.git') : dirname(roots.linked.objects);
  const entry = state.manifest.get(roots.linked?.index ?? join(gitFolder, 'index'));
  const sha256 = named('sha256', entry);
  const bytes = sha256 === undefined ? undefined : contents.read(sha256);
  const index = bytes === undefined || entry === undefined ? undefined : gitIndexOf(bytes, oidBytes(gitFolder), entry.mtime);
  if (index === undefined) return [];
  const attributes = [...walk.withAttributes, ...attributesIn(index, roots.top)];
  if (mayConvert({ gitFolder, folder: roots.top }, attributes, gitConfigs)) return [];
  return trackedChanges({
    ...{ index, since, top: roots.top, ...options },
    isCovered: (folder) => isCovered(folder, state),
    isKnown: (path) => state.manifest.has(path),
  });
}

/** Folders of which an index lists the attributes. */
const attributesIn = (index: GitIndex, top: string): readonly string[] =>
  [...index.paths()].flatMap((path) => (path === '.gitattributes' || path.endsWith('/.gitattributes') ? [dirname(join(top, path))] : []));
