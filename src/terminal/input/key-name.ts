/**
 * The name of a key, as `ctrl+left` or `alt+enter`, from what a terminal sends for it: the old sequences, xterm's modified ones, and those
 * of the kitty protocol. A piece that is text has no name.
 */
export function keyName(sequence: string): string | undefined {
  const known = plainNames.get(sequence);
  if (known !== undefined) return known;
  const kitty = /^\u001b\[(\d+)(?::\d*)*(?:;(\d*)(?::\d+)?)?(?:;[\d:]*)?u$/.exec(sequence);
  if (kitty !== null) return codeName(Number(kitty[1]), Number(kitty[2] || 1));
  const other = /^\u001b\[27;(\d+);(\d+)~$/.exec(sequence);
  if (other !== null) return codeName(Number(other[2]), Number(other[1]));
  const tilde = /^\u001b\[(\d+)(?:;(\d+)(?::\d+)?)?~$/.exec(sequence);
  if (tilde !== null) return withModifiers(tildeNames.get(Number(tilde[1])), Number(tilde[2] ?? 1));
  const letter = /^\u001b(?:\[|O)(?:\d+;(\d+)(?::\d+)?)?([A-HPQRSZ])$/.exec(sequence);
  if (letter !== null) return withModifiers(letterNames.get(letter[2] ?? ''), Number(letter[1] ?? 1));
  return sequence.length < 2 || !sequence.startsWith('\u001b') ? controlName(sequence) : altName(sequence.slice(1));
}

/** What a key types, of the kitty protocol too, by which some terminals send letters; empty for one that types nothing. */
export function typedText(name: string | undefined, key: string): string {
  if (name === undefined) return key.startsWith('\u001b') ? '' : key;
  const shifted = /^shift\+(.)$/u.exec(name)?.[1];
  if (shifted !== undefined) return shifted.toUpperCase();
  return [...name].length === 1 ? name : '';
}

const plainNames: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\r\n', 'enter'],
  ['\n', 'ctrl+j'],
  ['\t', 'tab'],
  ['\u001b[Z', 'shift+tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u001b', 'escape'],
  ['\u001b[I', 'focus-in'],
  ['\u001b[O', 'focus-out'],
  ['\u001f', 'ctrl+_'],
  ['\u001bOM', 'enter'],
]);

const letterNames: ReadonlyMap<string, string> = new Map([
  ['A', 'up'],
  ['B', 'down'],
  ['C', 'right'],
  ['D', 'left'],
  ['H', 'home'],
  ['F', 'end'],
  ['P', 'f1'],
  ['Q', 'f2'],
  ['R', 'f3'],
  ['S', 'f4'],
  ['Z', 'shift+tab'],
]);

const tildeNames: ReadonlyMap<number, string> = new Map([
  [1, 'home'],
  [2, 'insert'],
  [3, 'delete'],
  [4, 'end'],
  [5, 'pageup'],
  [6, 'pagedown'],
  [7, 'home'],
  [8, 'end'],
]);

const codeNames: ReadonlyMap<number, string> = new Map([
  [8, 'backspace'],
  [9, 'tab'],
  [13, 'enter'],
  [27, 'escape'],
  [32, ' '],
  [127, 'backspace'],
  ...[...'0123456789./*-+\r=,'].map((sign, at): readonly [number, string] => [57399 + at, sign === '\r' ? 'enter' : sign]),
  ...['left', 'right', 'up', 'down', 'pageup', 'pagedown', 'home', 'end', 'insert', 'delete'].map((name, at): readonly [number, string] => [
    57417 + at,
    name,
  ]),
]);

/** The kitty protocol has the other keys there: media, locks, modifiers alone. They type nothing. */
const isFunctional = (code: number): boolean => code >= 0xe000 && code <= 0xf8ff;

/** Modifiers are counted from 1; Caps Lock and Num Lock are none. */
function withModifiers(base: string | undefined, code: number): string | undefined {
  if (base === undefined) return undefined;
  const bits = code - 1;
  return `${bits & 4 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}${base}`;
}

function codeName(code: number, modifiers: number): string | undefined {
  const base = codeNames.get(code) ?? (code >= 0x20 && code <= 0x10ffff && !isFunctional(code) ? String.fromCodePoint(code) : undefined);
  const name = withModifiers(base, modifiers);
  return name === 'ctrl+shift+_' || name === 'ctrl+-' ? 'ctrl+_' : name;
}

function controlName(character: string): string | undefined {
  const code = character.charCodeAt(0);
  if (code === 0) return 'ctrl+@';
  return code < 0x20 ? `ctrl+${String.fromCharCode(code + 0x60)}` : undefined;
}

function altName(rest: string): string | undefined {
  const name = plainNames.get(rest) ?? controlName(rest);
  if (name !== undefined) return `alt+${name}`;
  return [...rest].length === 1 ? `alt+${rest}` : undefined;
}
