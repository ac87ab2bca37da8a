import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { lateParts } from './late-parts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Packages with a binary of their own. They alone are installed beside the bundle. */
export const EXTERNAL = ['@vscode/ripgrep', 'libsql'];

/** What the entries and all that they import become. */
export async function roll(input, target, { plugins = [], groups, format = 'cjs' } = {}) {
  const made = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: EXTERNAL,
    // Its paths name declarations of types.
    tsconfig: false,
    // The CommonJS form of some packages loads its parts by names that are not known before it runs.
    resolve: { mainFields: ['module', 'main'] },
    // A module that is imported lazily in one place and at once in another is no mistake: it is lazy where the first place runs alone.
    // What asks for import.meta (unpdf) looks for files that are not bundled, and does without.
    checks: { ineffectiveDynamicImport: false, emptyImportMeta: false },
    plugins: [...plugins, lateSegmenter, lateRequests, noColourDetection, plainHeaders, lateParts],
    experimental: { nativeMagicString: true },
  });
  const { output } = await made.generate({
    dir: target,
    format,
    ...(format === 'cjs' && { banner: '"use strict";' }),
    sourcemap: true,
    // What is ASCII is not decoded by bin/load-program.js, and takes one byte for a character instead of two.
    charset: 'ascii',
    chunkFileNames: '[name]-[hash].js',
    minify: { mangle: true },
    // build/late-parts.mjs knows schemas by the names of what makes them.
    minifyInternalExports: false,
    codeSplitting: groups && { groups },
  });
  await made.close();
  return output;
}

/** string-width makes a segmenter as it is loaded: 30 to 40 ms of CPU of each start, for the rare text that has to be segmented. */
const lateSegmenter = {
  name: 'late-segmenter',
  transform(code, id) {
    if (id !== realpathSync(join(root, 'node_modules', 'string-width', 'index.js'))) return null;
    const made = 'const segmenter = new Intl.Segmenter();';
    if (!code.includes(made)) throw new Error('string-width no longer makes its segmenter as it did: see lateSegmenter in build/roll.mjs');
    return {
      code: code.replace(made, 'let made; const segmenter = {segment: text => (made ??= new Intl.Segmenter()).segment(text)};'),
      map: null,
    };
  },
};

/**
 * The library of the editors' protocol makes the schemas of all requests for the first, where a prompt needs those of
 * three, and Zod compiles code for each object in them, which pays off only where many are read.
 */
const lateRequests = {
  name: 'late-requests',
  transform(code, id) {
    if (id !== realpathSync(join(root, 'node_modules', '@agentclientprotocol', 'sdk', 'dist', 'v1', 'stable', 'acp.js'))) return null;
    const late = code.replaceAll(/(Spec\(schema\.[\w.]+, )(validate\.\w+)/g, '$1(params) => $2.parse(params, { jitless: true })');
    if (late === code) throw new Error('The protocol of editors no longer names its schemas as it did: see lateRequests in build/roll.mjs');
    return { code: late, map: null };
  },
};

/** chalk asks for terminals as it is loaded, for which Node loads its network. Who uses it here says how many colours there are. */
const noColourDetection = {
  name: 'no-colour-detection',
  load: (id) =>
    id === realpathSync(join(root, 'node_modules', 'chalk', 'source', 'vendor', 'supports-color', 'index.js'))
      ? 'export default { stdout: false, stderr: false };'
      : null,
};

/** The library that asks the Messages API makes headers of Node's class, for which Node loads all of fetch: a quarter of a first request. */
const plainHeaders = {
  name: 'plain-headers',
  transform(code, id) {
    if (!/@anthropic-ai.sdk/.test(id) || !/(?:new|instanceof) Headers\b/.test(code)) return null;
    const from = JSON.stringify(join(root, 'src', 'net', 'plain-headers.ts'));
    return { code: `import { PlainHeaders as Headers } from ${from}; ${code}`, map: null };
  },
};
