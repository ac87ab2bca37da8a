import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { lateParts } from '../../../build/late-parts.mjs';

/** What the code exports when it is bundled, and the names that its maker of schemas was asked for so far. */
async function bundled(code: string, name = 'talk') {
  const made: string[] = [];
  const build = await rolldown({
    input: { [name]: 'entry' },
    plugins: [
      { name: 'one-file', resolveId: (id) => id, load: () => `const object = globalThis.makeSchema;\n${code}` },
      lateParts as never,
    ],
    experimental: { nativeMagicString: true },
  });
  const { output } = await build.generate({ format: 'cjs' });
  await build.close();
  const module = { exports: {} as Record<string, never> };
  const makeSchema = (name: string, ...parts: readonly unknown[]) => {
    made.push(name);
    return { name, parts, parse: (value: unknown) => `${name} ${value}` };
  };
  new Function('module', 'exports', 'globalThis', 'require', output[0].code)(module, module.exports, { makeSchema }, () => ({ a: 1 }));
  return {
    made,
    exports: module.exports as Record<string, (...args: unknown[]) => unknown> & Record<string, unknown>,
    code: output[0].code,
  };
}

test('a schema is made when it is first used, once, with those that it is made of', async () => {
  const { made, exports } = await bundled(`
    const inner = object('inner');
    const outer = object('outer', { inner }, [inner]);
    const table = { outer, other: object('other') };
    export const parse = (value) => outer.parse(value);
    export const names = () => Object.keys(table);
    export const whole = () => outer;`);
  expect(made).toEqual([]);
  expect([exports.parse?.(1), exports.parse?.(2)]).toEqual(['outer 1', 'outer 2']);
  expect(made).toEqual(['inner', 'outer']);
  expect(exports.whole?.()).toMatchObject({ name: 'outer', parts: [{ inner: { name: 'inner' } }, [{ name: 'inner' }]] });
  expect([exports.names?.(), made]).toEqual([
    ['outer', 'other'],
    ['inner', 'outer', 'other'],
  ]);
});

test('a name that means something else inside is told from the constant', async () => {
  const { made, exports } = await bundled(`
    const shape = object('shape');
    export const own = (shape) => [shape, { shape }, ({ shape: 1 }).shape];
    export const inside = (list) => {
      const found = [];
      for (const shape of list) found.push(shape);
      { const shape = 'block'; found.push(shape); }
      try { throw 'caught'; } catch (shape) { found.push(shape); }
      switch (list.length) { default: { let shape = 'case'; found.push(shape); } }
      (function shape() { found.push(typeof shape); })();
      (() => { if (list) { var shape = 'var'; } found.push(shape); })();
      const [{ inner: [shape2 = 'default'] = [] }] = [{}];
      return [...found, shape2, shape.name];
    };
    export const read = () => shape.name;`);
  expect(made).toEqual([]);
  expect(exports.own?.('mine')).toEqual(['mine', { shape: 'mine' }, 1]);
  expect(made).toEqual([]);
  expect(exports.inside?.(['each'])).toEqual(['each', 'block', 'caught', 'case', 'function', 'var', 'default', 'shape']);
  expect([exports.read?.(), made]).toEqual(['shape', ['shape']]);
});

test('properties, keys and classes of the same name are left alone', async () => {
  const { exports } = await bundled(`
    const schema = object('schema');
    const Kind = object('Kind', class { constructor(word) { this.word = word; } }).parts[0];
    export const all = (other) => [other.schema, { schema: 2 }.schema, { schema }.schema.name, other['schema'], new Kind('made').word];`);
  expect(exports.all?.({ schema: 1 })).toEqual([1, 2, 'schema', 1, 'made']);
});

test('patterns with classes of Unicode are late too, and what has an effect is not', async () => {
  const { code, exports } = await bundled(`
    const LETTER = /^\\p{L}+$/u;
    let calls = 0;
    const counted = object('counted', calls += 1);
    export const isWord = (text) => LETTER.test(text) && counted.name !== '';
    export const count = () => calls;`);
  expect(code).toMatch(/LETTER\$late = \(\) => LETTER\$made \?\?= /);
  expect([exports.count?.(), exports.isWord?.('Wort'), exports.isWord?.('2')]).toEqual([1, true, false]);
});

test('no such pattern is written out in what every start loads, also in no function that makes it late', async () => {
  const { code, exports } = await bundled(
    `
    const LETTER = /^\\p{L}+$/u;
    const schema = object('schema');
    export const isWord = (text) => LETTER.test(text) && schema.name !== '';
    export const isFigure = (text) => /^\\p{Nd}\\/?$/v.test(text);`,
    'start',
  );
  expect(code).toContain('RegExp');
  expect(code).not.toMatch(/\/\S*\\p\{.*\/[uv]/);
  expect([exports.isWord?.('Wort'), exports.isWord?.('2'), exports.isFigure?.('2/'), exports.isFigure?.('x')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});
