import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, driver } from '../support/sanbot.ts';
import { twoAtATime } from './kills.ts';

/** Where a command line runs; the environment says where its home is. */
export type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
export type OneRun = Place & {
  readonly args: readonly string[];
  /** The step of the disk at which there is no space left, and how; none when left out. */
  readonly failAt?: number;
  readonly how?: string;
};
export type OneRan = { readonly code: number; readonly out: string; readonly err: string; readonly steps: readonly string[] };

/** So many share a process. */
const MOST = 16;

/** Command lines of the built program without a process for each; what became of them, in their order. */
export async function runMany(wishes: readonly OneRun[]): Promise<readonly OneRan[]> {
  const parts = Array.from({ length: Math.ceil(wishes.length / MOST) }, (_, i) => wishes.slice(i * MOST, (i + 1) * MOST));
  const ran = await twoAtATime(parts, async (part) => {
    const { cwd, runBinary } = createSandbox();
    const list = join(cwd, 'runs.json');
    writeFileSync(list, JSON.stringify(part.map((wish) => ({ failAt: 0, how: 'once', ...wish }))));
    const { code, out, err } = await runBinary(['runs', list], { program: driver });
    const lines = out.split('\n').filter((line) => line !== '');
    if (code !== 0 || lines.length !== part.length)
      throw new Error(`after ${lines.length} of ${part.length} runs it ended with ${code}: ${err}`);
    return lines.map((line): OneRan => JSON.parse(line));
  });
  return ran.flat();
}

/** What is wrong in each of these homes after a crash: the next turn fails, or the doctor finds what it leaves. In processes that did not see the crash. */
export async function wrongAfterwards(places: readonly Place[], harmless: readonly string[]): Promise<readonly (readonly string[])[]> {
  const ran = await runMany(
    places.flatMap((place) => [
      { ...place, args: ['--continue', '-p', 'status'] },
      { ...place, args: ['doctor', '--json'] },
    ]),
  );
  return places.map((_, i) => {
    const [next, doctor] = ran.slice(2 * i);
    const wrong: string[] = [];
    if (next?.code !== 0) wrong.push(`the next turn ends with ${next?.code}: ${next?.err}`);
    if (next?.err.includes('cut off')) wrong.push(`the log was torn: ${next.err}`);
    const { findings } = JSON.parse(doctor?.out ?? '');
    for (const { kind, path } of findings) if (!harmless.includes(kind)) wrong.push(`afterwards ${kind}: ${path}`);
    return wrong;
  });
}
