import { createHash } from 'node:crypto';
import { AbortedError } from '../../../domain/errors.ts';
import { cutOutsideSecrets, redact } from '../../../domain/value/redact.ts';
import type { SearchIndex } from '../../../store/search/search-index.ts';
import type { EntryRow } from '../../../store/search/search-rows.ts';
import { readEntry, type SearchDeps, withSearchIndex } from '../../../store/search/search-store.ts';
import { sliceRange } from '../../../store/search/search-texts.ts';
import type { IndexLimits } from '../../../store/search/search-update.ts';
import type { VectorSlice } from '../../../store/search/search-vectors.ts';
import type { RecallContext } from '../../runtime.ts';
import type { Embeddings } from './embeddings.ts';
import { createSearchContext } from './recall.ts';

export type PendingOptions = {
  /** The most texts that are sent. */
  readonly most: number;
  readonly limits?: IndexLimits;
};

export type PendingContext = RecallContext & { readonly group: string; readonly embeddings: Embeddings };

const BATCH_TEXTS = 64;
/** Servers on one's own machine need a while for so many. */
const BATCH_TIMEOUT_MS = 60_000;
/** Of a long text its beginning is embedded. */
const MOST_SLICES = 8;
const MOST_CHARS = 16_000;
/** So many entries are looked at for one request. */
const PAGE = 64;

/**
 * Makes vectors for what a group has none of yet, the newest first. Resolves with how many texts were sent and answered, and whether that
 * was all. Rejects with AbortedError, or with SanbotError for the index.
 */
export function embedPending(context: PendingContext, { most, limits }: PendingOptions, signal: AbortSignal): Promise<Made> {
  const deps = { ...createSearchContext(context), limits };
  const work = async (index: SearchIndex, { isStored }: { readonly isStored: boolean }): Promise<Made> => {
    if (index.vectors.space()?.startsWith(`${context.embeddings.space} `) === false) index.write(() => index.vectors.forget());
    let made = 0;
    for (let below = Number.MAX_SAFE_INTEGER; isStored && made < most; ) {
      const page = index.vectors.pending(context.group, { below, limit: PAGE });
      if (page.length === 0) return finish(index, made);
      below = page.at(-1)?.id ?? 0;
      const slices = index.write(() => prepare(index, deps, page)).slice(0, most - made);
      for (let at = 0; at < slices.length; at += BATCH_TEXTS) {
        const batch = slices.slice(at, at + BATCH_TEXTS);
        if (!(await embedBatch(index, batch, { context, signal }))) return { made, isDone: false };
        made += batch.length;
      }
      await deps.pause();
      if (signal.aborted) throw new AbortedError();
    }
    return { made, isDone: false };
  };
  return withSearchIndex(deps, work, signal);
}

export type Made = { readonly made: number; readonly isDone: boolean };

function finish(index: SearchIndex, made: number): Made {
  index.write(() => index.vectors.removeUnused());
  return { made, isDone: true };
}

type TextSlice = VectorSlice & { readonly text: string };

/** Returns the slices to send. What equals a text that has its vector gets that, and what has no text is passed over from now on. */
function prepare(index: SearchIndex, deps: SearchDeps, page: readonly EntryRow[]): readonly TextSlice[] {
  const { vectors } = index;
  return page.flatMap((entry) => {
    const source = index.source(entry.source);
    const slices = source === undefined ? [] : slicesOf(entry, readEntry(deps, { entry, source }, deps.analyzer)?.text ?? '');
    if (slices.length === 0) vectors.skip(entry);
    return slices.filter((slice) => {
      const isKnown = vectors.isKnown(slice.digest);
      if (isKnown) vectors.adopt(slice);
      return !isKnown;
    });
  });
}

/** Masked as a whole before it is cut, so that no cut leaves half of a secret. */
function slicesOf(entry: EntryRow, text: string): readonly TextSlice[] {
  const masked = redact(text.slice(0, cutOutsideSecrets(text, MOST_CHARS)));
  return Array.from({ length: Math.min(MOST_SLICES, entry.slices) }, (_, slice) => {
    const { start, end } = sliceRange(masked.length, slice);
    const piece = masked.slice(start, end).toWellFormed();
    return { entry, slice, text: piece, digest: createHash('sha256').update(piece).digest('hex').slice(0, 32) };
  }).filter((slice) => slice.text.trim() !== '');
}

type BatchOptions = { readonly context: PendingContext; readonly signal: AbortSignal };

/** False where no vectors came. */
async function embedBatch(index: SearchIndex, batch: readonly TextSlice[], { context, signal }: BatchOptions): Promise<boolean> {
  const { embeddings, warn } = context;
  const texts = batch.map(({ text }) => text);
  const vectors = await embeddings.embed(texts, { signal, timeoutMs: BATCH_TIMEOUT_MS, warn });
  if (vectors === undefined) return false;
  index.write(() => {
    index.vectors.enter(`${embeddings.space} ${vectors[0]?.length ?? 0}`);
    // Another process may have taken the entry away meanwhile, and given its number to another one.
    for (const [i, slice] of batch.entries())
      if (isSame(index.entry(slice.entry.id), slice.entry)) index.vectors.add(slice, vectors[i] ?? []);
  });
  return true;
}

const isSame = (now: EntryRow | undefined, then: EntryRow): boolean => JSON.stringify(now) === JSON.stringify(then);
