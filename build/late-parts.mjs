/**
 * What of a chunk is made when it is first used. A start made all of it, 60 of 320 ms of a profile, and used little:
 *
 * - Constants that are schemas, patterns with classes of Unicode (V8 loads tables for them), or made of these. `const a = object({…});` becomes
 *   a function that makes it once, and each `a` a call of it. They have no effect but their value.
 * - In the files that every start loads, patterns with such classes wherever they stand: V8 loads the tables as soon as
 *   it reads such a pattern, also in a function that never runs.
 * - Raw texts with characters beyond ASCII become plain ones, so that the file is ASCII: bin/load-program.js has one byte for each character.
 * - Parts of Node that are imported lazily are asked for as all others are: an import needs the loader of ES modules, 5 ms of CPU.
 */
import { parseAst } from 'rolldown/parseAst';

/** What makes a schema, or a class of schemas (zod). */
const MAKERS = new Set(
  '$constructor object strictObject looseObject union discriminatedUnion intersection array tuple record string number boolean literal _enum int unknown lazy preprocess pipe'.split(
    ' ',
  ),
);

/** The groups of build/bundle.mjs. In other chunks only the imports are changed. */
const OFTEN = ['start', 'look', 'talk', 'chat', 'terminal', 'acp', 'serve'];
/** Of these, the one that has no such pattern written out. */
const FIRST = 'start';

