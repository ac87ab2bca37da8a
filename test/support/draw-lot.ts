import { TWENTIETHS } from './share.ts';

/** Run once, before all tests: what it sets is seen by each of them (share.ts). The same where CI is set, so that a change is judged by itself. */
export default function drawLot(): void {
  const { env } = process;
  if (env.SANBOT_TEST !== 'full') return;
  env.SANBOT_TWENTIETH ??= String(env.CI === undefined ? 1 + Math.floor(Math.random() * TWENTIETHS) : 1);
  console.log(
    `Of npm run test:acceptance twentieth ${env.SANBOT_TWENTIETH} is tried. SANBOT_TWENTIETH=${env.SANBOT_TWENTIETH} tries it again.`,
  );
}
