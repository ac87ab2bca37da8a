import { describe, expect, test } from 'vitest';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
let serial = 0;
const ran = (command: string, { tool = 'run_command', result = 'ok', isError = false } = {}): readonly Message[] => {
  const id = `c${++serial}`;
  return [calls({ id, name: tool, input: { command } }), answers({ id, content: result, isError })];
};
const inBash = (command: string, more = {}): readonly Message[] => ran(command, { tool: 'Bash', ...more });
const start = [user('Begin with the plan of the harbour'), ...ran('cat plan', { result: 'a quay\n'.repeat(3_000) }), says('Nine quays.')];

type Around = { readonly earlier?: string; readonly kept?: readonly Message[]; readonly cwd?: string | undefined };
const summarise = (messages: readonly Message[], { earlier, kept = [], ...rest }: Around = {}): string => {
  const cwd = 'cwd' in rest ? rest.cwd : '/harbour';
  const ledger = gatherLedger(messages, nowhere);
  return ruleSummary(messages, { earlier, kept, ledger, cwd, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
};
const folder = (messages: readonly Message[], around?: Around): string | undefined =>
  /^- Working folder of the last commands: (.*)$/m.exec(summarise([...start, user('go on'), ...messages, says('Made it.')], around))?.[1];

describe('the folder of the last commands', () => {
  test('is told as a whole path', () => {
    expect(folder(ran('cd quay/north && make'))).toBe('/harbour/quay/north');
    expect(folder(ran('cd quay && cd ../mole/ && make'))).toBe('/harbour/mole');
    expect(folder(inBash('cd /srv/lamps && make'))).toBe('/srv/lamps');
  });

  test('is not told where it is not known', () => {
    expect(folder(ran('cd quay/north && make'), { cwd: undefined })).toBeUndefined();
    expect(folder([...inBash('cd quay && make'), ...inBash('cd north && make')])).toBeUndefined();
    expect(folder(ran('cd - && make'))).toBeUndefined();
  });

  test('is the one of the newest command, not of an earlier one', () => {
    expect(folder([...ran('cd quay && make'), ...ran('make lint')])).toBeUndefined();
    expect(folder([...ran('cd quay && make'), ...ran('cd mole && make')])).toBe('/harbour/mole');
    expect(folder(ran('cd quay && make'), { kept: [user('now the mole'), ...ran('cd mole && make')] })).toBe('/harbour/mole');
  });

  test('of a shell that begins anew each time is counted from the working folder', () => {
    expect(folder([...inBash('cd quay && make'), ...inBash('cd mole && make'), ...inBash('cd quay && make')])).toBe('/harbour/quay');
  });

  test('is none that could not be entered, and not the working folder itself', () => {
    const missing = { result: 'sh: 1: cd: quey: No such file or directory', isError: true };
    expect(folder(ran('cd quey && make', missing))).toBeUndefined();
    expect(folder(ran('cd /harbour && make'))).toBeUndefined();
  });

  test('stays while no command is run, and leaves with the next that goes nowhere', () => {
    const first = summarise([...start, user('go on'), ...ran('cd quay/north && make'), says('Made it.')]);
    const talk = [user('what is a quay?'), says(`A wharf.${' It is long.'.repeat(400)}`)];
    expect(summarise(talk, { earlier: first })).toContain('Working folder of the last commands: /harbour/quay/north');
    const second = summarise([user('and now'), ...ran('make lint', { result: 'rope\n'.repeat(2_000) }), says('Done.')], { earlier: first });
    expect(second).not.toContain('Working folder of the last commands');
  });
});
