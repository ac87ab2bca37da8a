export type Row = readonly [what: string, how: string, asked: string, result: string, target: string];

export const count = (n: number): string => n.toLocaleString('en-US');
/** Rounded down, so that a target that is just missed is not shown as met. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %`;

export function table(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(['what', 'how it was asked', 'asked', 'result', 'target']),
    line(['---', '---', '---:', '---:', '---:']),
    ...rows.map(line),
  ].join('\n');
}
