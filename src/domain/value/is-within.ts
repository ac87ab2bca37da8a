/** True when `path` is `folder` or below it, by whole components of absolute paths; `..` is undone, links are not followed. */
export function isWithin(path: string, folder: string): boolean {
  const parts = partsOf(path);
  return partsOf(folder).every((part, at) => part === parts[at]);
}

function partsOf(path: string): readonly string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}
