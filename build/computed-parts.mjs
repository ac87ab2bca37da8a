import { deepStrictEqual } from 'node:assert';
import { join } from 'node:path';
import { loadSource } from './load-source.mjs';

/** Sources with one function that always returns the same: a start would build some hundred schemas for it, and look at thousands of words. */
export const COMPUTED = [
  { file: 'src/domain/config/config-defaults.ts', name: 'configDefaults' },
  { file: 'src/domain/event/audit-types.ts', name: 'auditTypes' },
  { file: 'src/tools/input-schemas.ts', name: 'inputSchemas' },
  { file: 'src/context/sentence/word-lines.ts', name: 'wordLines' },
];

/** Resolves with the plugin that puts in the place of these functions what they return. Rejects for what JSON cannot hold. */
export async function computedParts(root) {
  const texts = new Map();
  for (const { file, name } of COMPUTED) {
    const value = (await loadSource(root, file))[name]();
    const json = JSON.stringify(value);
    deepStrictEqual(JSON.parse(json), value, `${name} of ${file} returns what is not JSON`);
    // A string of ASCII takes V8 one byte for a character, in the code cache too.
    const ascii = json.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
    texts.set(join(root, file), `export const ${name} = () => JSON.parse(${JSON.stringify(ascii)});`);
  }
  return { name: 'computed-parts', load: (id) => texts.get(id) ?? null };
}
