const isFull = process.env.SANBOT_TEST !== undefined;

/** How many cases of a law are tried: all of them in `npm run test:full`, a quarter in `npm test`. */
export const runs = (all: number): number => (isFull ? all : Math.ceil(all / 4));

/** How a law over what others may send is tried: few cases, always the same, in `npm test`. */
export const worldRuns = (all: number): { readonly numRuns: number; readonly seed?: number } =>
  isFull ? { numRuns: all } : { numRuns: Math.ceil(all / 20), seed: 33 };

/** The same of a law whose single case takes a tenth of a second or more: a twentieth in `npm test`. */
export const slowRuns = (all: number): number => (isFull ? all : Math.ceil(all / 20));

/** The same of the laws of `test/world`, which are many: a hundredth in `npm test`. */
export const fewRuns = (all: number): number => (isFull ? all : Math.ceil(all / 100));

/** The rows of a long table that are tried: all of them in `npm run test:full`, every fourth (or so) in `npm test`. */
export const sampleOf = <Row>(rows: readonly Row[], every = 4): readonly Row[] =>
  isFull ? rows : rows.filter((_, at) => at % every === 0);

/** The same of rows that take long: the first of them in `npm test`. */
export const firstOf = <Row>(rows: readonly Row[]): readonly Row[] => (isFull ? rows : rows.slice(0, 1));

/** From one point of a long sequence to the next that is tried. */
export const stride = isFull ? 1 : 4;
