// What is masked in code and texts that hold no secret of yours: npm run bench:masked -- [FOLDER…]
// Reads every text file of up to 3 MB once, in the folders named, else in those of what is installed here that exist. Printed are each masked
// place, for a person to read, and how many there are per language. What remains should be keys of tests and passwords of examples.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { redact } from '../src/domain/value/redact.ts';
import { count } from './table.ts';

const INSTALLED: readonly string[] = ['node_modules', 'bench/node_modules', '/usr/lib', '/usr/share'];
const MOST_BYTES = 3_000_000;
const FIRST_BYTES = 4_000;
const SHOWN_CHARS = 70;

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ js: 'JavaScript', mjs: 'JavaScript', cjs: 'JavaScript', jsx: 'JavaScript', ts: 'TypeScript', mts: 'TypeScript', cts: 'TypeScript' },
  ...{ tsx: 'TypeScript', py: 'Python', pyi: 'Python', c: 'C', h: 'C', cc: 'C++', cpp: 'C++', hpp: 'C++', go: 'Go', rs: 'Rust' },
  ...{ java: 'Java', kt: 'Kotlin', rb: 'Ruby', pl: 'Perl', pm: 'Perl', pod: 'Perl', php: 'PHP', sh: 'Shell', bash: 'Shell', lua: 'Lua' },
  ...{ json: 'JSON', map: 'JSON', yml: 'YAML', yaml: 'YAML', toml: 'TOML', ini: 'INI', conf: 'INI', xml: 'XML', html: 'HTML', css: 'CSS' },
  ...{ md: 'prose', txt: 'prose', rst: 'prose', el: 'Lisp', tcl: 'Tcl', vim: 'Vim script', sql: 'SQL', cmake: 'CMake', r: 'R' },
};

type Masked = { readonly kind: string; readonly line: string };

/** Where the redacted text has a mark that the text has not. */
function maskedIn(text: string): readonly Masked[] {
  const out = redact(text);
  if (out === text) return [];
  const found: Masked[] = [];
  let at = 0;
  let copied = 0;
  for (const mark of out.matchAll(/\[redacted ([^\]\n]+)\]/g)) {
    const start = at + mark.index - copied;
    copied = mark.index + mark[0].length;
    at = start + mark[0].length;
    if (text.startsWith(mark[0], start)) continue;
    const after = out.slice(copied, copied + SHOWN_CHARS).split('[redacted', 1)[0] ?? '';
    const end = after === '' ? text.length : text.indexOf(after, start);
    at = end;
    const before = text.slice(Math.max(text.lastIndexOf('\n', start - 1) + 1, start - SHOWN_CHARS), start);
    found.push({
      kind: mark[1] ?? '',
      line: `${before}⟦${text.slice(start, Math.min(end, start + SHOWN_CHARS))}⟧${after.split('\n', 1)[0]}`,
    });
  }
  return found;
}

function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}

/** Undefined for what is no text, or too long. */
function textOf(path: string): Buffer | undefined {
  if (statSync(path).size > MOST_BYTES) return undefined;
  const bytes = readFileSync(path);
  return bytes.subarray(0, FIRST_BYTES).includes(0) ? undefined : bytes;
}

const named = process.argv.slice(2);
const folders = (named.length === 0 ? INSTALLED : named).filter((each) => statSync(each, { throwIfNoEntry: false })?.isDirectory());
const seen = new Set<string>();
const languages = new Map<string, { files: number; bytes: number; places: number }>();
for (const path of folders.flatMap((folder) => [...filesIn(folder)])) {
  const bytes = textOf(path);
  const hash = bytes === undefined ? '' : createHash('sha1').update(bytes).digest('base64');
  if (bytes === undefined || seen.has(hash)) continue;
  seen.add(hash);
  const places = maskedIn(bytes.toString());
  for (const { kind, line } of places) console.log(`${path}: ${kind}: ${JSON.stringify(line)}`);
  const language = LANGUAGES[extname(path).slice(1).toLowerCase()] ?? 'other';
  const sum = languages.get(language) ?? { files: 0, bytes: 0, places: 0 };
  languages.set(language, { files: sum.files + 1, bytes: sum.bytes + bytes.length, places: sum.places + places.length });
}
console.log(`\nmasked places per language, in ${folders.join(', ')}`);
for (const [language, { files, bytes, places }] of [...languages].toSorted(([, a], [, b]) => b.bytes - a.bytes))
  console.log(`${language.padEnd(12)}${count(places).padStart(6)} in ${(bytes / 1e6).toFixed(1).padStart(7)} MB, ${count(files)} files`);
const all = [...languages.values()];
console.log(
  `${count(all.reduce((sum, { places }) => sum + places, 0))} in ${(all.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1)} MB`,
);
