import ts from 'typescript-syntax';
import type { Fault } from './faults.ts';

/**
 * Sources with all faults in them at once, each behind a switch, so that they are compiled and bundled once. Which fault is on stands in a
 * file, since most tests hide their variables from the processes that they start; each process reads it once. No line is added or moved.
 */
export type Numbered = Fault & { readonly id: number };

/** `path` is the file that holds the number of the fault that is on, or 0 for none. */
export function withSwitches(text: string, faults: readonly Numbered[], path: string): string {
  if (faults.length === 0) return text;
  const read = `Number(process.getBuiltinModule("node:fs").readFileSync(${JSON.stringify(path)},"utf8"))`;
  return `const fault$=(globalThis.fault$??=${read});${render(text, faults, [0, text.length])}`;
}

function render(text: string, faults: readonly Numbered[], [start, end]: readonly [number, number]): string {
  const inside = faults.filter((fault) => fault.start >= start && fault.end <= end).toSorted((a, b) => a.start - b.start || b.end - a.end);
  let done = start;
  let rendered = '';
  for (const fault of inside) {
    if (fault.start < done) continue;
    const others = inside.filter((other) => other !== fault);
    const original = render(text, others, [fault.start, fault.end]);
    const instead = fault.instead.map((part) => (typeof part === 'string' ? part : render(text, others, part))).join('');
    rendered += `${text.slice(done, fault.start)}${choice(fault, instead, original)}`;
    done = fault.end;
  }
  return rendered + text.slice(done, end);
}

const choice = ({ id, isStatement }: Numbered, instead: string, original: string): string =>
  isStatement ? `if(fault$===${id}){${instead}}else ${original}` : `(fault$===${id}?(${instead}):(${original}))`;

/** A place that is noted when it is reached: a function, a block, or the module itself, which is the first. */
type Place = { readonly start: number; readonly end: number; readonly isExpression: boolean };

function placesIn(text: string): readonly Place[] {
  const places: Place[] = [{ start: 0, end: text.length, isExpression: false }];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) places.push({ start: node.getStart() + 1, end: node.end, isExpression: false });
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
      places.push({ start: node.body.getStart(), end: node.body.end, isExpression: true });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true));
  return places;
}

const MOST_PLACES = 10_000;

/** The source as it notes the places that are reached, each once, in the file `path`. `index` is that of the source among all. */
export function withNotes(text: string, index: number, path: string): string {
  const edits = placesIn(text).flatMap(({ start, end, isExpression }, place) => {
    const note = `reached$(${index * MOST_PLACES + place})`;
    return isExpression
      ? [
          { at: start, isEnd: false, added: `(${note},` },
          { at: end, isEnd: true, added: ')' },
        ]
      : [{ at: start, isEnd: false, added: `${note};` }];
  });
  // Where an expression ends and the next place begins, the end comes first.
  const sorted = edits.toSorted((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd));
  let done = 0;
  let noted = '';
  for (const { at, added } of sorted) {
    noted += text.slice(done, at) + added;
    done = at;
  }
  const write = `process.getBuiltinModule("node:fs").appendFileSync(${JSON.stringify(path)},place+"\\n")`;
  const note = `(places=>place=>{if(!places.has(place)){places.add(place);try{${write}}catch{}}})(new Set())`;
  return `const reached$=(globalThis.reached$??=${note});${noted}${text.slice(done)}`;
}

/** The smallest place that holds a fault: a test that does not reach it cannot see the fault. */
export function placeOf(fault: Fault, text: string, index: number): number {
  const places = placesIn(text);
  const holding = places.flatMap(({ start, end }, place) =>
    start <= fault.start && fault.end <= end ? [{ place, length: end - start }] : [],
  );
  return index * MOST_PLACES + holding.reduce((best, each) => (each.length < best.length ? each : best)).place;
}
