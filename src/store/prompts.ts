import { join } from 'node:path';
import { SanbotError } from '../domain/errors.ts';
import { inspectText } from '../domain/text.ts';
import { printablePath } from './files/paths.ts';
import { readText } from './files/read-text.ts';

const MAX_BYTES = 1_000_000;

/** Returns the text of `{folder}/{name}.md`; a name is "system" or "tools/read_file". Throws internal, naming the file that is missing. */
export function readPrompt(folder: string, name: string): string {
  if (!/^[a-z0-9_-]+(\/[a-z0-9_-]+)*$/.test(name)) throw new Error(`not the name of a prompt: ${inspectText(name)}`);
  const path = join(folder, `${name}.md`);
  const text = readText(path, MAX_BYTES);
  if (text !== undefined) return text;
  throw new SanbotError(
    'internal',
    { en: `The prompt ${printablePath(path)} is missing`, zh: `缺少提示词 ${printablePath(path)}` },
    { en: 'Part of the installation is missing: install SanBot again.', zh: '安装不完整：请重新安装 SanBot。' },
  );
}
