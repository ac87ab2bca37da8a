/** What may stand in a word: printable ASCII without blanks and without the marks that surround names. Chinese text around a name ends it. */
const PART = 1;
const SMALL = 2;
const CAPITAL = 4;
const DIGIT = 8;
/** Of the end of a word, belongs to the sentence. */
const END_MARK = 16;

const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  const bits: readonly (readonly [RegExp, number])[] = [
    [/[!#$%&+\-./0-9:=?@A-Z\\^_a-z~]/, PART],
    [/[a-z]/, SMALL],
    [/[A-Z]/, CAPITAL],
    [/[0-9]/, DIGIT],
    [/[.:!?=&\\-]/, END_MARK],
  ];
  kinds[code] = bits.reduce((sum, [pattern, bit]) => (pattern.test(char) ? sum + bit : sum), 0);
}

const GROUPED = /\d{1,3}(?:,\d{3}){1,4}\b/y;
const MAX_END_MARKS = 8;

function kindAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code < kinds.length ? (kinds[code] ?? 0) : 0;
}

/** `plainEnd` is where a word of letters alone ends, a capital at most in front and marks of its sentence behind; else -1. */
export function visitWords(text: string, visit: (start: number, end: number, plainEnd: number) => void): void {
  for (let start = 0; start < text.length; ) {
    const kind = kindAt(text, start);
    if ((kind & PART) === 0) {
      start += 1;
      continue;
    }
    let end = (kind & DIGIT) === 0 ? -1 : groupedEnd(text, start);
    let plainEnd = -1;
    if (end < 0) {
      end = start + ((kind & CAPITAL) === 0 ? 0 : 1);
      while ((kindAt(text, end) & SMALL) !== 0) end += 1;
      const lettersEnd = end;
      while ((kindAt(text, end) & END_MARK) !== 0) end += 1;
      const isPlain = (kindAt(text, end) & PART) === 0 && lettersEnd > start && end - lettersEnd <= MAX_END_MARKS;
      if (isPlain) plainEnd = lettersEnd;
      while ((kindAt(text, end) & PART) !== 0) end += 1;
    }
    visit(start, end, plainEnd);
    start = end;
  }
}

/** -1 where no comma stands behind the first digits, which is nearly always. */
function groupedEnd(text: string, start: number): number {
  if (!text.startsWith(',', start + 1) && !text.startsWith(',', start + 2) && !text.startsWith(',', start + 3)) return -1;
  GROUPED.lastIndex = start;
  return GROUPED.test(text) ? GROUPED.lastIndex : -1;
}
