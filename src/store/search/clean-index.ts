import type { Disk } from '../files/disk.ts';
import { entryExists } from '../files/disk.ts';
import type { StorePaths } from '../files/paths.ts';
import { SearchIndex } from './search-index.ts';
import { fileStamp } from './search-pages.ts';
import { openSearchTables } from './search-tables.ts';

/**
 * Removes from the index what belongs to files that are gone, and vectors that nothing uses; all of them unless `keepVectors`. Does nothing
 * where there is no index. Throws the library's errors.
 */
export function cleanSearchIndex(disk: Disk, paths: StorePaths, { keepVectors }: { readonly keepVectors: boolean }): void {
  if (!entryExists(paths.searchIndex)) return;
  const index = new SearchIndex(openSearchTables(disk, paths.searchIndex).db);
  try {
    index.write(() => {
      for (const { id, path } of index.sources()) if (fileStamp(path) === undefined) index.removeSource(id);
      if (!keepVectors) index.vectors.forget();
      index.vectors.removeUnused();
    });
  } finally {
    index.close();
  }
}
