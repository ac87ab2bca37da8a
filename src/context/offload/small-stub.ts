import { excerptOf, UNITS_PER_TOKEN, unitsOf } from './excerpt.ts';
import { errorLines, isCommandTool, namesLine, onOneLine, type Stub } from './stub.ts';

/** `tokens`: what it may show below its first two lines, which it always has. `shownNames`: what other stubs of the batch show; added to. */
export type SmallStubRoom = { readonly tokens: number; readonly shownNames?: Set<string> };

/** Of the room, for the first line of the body and for what it says of errors; names get what is left. */
const FIRST_LINE_SHARE = 1 / 8;
const ERROR_SHARE = 1 / 4;
const FIRST_LINE_CHARS = 160;

/**
 * What stands for a result once the context is nearly full: its body's path, its first line, its errors, and names that nothing else in the
 * batch shows. Undefined when that is not smaller than `current`. Same input, same bytes.
 */
export function smallStubText(stub: Stub, current: string, { tokens, shownNames = new Set() }: SmallStubRoom): string | undefined {
  const { path, tool, ok, ref, source, body } = stub;
  const units = tokens * UNITS_PER_TOKEN;
  const line = firstLine(body, Math.floor(units * FIRST_LINE_SHARE));
  const shown = { head: line, tail: '' };
  const errors = !ok || isCommandTool(tool) ? errorLines(body, shown, Math.floor(units * ERROR_SHARE)) : '';
  const begins = line === '' ? '' : `${BEGINS}${line}\n`;
  const { names, text: named } = namesLine(body, shown, { units: units - unitsOf(begins) - unitsOf(errors), shownNames });
  const facts = [tool, ok ? 'ok' : 'failed', `${ref.bytes} bytes`, `${ref.lines} lines`];
  if (source !== undefined) facts.push(`source ${onOneLine(source)}`);
  const text = `Tool result is at: ${path}\n${facts.join(', ')}\n${begins}${errors}${named}`.toWellFormed();
  if (text.length >= current.length || unitsOf(text) >= unitsOf(current)) return undefined;
  for (const name of names) shownNames.add(name);
  return text;
}

const BEGINS = 'It begins: ';

function firstLine(body: string, units: number): string {
  const first = onOneLine(/\S.*/.exec(body)?.[0] ?? '');
  return excerptOf(first, { headChars: FIRST_LINE_CHARS, tailChars: 0, units: Math.max(0, units - unitsOf(BEGINS)) }).head;
}
