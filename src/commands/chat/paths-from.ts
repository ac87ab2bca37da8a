/** For completing a path as it is typed: the entries of the folder that a prefix names, by the prefix's last part. Hidden ones only when asked for by their dot. */
export async function pathsFrom(cwd: string, prefix: string): Promise<readonly string[]> {
  const { readdir } = await import('node:fs/promises');
  const { resolve } = await import('node:path');
  const cut = prefix.lastIndexOf('/') + 1;
  const [folder, start] = [prefix.slice(0, cut), prefix.slice(cut)];
  const entries = await readdir(resolve(cwd, folder || '.'), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
    .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .sort()
    .slice(0, MOST_PATHS);
}

const MOST_PATHS = 50;
