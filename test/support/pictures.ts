import { crc32, deflateSync } from 'node:zlib';

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A real PNG of one grey. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The least that is a GIF of these measures, and a PDF of so many empty pages. */
export const gif = (width: number, height: number): Buffer => {
  const head = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return Buffer.concat([head, Buffer.from([0x3b])]);
};

export const pdf = (pages: number, more = ''): Buffer => {
  const objects = Array.from({ length: pages }, (_, i) => `${i + 3} 0 obj << /Type /Page /Parent 2 0 R >> endobj`);
  return Buffer.from(
    `%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n${objects.join('\n')}\n${more}trailer << /Root 1 0 R >>\n%%EOF\n`,
    'latin1',
  );
};

/** A whole PDF with this text on each page. */
export const textPdf = (pages: readonly string[]): Buffer =>
  wholePdf(pages.map((text) => ({ dictionary: '', content: Buffer.from(`BT /F1 12 Tf 20 700 Td (${text}) Tj ET`, 'latin1') })));

/** One of a page whose content, operators and all, is packed. */
export const packedTextPdf = (content: Buffer): Buffer =>
  wholePdf([{ dictionary: '/Filter /FlateDecode ', content: deflateSync(content, { level: 9 }) }]);

function wholePdf(pages: readonly { readonly dictionary: string; readonly content: Buffer }[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${4 + 2 * i} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap(({ dictionary, content }, i) => {
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`;
      return [page, `<< ${dictionary}/Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream`];
    }),
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const at = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(`${body}${table}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`, 'latin1');
}

/** The parts of a PDF of today that matter to whoever counts its pages: its page tree stands in a compressed stream. */
export function packedPdf(pages: number): Buffer {
  const objects = [
    `<< /Type /Pages /Count ${pages} /Kids [] >>`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 1 0 R >>'),
    '<< /Type /Outlines /Count 999 >>',
  ];
  let offset = 0;
  const heads = objects.map((object, i) => {
    const head = `${i + 1} ${offset}`;
    offset += object.length + 1;
    return head;
  });
  const first = `${heads.join(' ')} `;
  const packed = deflateSync(Buffer.from(`${first}${objects.join('\n')}`, 'latin1'));
  const dictionary = `<< /Type /ObjStm /N ${objects.length} /First ${first.length} /Length ${packed.length} /Filter /FlateDecode >>`;
  return Buffer.concat([Buffer.from(`%PDF-1.5\n9 0 obj\n${dictionary}\nstream\n`), packed, Buffer.from('\nendstream\nendobj\n%%EOF\n')]);
}
