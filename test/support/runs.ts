/** How many cases of a law are tried: all of them in `npm run test:full`, a quarter in `npm test`. */
export const runs = (all: number): number => (process.env.SANBOT_TEST === 'full' ? all : Math.ceil(all / 4));
