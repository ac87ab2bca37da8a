import ts from 'typescript-syntax';

/**
 * The faults that a source can hold. None is proposed that cannot matter: not in types, imports and the texts of both languages, and not where
 * another spelling means the same (the ends of `Math.max`, a comparator's size, `return await` outside of `try`, the order of names that the
 * system gives in order), and no round figure becomes one more: a limit of 3,001 ms or of 255 KB is none that anybody could tell.
 */
export type Fault = {
  readonly file: string;
  readonly line: number;
  readonly kind: 'comparison' | 'constant' | 'branch' | 'await' | 'call' | 'return' | 'arguments';
  /** What the fault takes the place of: an expression, or a whole statement. */
  readonly start: number;
  readonly end: number;
  readonly isStatement: boolean;
  /** What stands there instead: texts, and parts of the source. */
  readonly instead: readonly Part[];
  /** For a reader: `a < b → a <= b`. */
  readonly change: string;
};
export type Part = string | readonly [start: number, end: number];

type Proposal = Pick<Fault, 'kind' | 'instead'> & { readonly node: ts.Node; readonly at?: ts.Node };

/** `file` is its path from the root; faults come in the order of the tree. */
export function faultsIn(file: string, text: string): readonly Fault[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    if (isWithoutEffect(node)) return;
    for (const proposal of proposalsAt(node)) faults.push(faultOf(tree, proposal));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return faults;
}

function faultOf(tree: ts.SourceFile, { kind, instead, node, at = node }: Proposal): Fault {
  const [start, end] = rangeOf(node);
  const after = instead.map((part) => (typeof part === 'string' ? part : tree.text.slice(...part))).join('');
  return {
    file: tree.fileName,
    line: tree.getLineAndCharacterOfPosition(at.getStart()).line + 1,
    kind,
    start,
    end,
    isStatement: ts.isStatement(node),
    instead,
    change: `${short(tree.text.slice(start, end))} → ${short(after)}`,
  };
}

const rangeOf = (node: ts.Node): readonly [number, number] => [node.getStart(), node.end];

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? '(nothing)' : line.length <= 90 ? line : `${line.slice(0, 60)} … ${line.slice(-25)}`;
}

const isWithoutEffect = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  isInBothLanguages(node);

function isInBothLanguages(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false;
  const names = node.properties.map(({ name }) => name?.getText());
  return names.includes('en') && names.includes('zh');
}

function proposalsAt(node: ts.Node): readonly Proposal[] {
  if (ts.isBinaryExpression(node)) return [...comparisons(node), ...logic(node)];
  if (ts.isNumericLiteral(node)) return constants(node);
  if (ts.isIfStatement(node)) return branches(node.expression, node.elseStatement === undefined ? ['false'] : ['false', 'true']);
  if (ts.isConditionalExpression(node)) return arms(node);
  if (ts.isAwaitExpression(node)) return waits(node);
  if (ts.isExpressionStatement(node)) return isCall(node.expression) ? [{ kind: 'call', node, instead: [] }] : [];
  if (ts.isReturnStatement(node)) return returns(node);
  if (ts.isCallExpression(node)) return [...steps(node), ...swaps(node)];
  return ts.isNewExpression(node) ? swaps(node) : [];
}

const TURNED = new Map([
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['===', ['!==']],
  ['!==', ['===']],
]);

function comparisons(node: ts.BinaryExpression): readonly Proposal[] {
  const turned = TURNED.get(node.operatorToken.getText()) ?? [];
  // Of two different things a comparator says the same with `<` and with `<=`.
  return (isOfComparator(node) ? turned.slice(-1) : turned).map((operator) => ({
    kind: 'comparison',
    node,
    at: node.operatorToken,
    instead: [rangeOf(node.left), ` ${operator} `, rangeOf(node.right)],
  }));
}

const isOfComparator = ({ parent }: ts.Node): boolean =>
  ts.isConditionalExpression(parent) && [parent.whenTrue, parent.whenFalse].some((arm) => /^-?1$/.test(arm.getText()));

/** One side alone. The fallback of an index stays: most stand there for the compiler, and nothing ever takes them. */
function logic(node: ts.BinaryExpression): readonly Proposal[] {
  const { left, right, operatorToken } = node;
  const sides = { '&&': [left, right], '||': [left, right], '??': ts.isElementAccessExpression(left) ? [] : [left] };
  const operator = operatorToken.getText();
  if (operator !== '&&' && operator !== '||' && operator !== '??') return [];
  return sides[operator].map((side) => ({ kind: 'branch', node, at: operatorToken, instead: [rangeOf(side)] }));
}

/** In a comparator `1` becomes `0`, since 2 says the same. */
function constants(node: ts.NumericLiteral): readonly Proposal[] {
  const { parent } = node;
  if ((ts.isPropertyAssignment(parent) && parent.name === node) || isOfSize(node)) return [];
  const value = Number(node.text);
  const arm = ts.isPrefixUnaryExpression(parent) ? parent : node;
  const isSign = ts.isConditionalExpression(arm.parent) && arm.parent.condition !== arm && value === 1;
  return (isSign ? [0] : [value + 1, value - 1])
    .filter((other) => isTold(value) && (other >= 0 || !ts.isPrefixUnaryExpression(parent)))
    .map((other) => ({ kind: 'constant', node, instead: [`${other}`] }));
}

