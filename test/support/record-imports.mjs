// Loaded with `node --import`: writes the address of every module that is imported, and of every file of the bundle that is run, to the file in
// IMPORTS, one a line; behind that of a file, whether V8 has taken it from the code cache. At the end,
// the parts of Node that are loaded.
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';
import vm from 'node:vm';

const note = (line) => appendFileSync(process.env.IMPORTS, `${line}\n`);

const source = `
import { appendFileSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  appendFileSync(${JSON.stringify(process.env.IMPORTS)}, resolved.url + '\\n');
  return resolved;
}`;
appendFileSync(process.env.IMPORTS, '');
register(`data:text/javascript,${encodeURIComponent(source)}`);

process.once('exit', () => {
  for (const name of process.moduleLoadList) if (name.startsWith('NativeModule ')) note(`node:${name.slice('NativeModule '.length)}`);
});

vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    note(`${options.filename} ${this.cachedDataRejected === false ? 'cached' : 'compiled'}`);
  }
};
