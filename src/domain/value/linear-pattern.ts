/** True where the text contains a match. */
export type LinearPattern = (text: string) => boolean;

/** What a pattern may grow to when its counts are written out. */
const MAX_NODES = 1_000;
const MAX_DEPTH = 100;
const MAX_LOOKAHEADS = 4;

/**
 * Compiles a regular expression that others wrote, for short texts. It does not backtrack, so no pattern takes for ever: the time grows
 * with the text, with the square of it where the pattern looks ahead. Means what JavaScript means by it, over UTF-16 units; references
 * back, looking behind, and what grows too large are left out. Returns undefined for what is no such expression.
 */
export function linearPattern(source: string): LinearPattern | undefined {
  try {
    // Says what is no expression at all; nothing is ever matched with it.
    new RegExp(source);
    const program = compile(source);
    return (text) => runs(program, { text, known: new Map() }, undefined);
  } catch {
    return undefined;
  }
}

/** `next` are places in the program; one without any is the end of a match. */
type Node =
  | { readonly kind: 'unit'; readonly takes: RegExp; readonly next: number }
  | { readonly kind: 'fork'; next: readonly number[] }
  | { readonly kind: 'assert'; readonly holds: (subject: Subject, at: number) => boolean; readonly next: number }
  | { readonly kind: 'end' };

type Program = { readonly nodes: readonly Node[]; readonly start: number };

/** A text, and for each pattern that looks ahead whether it holds at a place. */
type Subject = { readonly text: string; readonly known: Map<Program, Map<number, boolean>> };

/** Each pair of a node and a place is looked at once. `from`: where the match begins; anywhere when undefined. */
function runs({ nodes, start }: Program, subject: Subject, from: number | undefined): boolean {
  const { text } = subject;
  const width = text.length + 1;
  const seen = new Uint8Array(nodes.length * width);
  const open: number[] = [];
  const visit = (node: number, at: number): void => {
    const place = node * width + at;
    if (seen[place] === 1) return;
    seen[place] = 1;
    open.push(place);
  };
  if (from === undefined) for (let at = 0; at < width; at++) visit(start, at);
  else visit(start, from);
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const at = place % width;
    const node = nodes[(place - at) / width];
    if (node === undefined || node.kind === 'end') return true;
    if (node.kind === 'fork') for (const next of node.next) visit(next, at);
    else if (node.kind === 'unit') {
      if (at < text.length && node.takes.test(text.charAt(at))) visit(node.next, at + 1);
    } else if (node.holds(subject, at)) visit(node.next, at);
  }
  return false;
}

function holdsAhead(program: Program, subject: Subject, at: number): boolean {
  const known = subject.known.get(program) ?? new Map<number, boolean>();
  subject.known.set(program, known);
  const holds = known.get(at) ?? runs(program, subject, at);
  known.set(at, holds);
  return holds;
}

/** Builds the nodes that lead to `next`, from the end of the pattern to its beginning, and returns the first of them. */
type Part = (nodes: Node[], next: number) => number;

function compile(source: string): Program {
  const reader = { source, at: 0, depth: 0, lookaheads: 0 };
  const part = readAlternatives(reader);
  if (reader.at < source.length) throw new SyntaxError('unmatched )');
  return programOf(part);
}

function programOf(part: Part): Program {
  const nodes: Node[] = [{ kind: 'end' }];
  return { start: part(nodes, 0), nodes };
}

function add(nodes: Node[], node: Node): number {
  if (nodes.length >= MAX_NODES) throw new RangeError('too large');
  return nodes.push(node) - 1;
}

type Reader = { readonly source: string; at: number; depth: number; lookaheads: number };

function readAlternatives(reader: Reader): Part {
  reader.depth += 1;
  if (reader.depth > MAX_DEPTH) throw new RangeError('too deep');
  const parts = [readSequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    parts.push(readSequence(reader));
  }
  reader.depth -= 1;
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return (nodes, next) => add(nodes, { kind: 'fork', next: parts.map((part) => part(nodes, next)) });
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) parts.push(readRepeated(reader));
  return (nodes, next) => parts.reduceRight((after, part) => part(nodes, after), next);
}

const COUNT = /^(?:[*+?]|\{(\d{1,9})(,(\d{0,9}))?\})\??/;

