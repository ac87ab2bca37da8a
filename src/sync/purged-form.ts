import { isObject, isString } from '../domain/value/json.ts';
import { readRecord } from '../store/files/record-line.ts';

/** What a purge leaves in the place of a text. */
const PURGED = '[purged]';

type Gap = { readonly was: string; readonly now: string };

type Source = Gap & { readonly gaps: readonly Gap[] };

/**
 * How lines here differ from the same lines elsewhere by what was purged: `here` and `there` say where, and `conflict` that in one text
 * each side purged something else. `sources`: texts that were purged there only. `refs`: hashes here, and those in their place there.
 */
export type PurgeDifference = {
  here: boolean;
  there: boolean;
  conflict: boolean;
  readonly sources: Source[];
  readonly refs: Map<string, string>;
};

const nothing = (): PurgeDifference => ({ here: false, there: false, conflict: false, sources: [], refs: new Map() });

/** Compares as many lines as both have, and adds to what was found. Undefined when they are other lines, and for what is damaged. */
export function purgeDifference(local: readonly Buffer[], remote: readonly Buffer[], found = nothing()): PurgeDifference | undefined {
  const count = Math.min(local.length, remote.length);
  for (let n = 0; n < count; n++) {
    const [own, other] = [local[n], remote[n]];
    if (own === undefined || other === undefined || own.equals(other)) continue;
    const [a, b] = [readRecord(own), readRecord(other)];
    if (!isObject(a) || !isObject(b) || !compare(n === 0 ? unnamed(a) : a, n === 0 ? unnamed(b) : b, found)) return undefined;
  }
  return found;
}

/** The header of a fork that was brought here has another name than its segment. */
function unnamed({ sessionId, parent, ...rest }: Readonly<Record<string, unknown>>): object {
  return rest.type === 'header' ? rest : { sessionId, parent, ...rest };
}

function compare(local: unknown, remote: unknown, found: PurgeDifference): boolean {
  if (isString(local) && isString(remote)) return compareTexts(local, remote, found);
  if (!isObject(local) && !Array.isArray(local)) return local === remote;
  if ((!isObject(remote) && !Array.isArray(remote)) || Array.isArray(local) !== Array.isArray(remote)) return false;
  const [own, other] = [Object.entries(local), Object.entries(remote)];
  // Sizes beside a hash are those of its text.
  const isSize = (key: string): boolean => 'sha256' in local && (key === 'bytes' || key === 'lines');
  return (
    own.length === other.length &&
    own.every(([key, value], at) => {
      const [otherKey = '', otherValue] = other[at] ?? [];
      return compareTexts(key, otherKey, found) && (isSize(key) || compare(value, otherValue, found));
    })
  );
}

/** The same for two texts, such as those for which hashes stand. */
export function compareTexts(local: string, remote: string, found: PurgeDifference): boolean {
  if (local === remote) return true;
  const [there, here] = [gapsOf(local, remote), gapsOf(remote, local)];
  if (there === undefined && here === undefined) {
    const isConflict = local.includes(PURGED) && remote.includes(PURGED);
    found.conflict ||= isConflict;
    return isConflict;
  }
  for (const { was, now } of there ?? []) if (now !== PURGED) found.refs.set(was, now);
  for (const { was, now } of there === undefined ? (here ?? []) : []) if (now !== PURGED) found.refs.set(now, was);
  // Where only hashes differ, the texts for which they stand tell who purged.
  found.here ||= there === undefined;
  found.there ||= here === undefined;
  if (there !== undefined && here === undefined) found.sources.push({ was: local, now: remote, gaps: there });
  return true;
}

/** What stood where a text is purged now, or names another hash; undefined when it differs elsewhere too. */
function gapsOf(was: string, now: string): readonly Gap[] | undefined {
  const gaps: Gap[] = [];
  let [from, at] = [0, 0];
  const marks = [...now.matchAll(/\[purged\]|[0-9a-f]{32,64}/g)].filter(([mark]) => mark === PURGED || !was.includes(mark));
  if (marks.length === 0 || !was.startsWith(now.slice(0, marks[0]?.index))) return undefined;
  for (const [n, { 0: mark, index }] of marks.entries()) {
    at = n === 0 ? index : at;
    from = index + mark.length;
    const rest = now.slice(from, marks[n + 1]?.index);
    const end = mark === PURGED ? endOf(was, at, { rest, isLast: n === marks.length - 1 }) : at + mark.length;
    const gap = was.slice(at, end);
    if (end <= at || !was.startsWith(rest, end) || (mark !== PURGED && !/^[0-9a-f]+$/.test(gap))) return undefined;
    if (gap !== mark) gaps.push({ was: gap, now: mark });
    at = end + rest.length;
  }
  return at === was.length ? gaps : undefined;
}

const endOf = (was: string, at: number, { rest, isLast }: { readonly rest: string; readonly isLast: boolean }): number =>
  isLast ? was.length - rest.length : was.indexOf(rest, at + 1);

/**
 * The texts that were purged there, as they stand here. One that is a part of another was cut off there; one that does not account for a
 * line where it stood is left out.
 */
export function purgedTexts({ sources }: PurgeDifference): readonly string[] {
  const all = new Set(
    sources.flatMap(({ gaps }) => gaps.filter(({ now, was }) => now === PURGED && !was.includes(PURGED)).map(({ was }) => was)),
  );
  const whole = [...all].filter((text) => ![...all].some((other) => other !== text && other.includes(text)));
  const accountsFor = ({ was, now, gaps }: Source): boolean => {
    const purged = whole.reduce((text, secret) => text.replaceAll(secret, PURGED), was);
    return gaps.reduce((text, gap) => text.replaceAll(gap.was, gap.now), purged) === now;
  };
  return whole.filter((text) => sources.some((source) => source.gaps.some(({ was }) => was === text) && accountsFor(source)));
}
