/** 182,340. Not `toLocaleString`: the tables of locales that it loads the first time cost 12 ms of CPU. */
export const groupDigits = (n: number): string =>
  Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
