import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { roll } from './roll.mjs';

/**
 * The entries of the library by the names in `exports` of package.json. `sanbot/context` is a bundle of its own, so that it loads nothing of
 * the program; `sanbot` hands on what dist/bundle has.
 */
const ENTRIES = {
  context: { source: 'src/library/context.ts', name: 'sanbot/context' },
  sanbot: { source: 'src/library/sanbot.ts', name: 'sanbot' },
};

const TYPES = ['src/library/context-types.ts', 'src/library/agent-types.ts'];

/** Resolves when dist/exports holds the present entries with their declarations. */
export async function buildLibrary(root, { plugins, streamSchema, errorCodes }) {
  const target = join(root, 'dist', 'exports');
  const output = await roll({ context: ENTRIES.context.source }, target, { plugins, format: 'es' });
  const chunks = output.filter(({ type }) => type === 'chunk');
  const others = chunks
    .flatMap(({ imports }) => imports)
    .filter((name) => !isBuiltin(name) && !chunks.some(({ fileName }) => fileName === name));
  if (others.length > 0) throw new Error(`sanbot/context imports what is not in it: ${others.join(', ')}`);
  const files = new Map(chunks.map(({ fileName, code }) => [fileName, code.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n')]));
  files.set('sanbot.js', "import bundle from '../bundle/library.js';\nexport const { SanbotError, createAgent } = bundle;\n");
  for (const [name, text] of declarations(root, streamSchema, errorCodes)) files.set(name, text);
  mkdirSync(target, { recursive: true });
  // The entries last, as of the program.
  for (const name of [...files.keys()].toSorted((a, b) => Number(a in ENTRIES) - Number(b in ENTRIES)))
    put(join(target, name), files.get(name));
  for (const name of readdirSync(target).filter((each) => !files.has(each))) rmSync(join(target, name), { force: true });
}

function put(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** One file with every type and value, and for each entry one that names its own. */
function declarations(root, streamSchema, errorCodes) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const entries = Object.entries(ENTRIES).map(([file, { source, name }]) => ({ file, name, values: valuesOf(read(source)) }));
  const heads = entries.map(({ name, values }) => `// ${name}: ${['SanbotError', ...values.map(([each]) => each)].join(', ')}`);
  const types = TYPES.map((file) =>
    read(file)
      .replace(/^import type [^;]*;\n+/gm, '')
      .trim(),
  );
  const consts = new Map(entries.flatMap(({ values }) => values));
  const library = [
    heads.join('\n'),
    ASYNC_DISPOSE,
    ...types,
    eventTypes(streamSchema),
    errorTypes(errorCodes),
    [...consts].map(([name, type]) => `export declare const ${name}: ${type};`).join('\n'),
  ].join('\n\n');
  return [
    ['library.d.ts', `${library}\n`],
    ...entries.map(({ file, values }) => [
      `${file}.d.ts`,
      `export type * from './library.js';\nexport { ${['SanbotError', ...values.map(([name]) => name)].join(', ')} } from './library.js';\n`,
    ]),
  ];
}

/** Of a newer ECMAScript than a project may be compiled for. */
const ASYNC_DISPOSE = 'declare global {\n  interface SymbolConstructor {\n    readonly asyncDispose: unique symbol;\n  }\n}';

/** What an entry exports: constants whose types have names. */
const valuesOf = (text) => [...text.matchAll(/^export const (\w+): (\w+)/gm)].map(([, name, type]) => [name, type]);

const errorTypes = (codes) => `/** What all errors of the library are; docs/library.md says what each code means. */
export declare class SanbotError extends Error {
  readonly name: 'SanbotError';
  readonly code: ${codes.map((code) => `'${code}'`).join(' | ')};
  /** A way out. */
  readonly hint: string;
}`;

function eventTypes({ $defs: { output } }) {
  const isResult = ({ properties }) => properties.type.const === 'result';
  const events = output.anyOf.filter((event) => !isResult(event)).map((event) => `\n  | ${typeOf(event)}`);
  return `/** An event as \`stream-json\` has it; docs/commands.md says what each means. */\nexport type StreamEvent =${events.join('')};

/** The line that ends a turn in \`stream-json\`. */\nexport type ResultEvent = ${typeOf(output.anyOf.find(isResult))};`;
}

/** A schema of JSON as a type. Throws for what it does not know. */
function typeOf(schema) {
  const { type, anyOf, properties, required = [], items } = schema;
  if (Object.keys(schema).length === 0) return 'unknown';
  if ('const' in schema) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.enum !== undefined) return schema.enum.map((each) => `'${each}'`).join(' | ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(' | ');
  if (type === 'array') return `readonly (${typeOf(items)})[]`;
  if (['string', 'boolean', 'null', 'number'].includes(type)) return type;
  if (type === 'integer') return 'number';
  if (type !== 'object') throw new Error(`No type is known for the schema ${JSON.stringify(schema)}`);
  const field = ([name, value]) => `readonly ${name}${required.includes(name) ? `: ${typeOf(value)}` : `?: ${typeOf(value)} | undefined`}`;
  return `{ ${Object.entries(properties).map(field).join('; ')} }`;
}
