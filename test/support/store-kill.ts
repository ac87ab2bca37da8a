import { tellKills, twoAtATime } from '../crash/kills.ts';

export async function killEach(what: string, steps: readonly number[], of: number, run: (step: number) => Promise<void>): Promise<void> {
  await twoAtATime(steps, async (step) => {
    try {
      await run(step);
    } catch (error) {
      throw new Error(`killed at step ${step}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  });
  tellKills(what, { kills: steps.length, steps: of });
}