function readRepeated(reader: Reader): Part {
  const part = readAtom(reader);
  const [found, least, comma, most] = COUNT.exec(reader.source.slice(reader.at, reader.at + 24)) ?? [];
  if (found === undefined) return part;
  reader.at += found.length;
  if (found.startsWith('*')) return repeated(part, 0, undefined);
  if (found.startsWith('+')) return repeated(part, 1, undefined);
  if (found.startsWith('?')) return repeated(part, 0, 1);
  const min = Number(least);
  return repeated(part, min, comma === undefined ? min : most === '' ? undefined : Number(most));
}

const repeated =
  (part: Part, min: number, max: number | undefined): Part =>
  (nodes, next) => {
    let first = next;
    if (max === undefined) {
      const loop: Extract<Node, { kind: 'fork' }> = { kind: 'fork', next: [] };
      first = add(nodes, loop);
      loop.next = [part(nodes, first), next];
    } else for (let n = min; n < max; n++) first = add(nodes, { kind: 'fork', next: [part(nodes, first), next] });
    for (let n = 0; n < min; n++) {
      // A part without a node of its own does not make the program larger, so it is not counted either.
      const before = nodes.length;
      first = part(nodes, first);
      if (nodes.length === before) break;
    }
    return first;
  };

function readAtom(reader: Reader): Part {
  const char = reader.source.charAt(reader.at);
  if (char === '(') return readGroup(reader);
  if (char === '^') return asserting(reader, 1, (_, at) => at === 0);
  if (char === '$') return asserting(reader, 1, ({ text }, at) => at === text.length);
  if (char === '[') return readUnit(reader, endOfClass(reader));
  return char === '\\' ? readEscape(reader) : readUnit(reader, reader.at + 1);
}

function readGroup(reader: Reader): Part {
  const [head = '('] = /^\((?:\?(?::|=|!|<(?![=!])[^>]{1,100}>))?/.exec(reader.source.slice(reader.at, reader.at + 110)) ?? [];
  if (head === '(' && reader.source[reader.at + 1] === '?') throw new SyntaxError('a group of a kind that is left out');
  reader.at += head.length;
  const part = readAlternatives(reader);
  if (reader.source[reader.at] !== ')') throw new SyntaxError('unclosed group');
  reader.at += 1;
  if (head !== '(?=' && head !== '(?!') return part;
  reader.lookaheads += 1;
  if (reader.lookaheads > MAX_LOOKAHEADS) throw new RangeError('looks ahead too often');
  const program = programOf(part);
  const wanted = head === '(?=';
  return (nodes, next) => add(nodes, { kind: 'assert', holds: (subject, at) => holdsAhead(program, subject, at) === wanted, next });
}

/** Classes have no brackets in them without the flag v. */
function endOfClass({ source, at }: Reader): number {
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end += 1;
    else if (source[end] === ']') return end + 1;
  }
  throw new SyntaxError('unclosed class');
}

function readEscape(reader: Reader): Part {
  const { source, at } = reader;
  const [sign = ''] = /^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|[\s\S])/.exec(source.slice(at, at + 6)) ?? [];
  if (/^\\[1-9k]/.test(sign) || /^\\0\d/.test(source.slice(at, at + 3))) throw new SyntaxError('a back-reference');
  if (sign === '\\b') return asserting(reader, 2, isWordEdge);
  if (sign === '\\B') return asserting(reader, 2, (subject, place) => !isWordEdge(subject, place));
  return readUnit(reader, at + sign.length);
}

const isWordEdge = ({ text }: Subject, at: number): boolean => /\w/.test(text.charAt(at - 1)) !== /\w/.test(text.charAt(at));

function asserting(reader: Reader, length: number, holds: (subject: Subject, at: number) => boolean): Part {
  reader.at += length;
  return (nodes, next) => add(nodes, { kind: 'assert', holds, next });
}

/** One unit of the text, as the expression for it alone says. */
function readUnit(reader: Reader, end: number): Part {
  const unit = reader.source.slice(reader.at, end);
  reader.at = end;
  const takes = new RegExp(`^${/^[{}\]]$/.test(unit) ? `\\${unit}` : unit}$`);
  return (nodes, next) => add(nodes, { kind: 'unit', takes, next });
}
