import xterm from '@xterm/headless';

type Size = { readonly columns: number; readonly rows: number };

/** The sixteen colours of a terminal, on a dark ground. */
const PALETTE = [
  ...['#3b4048', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4'],
  ...['#7f848e', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#ffffff'],
];
const GROUND = '#1e2127';
const INK = '#c8ccd4';
const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;

type Run = { readonly column: number; text: string; width: number; readonly style: string };

/**
 * What a terminal of this size shows after `raw`, from its first row to the last that is not empty, as an SVG with this title. That blanks count is
 * said of each text: Chromium takes it from no element around them.
 */
export async function pictureOf(raw: string, title: string, { columns, rows: height }: Size): Promise<string> {
  const terminal = new xterm.Terminal({ cols: columns, rows: height, scrollback: 1_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(raw, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => runsOf(active.getLine(row), columns));
  const shown = lines.slice(0, lines.findLastIndex((runs) => runs.length > 0) + 1);
  const [width, tall] = [columns * CELL.width + 2 * MARGIN, shown.length * CELL.height + 2 * MARGIN];
  const rows = shown.flatMap((runs, row) =>
    runs.length === 0 ? [] : [`<text xml:space="preserve" y="${MARGIN + row * CELL.height + 13}">${runs.map(spanOf).join('')}</text>`],
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${tall}" width="${width.toFixed(0)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${INK}">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Cells side by side that look the same; blanks between others are left out. */
function runsOf(line: xterm.IBufferLine | undefined, columns: number): readonly Run[] {
  const runs: Run[] = [];
  for (let column = 0; line !== undefined && column < columns; column++) {
    const cell = line.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    // A spinner turns as fast as the machine lets it.
    const text = (cell.getChars() || ' ').replace(/[\u2801-\u28ff]/u, '\u280b');
    const last = runs.at(-1);
    if (last !== undefined && last.style === style && last.column + last.width === column) {
      last.text += text;
      last.width += cell.getWidth();
    } else runs.push({ column, text, width: cell.getWidth(), style });
  }
  const end = runs.at(-1);
  if (end?.style === '') {
    end.text = end.text.trimEnd();
    end.width = end.text === '' ? 0 : end.width;
  }
  return runs.filter(({ text }) => text.trim() !== '');
}

function styleOf(cell: xterm.IBufferCell): string {
  const colour = cell.isFgPalette() ? PALETTE[cell.getFgColor()] : undefined;
  return [
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(cell.isBold() ? ['font-weight="bold"'] : []),
    ...(cell.isDim() ? ['opacity="0.65"'] : []),
    ...(cell.isItalic() ? ['font-style="italic"'] : []),
  ].join(' ');
}

const spanOf = ({ column, text, style }: Run): string =>
  `<tspan x="${(MARGIN + column * CELL.width).toFixed(1)}"${style === '' ? '' : ` ${style}`}>${escaped(text)}</tspan>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