export const lateParts = {
  name: 'late-parts',
  // One plugin for all of it: of two that change a chunk in this way, only the changes of one remain.
  renderChunk(code, chunk, _options, { magicString }) {
    const isLoadedOften = OFTEN.includes(chunk.name);
    if (!isLoadedOften && !/import\(\s*["'`](?:node:|@vscode|libsql)/.test(code)) return null;
    const ast = parseAst(code);
    const late = isLoadedOften ? lateDeclarations(ast) : new Map();
    if (chunk.name === 'start' && late.size === 0) throw new Error('Nothing of the start is made late any more: see build/late-parts.mjs');
    for (const { statement, name, init } of late.values()) {
      magicString.overwrite(statement.start, init.start, `let ${name}$made; const ${name}$late = () => ${name}$made ??= (`);
      magicString.overwrite(init.end, statement.end, ');');
    }
    for (const { node, parent } of references(ast, late)) magicString.overwrite(node.start, node.end, callOf(node, parent));
    visit(ast, (node) => {
      // A script that V8 has compiled before cannot import by itself without a warning: bin/load-program.js does it.
      if (node.type === 'ImportExpression' && /^(?:@vscode|libsql)/.test(node.source.value))
        magicString.overwrite(node.start, node.source.start, '(require.importPackage ?? ((id) => import(id)))(');
      if (node.type === 'ImportExpression' && /^node:/.test(node.source.value))
        magicString.overwrite(node.start, node.end, `Promise.resolve(require(${JSON.stringify(node.source.value)}))`);
      if (chunk.name === FIRST && hasUnicodeClass(node))
        magicString.overwrite(
          node.start,
          node.end,
          `new RegExp(${JSON.stringify(node.regex.pattern)}, ${JSON.stringify(node.regex.flags)})`,
        );
      if (isRawText(node)) writeAsTemplate(node, magicString);
    });
    return { code: magicString };
  },
};

function callOf({ name }, parent) {
  if (parent.type === 'Property' && parent.shorthand) return `${name}: ${name}$late()`;
  return parent.type === 'NewExpression' ? `(${name}$late())` : `${name}$late()`;
}

const isRawText = ({ type, tag, quasi }) =>
  type === 'TaggedTemplateExpression' &&
  tag.object?.name === 'String' &&
  tag.property?.name === 'raw' &&
  quasi.quasis.some(({ value }) => /[^\0-\x7f]/.test(value.raw));

/** The same text without String.raw, whose characters beyond ASCII cannot be escaped. */
function writeAsTemplate({ tag, quasi }, magicString) {
  magicString.remove(tag.start, quasi.start);
  for (const { start, end, value } of quasi.quasis)
    if (value.raw !== '') magicString.overwrite(start, end, value.raw.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&'));
}

const hasUnicodeClass = (node) => node.type === 'Literal' && /\\p\{/i.test(node.regex?.pattern ?? '');

/** By their names: declarations of one constant at the top whose value is made of schemas or costly patterns, or of another of these. */
function lateDeclarations(ast) {
  const found = new Map();
  for (const statement of ast.body) {
    if (statement.type !== 'VariableDeclaration' || statement.kind !== 'const' || statement.declarations.length !== 1) continue;
    const [{ id, init }] = statement.declarations;
    if (id.type !== 'Identifier') continue;
    let isWorthwhile = false;
    let hasEffect = false;
    visitEvaluated(init, (node) => {
      isWorthwhile ||= isCostly(node) || (node.type === 'Identifier' && found.has(node.name));
      hasEffect ||= /^(?:Await|Assignment|Update)Expression$/.test(node.type);
    });
    if (isWorthwhile && !hasEffect) found.set(id.name, { statement, name: id.name, init });
  }
  return found;
}

/** A call of a maker, by its name or that of another chunk, and a pattern for which V8 loads tables of Unicode. */
function isCostly(node) {
  if (node.type === 'NewExpression') return node.callee.name === 'RegExp';
  if (hasUnicodeClass(node)) return true;
  if (node.type !== 'CallExpression') return false;
  const { callee } = node;
  const isOther = callee.type === 'MemberExpression' && !callee.computed && /^require_/.test(callee.object.name ?? '');
  return MAKERS.has((isOther ? callee.property : callee).name?.replace(/\$\d+$/, ''));
}

/** What is evaluated with an expression: not the bodies of functions in it. */
function visitEvaluated(node, see) {
  if (typeof node !== 'object' || node === null || /Function/.test(node.type ?? '')) return;
  if (typeof node.type === 'string') see(node);
  for (const child of Object.values(node)) visitEvaluated(child, see);
}

function namesIn(pattern) {
  if (pattern?.type === 'Identifier') return [pattern.name];
  if (pattern?.type === 'ObjectPattern') return pattern.properties.flatMap((each) => namesIn(each.argument ?? each.value));
  if (pattern?.type === 'ArrayPattern') return pattern.elements.flatMap(namesIn);
  return pattern?.type === 'AssignmentPattern' ? namesIn(pattern.left) : pattern?.type === 'RestElement' ? namesIn(pattern.argument) : [];
}

/** Where these constants are read: not where a name of a function or a block inside is meant. */
function references(ast, late) {
  const found = [];
  const hidden = new Map();
  const hide = (names, by) => {
    for (const name of names) hidden.set(name, (hidden.get(name) ?? 0) + by);
  };
  const look = (node, parent, key) => {
    if (Array.isArray(node)) for (const each of node) look(each, parent, key);
    if (typeof node?.type !== 'string') return;
    const isName = ['property', 'key', 'label', 'id'].includes(key) && !parent.computed;
    if (node.type === 'Identifier' && late.has(node.name) && !isName && !(hidden.get(node.name) > 0)) found.push({ node, parent });
    const names = node === ast ? [] : namesOfScope(node);
    hide(names, 1);
    for (const [name, child] of Object.entries(node)) look(child, node, name);
    hide(names, -1);
  };
  look(ast);
  return found;
}

/** What is declared for the inside of a function, a block, a loop, a clause or a class. */
function namesOfScope(node) {
  if (/Function/.test(node.type)) return [...node.params.flatMap(namesIn), ...namesIn(node.id), ...hoisted(node.body)];
  if (node.type === 'BlockStatement' || node.type === 'StaticBlock') return declaredBy(node.body);
  if (node.type === 'SwitchStatement') return declaredBy(node.cases.flatMap(({ consequent }) => consequent));
  if (/^For/.test(node.type)) return declaredBy([node.init ?? node.left]);
  if (node.type === 'CatchClause') return namesIn(node.param);
  return /^Class/.test(node.type) ? namesIn(node.id) : [];
}

const declaredBy = (statements) =>
  statements.flatMap((each) => {
    if (each?.type === 'VariableDeclaration') return each.declarations.flatMap(({ id }) => namesIn(id));
    return /^(?:Function|Class)Declaration$/.test(each?.type) ? namesIn(each.id) : [];
  });

/** `var` counts for the whole function. */
function hoisted(body) {
  const names = [];
  visitEvaluated(body, (node) => {
    if (node.type === 'VariableDeclaration' && node.kind === 'var') names.push(...declaredBy([node]));
  });
  return names;
}

function visit(node, see, parent, key) {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) for (const each of node) visit(each, see, parent, key);
  else {
    if (typeof node.type === 'string') see(node, parent, key);
    for (const [name, child] of Object.entries(node)) visit(child, see, node, name);
  }
}
