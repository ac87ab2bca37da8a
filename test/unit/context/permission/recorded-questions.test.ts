import { describe, expect, test } from 'vitest';
import { decidePermission, grantKey, type PermissionRules, provesReading, type ReadyPlan } from '../../../../src/agent/turn/permission.ts';
import { isTooBroad, offeredPrefixes } from '../../../../src/context/permission/prefix-rule.ts';
import { viewedCommand } from '../../../../src/context/permission/viewed-command.ts';
import type { PermissionRule } from '../../../../src/domain/config/permission-rule.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { recordedCommands, recordingNames } from '../../../support/recorded-commands.ts';
import { sampleOf } from '../../../support/runs.ts';

type Plan = ReadyPlan & { readonly command: NonNullable<ReadyPlan['command']> };

/** What a person says when asked: rules that then hold for the rest of the conversation. */
type Answers = (plan: Plan, offered: readonly PermissionRule[]) => readonly PermissionRule[];

const RUN = 'run_command';

/** The widest beginning that is offered, or else exactly this command. */
const asOffered: Answers = ({ command: { text } }, offered) => [
  offered.findLast(({ prefix }) => prefix !== undefined) ?? { tool: RUN, command: text },
];

/** A rule of their own for how each command in it begins, beside this one. */
const byHand: Answers = ({ command: { text, parsed } }) => [
  { tool: RUN, command: text },
  ...parsed.commands.flatMap((command): PermissionRule[] => {
    const words = command.words.slice(0, 2).filter((word) => word !== undefined);
    const prefix = offeredPrefixes(command).at(-1) ?? words.join(' ');
    return isTooBroad(prefix.split(' ')) ? [] : [{ tool: RUN, prefix }];
  }),
];

const asIs = (text: string): string => text;
/** A change of the folder asks by itself. */
const inItsFolder = (text: string): string => text.replace(/^cd \S+ && /, '');

/** What needs the network, or a place outside: it leaves the sandbox. */
const leaves = (text: string): boolean =>
  /(?:^|[;&|] *)(?:git (?:push|pull|fetch|clone)|gh|curl|wget|npm (?:install|i|ci|publish|run publish)|npx|code|pip install)\b|~\//.test(
    text,
  );

async function planOf(text: string, cwd: string, hasSandbox: boolean): Promise<Plan> {
  const parsed = await parseShell(text);
  const isHeld = hasSandbox && !leaves(text);
  const viewed = isHeld ? viewedCommand(parsed)?.paths : undefined;
  return {
    ...{ kind: 'ready', access: 'run', place: 'none', path: undefined, title: 't', preview: text, cwd },
    command: {
      ...{ text, parsed, needs: undefined, isHeld, scripts: undefined, ...(viewed && { viewed }) },
      freeToRead: async (paths) => (paths.every((path) => !path.startsWith('/') || path.startsWith(cwd)) ? paths : undefined),
      irreversible: async () => undefined,
    },
    run: async () => ({ ok: true, content: '', note: sameInBoth('') }),
  };
}

type Person = { readonly answers: Answers; readonly hasSandbox?: boolean };

async function questionsIn(cwd: string, commands: readonly string[], { answers, hasSandbox = false }: Person): Promise<readonly string[]> {
  const grants = new Set<string>();
  const allow: PermissionRule[] = [];
  const asked: string[] = [];
  for (const text of commands) {
    const plan = await planOf(text, cwd, hasSandbox);
    const rules: PermissionRules = {
      ...{
        mode: 'ask',
        allowed: new Set(),
        grants,
        trustsFolder: true,
        onlyReads: await provesReading(plan, { deny: [], ask: [] }),
      },
      settings: { allow, ask: [], deny: [], readOnlyCommands: 'run', sandboxedCommands: 'ask' },
    };
    const decision = decidePermission(RUN, plan, rules);
    if (decision.kind !== 'ask') continue;
    asked.push(text);
    // The first row of what lasts: everything that stays in the sandbox.
    if (plan.command.isHeld) grants.add(grantKey(RUN, plan, rules));
    else
      allow.push(
        ...answers(
          plan,
          decision.offers.flatMap((offer) => (offer.kind === 'rule' ? [offer.rule] : [])),
        ),
      );
  }
  return asked;
}

describe.skipIf(recordingNames.length === 0)('recorded work (skipped where ../shared/transcripts is not there)', () => {
  // `before`: when a list of risky words decided what a prefix does not cover.
  const people = [
    { says: 'yes to what is offered', answers: asOffered, form: asIs, before: 48.0 },
    { says: 'yes by rules of their own', answers: byHand, form: asIs, before: 36.8 },
    { says: 'yes by rules of their own, in the right folder', answers: byHand, form: inItsFolder, before: 32.1 },
  ];
  test.each(sampleOf(people))(
    'one who says $says is asked at most 3 % more often than $before times in a hundred commands',
    async ({ answers, form, before }) => {
      let [asked, all] = [0, 0];
      for (const { cwd, commands } of recordingNames.flatMap(recordedCommands)) {
        all += commands.length;
        asked += (await questionsIn(cwd, commands.map(form), { answers })).length;
      }
      expect(all).toBeGreaterThan(100);
      expect((100 * asked) / all).toBeLessThanOrEqual(before * 1.03);
    },
  );

  test('one who says yes to all that stays in the sandbox is asked at most a third as often as before', async () => {
    let [asked, all] = [0, 0];
    for (const { cwd, commands } of recordingNames.flatMap(recordedCommands)) {
      all += commands.length;
      asked += (await questionsIn(cwd, commands, { answers: asOffered, hasSandbox: true })).length;
    }
    // 56 of 517 commands: 10.8 in a hundred.
    expect((100 * asked) / all).toBeLessThanOrEqual(48.0 / 3);
  });
});
