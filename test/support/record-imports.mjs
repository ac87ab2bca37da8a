// Loaded with `node --import`: writes the address of every module that is imported to the file in IMPORTS, one a line.
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';

const source = `
import { appendFileSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  appendFileSync(${JSON.stringify(process.env.IMPORTS)}, resolved.url + '\\n');
  return resolved;
}`;
appendFileSync(process.env.IMPORTS, '');
register(`data:text/javascript,${encodeURIComponent(source)}`);
