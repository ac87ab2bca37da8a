import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stepsToKill } from '../../crash/kills.ts';
import { runMany, wrongAfterwards } from '../../crash/many-runs.ts';
import { copyOfWorld } from '../../support/copied-world.ts';
import { helperTask, helperWorld } from '../../support/helpers.ts';
import { callsTool, callsTools, replies, type Script } from '../../support/scenario.ts';
import { unsealed } from '../../support/unsealed.ts';

/** Two helpers that read a file each; what is asked again, also in another world, is answered alike. */
const script: Script = (request) => {
  const said = JSON.stringify(request.messages);
  const task = helperTask(request);
  if (task !== undefined) return said.includes('tool_result') ? replies(`found in ${task}`) : callsTool('read_file', { path: task });
  const last = JSON.stringify(request.messages.at(-1));
  if (last.includes('look into both')) return callsTools(['a.txt', 'b.txt'].map((path) => ({ name: 'task', input: { task: path } })));
  return replies('I see.');
};

const TURN = ['--continue', '-p', 'look into both', '--output-format', 'stream-json'];

test.each([
  ['for one step', 'once'],
  ['from there on', 'from'],
])(
  'a disk that is full %s while helpers work: the turn ends with exit code 7 and the reason, or goes on; nothing acknowledged is lost, and the next turn works',
  async (_, how) => {
    const prepared = await helperWorld(script);
    const { env } = prepared;
    expect(await prepared.say('hello')).toMatchObject({ code: 0 });
    const worldOf = () => {
      const world = copyOfWorld(prepared, env);
      return { ...world, env: { ...world.env, ...env } };
    };
    const session = prepared.session();
    const [whole] = await runMany([{ ...worldOf(), args: TURN }]);
    expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('"type":"helper_ended"') });
    const steps = whole?.steps ?? [];
    // At the end of an append nothing is asked of the disk any more.
    const eligible = steps.flatMap((name, index) => (name.endsWith('.end') ? [] : [index + 1]));
    const chosen = stepsToKill(eligible.length, { least: 6 }).flatMap((at) => eligible[at - 1] ?? []);
    const tries = chosen.map((step) => ({ step, world: worldOf() }));
    const ran = await runMany(tries.map(({ step, world: { cwd, env: all } }) => ({ cwd, env: all, args: TURN, failAt: step, how })));
    const later = await wrongAfterwards(
      tries.map(({ world }) => world),
      ['body_orphan'],
    );
    const before = unsealed(prepared.read(`sessions/${session}/log.jsonl`));
    const problems = tries.flatMap(({ step, world }, i) => {
      const { code, out, err } = ran[i] ?? { code: -1, out: '', err: '' };
      const log = readFileSync(join(world.home, `sessions/${session}/log.jsonl`), 'utf8');
      const acknowledged = [...out.matchAll(/"type":"tool_ended","toolUseId":"([^"]+)"/g)].map(([, id]) => id);
      const wrong = [
        ...(code === 0 || code === 7 ? [] : [`exit code ${code}: ${err}`]),
        ...(code !== 7 || `${err}${out}`.includes('the disk is full') ? [] : [`it does not say why: ${err}`]),
        ...(unsealed(log).startsWith(before.replaceAll(prepared.cwd, world.cwd)) ? [] : ['what was there before has changed']),
        ...acknowledged.filter((id) => !log.includes(`"tool_use_id":"${id}"`)).map((id) => `the result of ${id} is gone`),
        ...(later[i] ?? []),
      ];
      return wrong.map((what) => `step ${step} (${steps[step - 1]}): ${what}`);
    });
    console.log(`full disk with helpers, ${how}: ${tries.length} of ${steps.length} steps, problems: ${problems.length}`);
    expect(problems).toEqual([]);
    expect(ran.some(({ code }) => code === 7)).toBe(true);
  },
  600_000,
);
