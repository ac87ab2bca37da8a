/** For completing a path as it is typed: the entries of the folder that a prefix names, by the prefix's last part. Hidden ones only when asked for by their dot. */
export async function completePath(cwd: string, prefix: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises');
  const { resolve } = await import('node:path');
  const folderEnd = prefix.lastIndexOf('/') + 1;
  const [folder, namePrefix] = [prefix.slice(0, folderEnd), prefix.slice(folderEnd)];
  const entries = await readdir(resolve(cwd, folder || '.'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(namePrefix) && (namePrefix.startsWith('.') || !name.startsWith('.')))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort()
    .slice(0, MAX_PATHS);
}

const MAX_PATHS = 50;
