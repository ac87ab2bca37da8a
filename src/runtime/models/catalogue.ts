import { type KeptCatalogue, parseKept } from '../../domain/config/catalogue.ts';
import type { Bilingual } from '../../domain/language.ts';
import { parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { useCatalogue } from '../../model/catalog.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { readText } from '../../store/files/read-text.ts';

/** A list of all models that are sold today has some two megabytes. */
export const MAX_CATALOGUE_BYTES = 8 * 1024 * 1024;

export type CatalogueInUse =
  | { readonly kind: 'table' }
  | { readonly kind: 'kept'; readonly kept: KeptCatalogue }
  | { readonly kind: 'damaged'; readonly problem: Bilingual };

/** Takes the figures of the catalogue that a person has put into this home; the table's alone, where there is none or it is damaged. */
export function useCatalogueOf(home: string): CatalogueInUse {
  const inUse = readCatalogue(home);
  const kept = inUse.kind === 'kept' ? inUse.kept : undefined;
  useCatalogue(kept?.catalogue, { address: kept?.from ?? '', version: 'sanbot models --refresh', read: kept?.at.slice(0, 10) ?? '' });
  return inUse;
}

function readCatalogue(home: string): CatalogueInUse {
  const text = orUndefined(() => readText(pathsOf(home).catalogue, 2 * MAX_CATALOGUE_BYTES));
  if (text === undefined) return { kind: 'table' };
  const parsed = parseKept(parseJson(text));
  return parsed.kind === 'ok' ? { kind: 'kept', kept: parsed.value } : { kind: 'damaged', problem: parsed.problem };
}
