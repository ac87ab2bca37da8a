import fc from 'fast-check';

/** What a file of text may be, and may look like. */
export type MadeFile = { readonly name: string; readonly bytes: Buffer; readonly mode: number };

const word = fc.constantFrom('needle', 'a', 'b c', '第一行', 'é', '😀', '', '\t', 'x'.repeat(3_000), '# 标题', '\u2028');
const end = fc.constantFrom('\n', '\r\n');
const lines = (ends: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.array(fc.tuple(word, ends), { maxLength: 6 }), fc.option(word, { nil: '' })).map(([all, last]) => all.flat().join('') + last);

/** With one kind of line end, or with both. */
export const texts: fc.Arbitrary<string> = fc.oneof(lines(fc.constant('\n')), lines(fc.constant('\r\n')), lines(end));

type Encode = (text: string) => Buffer;
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** Forms that are text for every tool. */
export const readable: Readonly<Record<string, Encode>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le with a mark': (text) => utf16(`\ufeff${text}`),
  'utf-16be with a mark': (text) => utf16(`\ufeff${text}`).swap16(),
};
/** Forms that are not. */
const odd: Readonly<Record<string, Encode>> = {
  'utf-16 without a mark': (text) => utf16(`plain latin text ${text}`),
  'latin-1': (text) => Buffer.from(`caf\xe9 ${text}`, 'latin1'),
  'a NUL at the start': (text) => Buffer.from(`\0\n${text}`),
  'a NUL at the end': (text) => Buffer.from(`${text}\n\0`),
  gb18030: (text) => Buffer.concat([Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]), Buffer.from(text.replace(/[^ -~\n]/g, ''))]),
  'a byte too many': (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
};

const folder = fc.constantFrom('', 'sub/', 'out/', '中 文/', '.hidden/');
const name = fc.constantFrom('a.txt', 'b c.md', '读.ts', 'line\nfeed', 'x.tmp', '.env', '-rf', '[a]{b}.txt');
const mode = fc.constantFrom(0o644, 0o755, 0o600);

export const files: fc.Arbitrary<readonly MadeFile[]> = fc.uniqueArray(
  fc
    .record({ folder, name, text: texts, form: fc.constantFrom(...Object.keys(readable), ...Object.keys(odd)), mode })
    .map(({ folder: at, name: its, text, form, mode: bits }): MadeFile => {
      const encode = readable[form] ?? odd[form];
      return { name: `${at}${its}`, bytes: encode?.(text) ?? Buffer.alloc(0), mode: bits };
    }),
  { minLength: 1, maxLength: 6, selector: (file) => file.name },
);

/** A text that is readable, in one of its forms. */
export const readableFile = fc
  .record({ text: texts, form: fc.constantFrom(...Object.keys(readable)), mode })
  .map(({ text, form, mode: bits }) => ({ text, form, mode: bits, bytes: readable[form]?.(text) ?? Buffer.alloc(0) }));
