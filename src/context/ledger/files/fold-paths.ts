import type { CountTokens } from '../../measure/count.ts';
import { folderPart } from '../render/look-up-lines.ts';

/** Folds the older paths into lines by folder: none is lost, and the folder they share is written once. */
export function foldOlderPaths(paths: readonly string[], tokens: number, count: CountTokens): string[] {
  let remainingTokens = tokens;
  const lastFolded = paths.findLastIndex((path) => {
    remainingTokens -= count(`- ${path}\n`);
    return remainingTokens < 0;
  });
  const folders = new Map<string, string[]>();
  for (const path of paths.slice(0, lastFolded + 1)) {
    const group = folders.get(folderPart(path)) ?? [];
    group.push(path);
    folders.set(folderPart(path), group);
  }
  const lines = [...folders].flatMap(([folder, group]) => {
    const names = group.map((path) => path.slice(folder.length));
    const rows = Array.from({ length: Math.ceil(names.length / NAMES_PER_LINE) }, (_, row) =>
      names.slice(row * NAMES_PER_LINE, (row + 1) * NAMES_PER_LINE),
    );
    return rows.map((row) => `${folder === '' ? '' : `${folder}: `}${row.join(', ')}`);
  });
  return [...lines, ...paths.slice(lastFolded + 1)];
}

const NAMES_PER_LINE = 12;
