/** Bytes in steps of 1,000, as files are listed: 512 B, 48 KB, 1.2 MB, 3.4 GB. Total: a wrong number gives a wrong text. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${sizeUnits[unit] ?? 'B'}`;
}

const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** 182,340. Not `toLocaleString`: the tables of locales that it loads the first time cost 12 ms of CPU. */
export const groupDigits = (n: number): string =>
  Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
