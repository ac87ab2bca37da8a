import { deepStrictEqual } from 'node:assert';
import { join } from 'node:path';
import { loadSource } from './load-source.mjs';

/** Sources with one function that always returns the same: a start would build some hundred schemas for it. */
const COMPUTED = [
  { file: 'src/domain/config/config-defaults.ts', name: 'configDefaults' },
  { file: 'src/domain/event/audit-types.ts', name: 'auditTypes' },
  { file: 'src/tools/input-schemas.ts', name: 'inputSchemas' },
];

/** Resolves with the plugin that puts in the place of these functions what they return. Rejects for what JSON cannot hold. */
export async function computedParts(root) {
  const texts = new Map();
  for (const { file, name } of COMPUTED) {
    const value = (await loadSource(root, file))[name]();
    const json = JSON.stringify(value);
    deepStrictEqual(JSON.parse(json), value, `${name} of ${file} returns what is not JSON`);
    texts.set(join(root, file), `export const ${name} = () => JSON.parse(${JSON.stringify(json)});`);
  }
  return { name: 'computed-parts', load: (id) => texts.get(id) ?? null };
}