const isTold = (value: number): boolean => Number.isSafeInteger(value) && (value === 0 || value % ROUND !== 0);
const ROUND = 1_000;

/** `256 * 1024`. */
const isOfSize = (node: ts.Expression): boolean =>
  ts.isBinaryExpression(node.parent) && node.parent.operatorToken.kind === ts.SyntaxKind.AsteriskToken
    ? isOfSize(node.parent)
    : ts.isBinaryExpression(node) && node.getText().split(' * ').includes('1024');

const branches = (node: ts.Node, constantsInstead: readonly string[]): readonly Proposal[] =>
  constantsInstead.map((instead) => ({ kind: 'branch', node, instead: [instead] }));

/** One arm alone. In `...(a === undefined ? {} : { a })` it is the empty one: the other differs by a key that holds nothing. */
function arms(node: ts.ConditionalExpression): readonly Proposal[] {
  const isSpread = ts.isParenthesizedExpression(node.parent) && ts.isSpreadAssignment(node.parent.parent);
  const isForKey = isSpread && node.condition.getText().endsWith(' === undefined') && node.whenTrue.getText() === '{}';
  const kept = isForKey ? [node.whenTrue] : [node.whenTrue, node.whenFalse];
  return kept.map((arm) => ({ kind: 'branch', node, instead: [rangeOf(arm)] }));
}

function waits(node: ts.AwaitExpression): readonly Proposal[] {
  const isReturned = ts.isReturnStatement(node.parent) || ts.isArrowFunction(node.parent);
  return isReturned && !isInTry(node) ? [] : [{ kind: 'await', node, instead: [rangeOf(node.expression)] }];
}

function isInTry({ parent }: ts.Node): boolean {
  if (ts.isFunctionLike(parent) || ts.isSourceFile(parent)) return false;
  return ts.isTryStatement(parent) || isInTry(parent);
}

const isCall = (node: ts.Expression): boolean =>
  ts.isAwaitExpression(node) || ts.isVoidExpression(node)
    ? isCall(node.expression)
    : ts.isCallExpression(node) && node.expression.kind !== ts.SyntaxKind.SuperKeyword;

/** Not the last of a function where it says nothing. */
function returns(node: ts.ReturnStatement): readonly Proposal[] {
  const { expression, parent } = node;
  const isEmpty = expression === undefined || expression.getText() === 'undefined';
  const isLast = ts.isBlock(parent) && ts.isFunctionLike(parent.parent) && parent.statements.at(-1) === node;
  if (isEmpty && isLast) return [];
  return [{ kind: 'return', node, instead: expression === undefined ? [] : ['(', rangeOf(expression), ');'] }];
}

/** What gives the same kind of thing back as it is called on. */
const STEPS = new Set(
  'trim trimStart trimEnd slice sort toSorted reverse toReversed toSpliced filter concat toLowerCase toUpperCase replace replaceAll normalize padStart padEnd'.split(
    ' ',
  ),
);

function steps(node: ts.CallExpression): readonly Proposal[] {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || !STEPS.has(expression.name.text) || ts.isOptionalChain(node)) return [];
  // A copy for those who would change it; and what is called on a class (`Buffer.concat`) gives another kind.
  if ((expression.name.text === 'slice' && node.arguments.length === 0) || /^[A-Z]\w*$/.test(expression.expression.getText())) return [];
  if (expression.name.text === 'sort' && node.arguments.length === 0 && NAMES.test(expression.getText())) return [];
  return [{ kind: 'call', node, at: expression.name, instead: [rangeOf(expression.expression)] }];
}

/** Names in a folder, whose order the system makes, and none of their parts. */
const NAMES = /^(?:namesIn|readdirSync)\((?:(?!\.map\().)*$/s;

const SYMMETRIC = new Set(['Math.max', 'Math.min', 'Object.is', 'isDeepStrictEqual']);

function swaps(node: ts.CallExpression | ts.NewExpression): readonly Proposal[] {
  if (SYMMETRIC.has(node.expression.getText()) || ts.isOptionalChain(node)) return [];
  const [start, end] = rangeOf(node);
  return (node.arguments ?? []).flatMap((second, index, all) => {
    const first = all[index - 1];
    if (first === undefined || !isValue(first) || !isValue(second) || first.getText() === second.getText()) return [];
    const instead: readonly Part[] = [
      [start, first.getStart()],
      rangeOf(second),
      [first.end, second.getStart()],
      rangeOf(first),
      [second.end, end],
    ];
    return [{ kind: 'arguments', node, at: first, instead }];
  });
}

const isValue = (node: ts.Expression): boolean =>
  !ts.isSpreadElement(node) && !ts.isArrowFunction(node) && !ts.isFunctionExpression(node) && !ts.isObjectLiteralExpression(node);
