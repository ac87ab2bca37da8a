import fc from 'fast-check';
import type { Message } from '../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../support/build.ts';

/** A stretch of work whose facts are known because they were put in, not because they were found. */
export type WorkSession = {
  readonly messages: readonly Message[];
  readonly filesModified: readonly string[];
  readonly constraints: readonly string[];
  /** The lines that state an error of a command that never worked later. */
  readonly errors: readonly string[];
};

const englishRules = [
  (n: number) => `Never touch the folder vendor/zone${n} in this repository.`,
  (n: number) => `You must keep the retry limit of queue${n} at ${n + 3} attempts.`,
  (n: number) => `Please make sure the exporter${n} never writes outside of build/out${n}.`,
  (n: number) => `Don't add dependencies to package core${n} without asking.`,
  (n: number) => `Messages of module${n} should always be in British English.`,
  (n: number) => `Use at most ${n + 10} lines for each helper of layer${n}.`,
];
const chineseRules = [
  (n: number) => `模块 store${n} 必须保持向后兼容。`,
  (n: number) => `不要改动 config/env${n}.yaml 里的端口。`,
  (n: number) => `接口 v${n}.2.0 的返回值只能用 snake_case 字段。`,
  (n: number) => `提交前务必运行 task check${n}。`,
];
const rules = [...englishRules, ...chineseRules];

const folders = ['src/agent', 'src/store/log', 'packages/core/lib', 'test/unit/context', 'docs'];
const smallTalk = [
  'Looks fine so far, go on.',
  '好的，继续。',
  'How far are we?',
  'The layout of the page is a bit odd on my phone.',
  '先看看现状。',
];
const findings = [
  (n: number) => `Found it: the cursor of reader${n} was read before it was set, so the first row was lost.`,
  (n: number) => `All ${n + 40} tests pass now and the export of sheet${n} works again.`,
  (n: number) => `问题的原因是缓存 cache${n} 没有失效，已经修复。`,
  (n: number) => `I looked at the three callers of resolve${n} and changed the second one.`,
];

type Step = { readonly kind: 'edit' | 'read' | 'passes' | 'fails'; readonly pick: number };
type Turn = { readonly rule: number | undefined; readonly talk: number; readonly steps: readonly Step[]; readonly finding: number };

const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom('edit', 'read', 'passes', 'fails'), pick: fc.nat(7) });
const turn: fc.Arbitrary<Turn> = fc.record({
  rule: fc.option(fc.nat(rules.length - 1), { nil: undefined, freq: 2 }),
  talk: fc.nat(smallTalk.length - 1),
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  finding: fc.nat(findings.length - 1),
});

/** Rounds of work in one session, each some turns long; names are numbered over all rounds so that every fact is its own. */
export const workSessions = (rounds: number): fc.Arbitrary<readonly WorkSession[]> =>
  fc
    .array(fc.array(turn, { minLength: 4, maxLength: 9 }), { minLength: rounds, maxLength: rounds })
    .map((all) => all.map((turns, round) => play(turns, round * 100)));

function play(turns: readonly Turn[], base: number): WorkSession {
  const messages: Message[] = [];
  const filesModified = new Set<string>();
  const constraints: string[] = [];
  const errors: string[] = [];
  turns.forEach(({ rule, talk, steps, finding }, at) => {
    const n = base + at;
    const stated = rule === undefined ? undefined : (rules[rule]?.(n) ?? '');
    if (stated !== undefined) constraints.push(stated);
    messages.push(user([smallTalk[talk], stated].filter((part) => part !== undefined).join(' ')));
    steps.forEach(({ kind, pick }, index) => {
      const id = `t${n}-${index}`;
      const path = `${folders[pick % folders.length]}/part${n}-${pick}.ts`;
      const { name, input, content, isError } = toolStep(kind, { path, n, index });
      if (kind === 'edit') filesModified.add(path);
      if (isError) errors.push(`error TS2304: Cannot find name 'thing${n}x${index}'.`);
      messages.push(calls({ id, name, input }), answers({ id, content, isError }));
    });
    messages.push(says(findings[finding]?.(n) ?? ''));
  });
  return { messages, filesModified: [...filesModified], constraints, errors };
}

function toolStep(kind: Step['kind'], { path, n, index }: { readonly path: string; readonly n: number; readonly index: number }) {
  switch (kind) {
    case 'edit':
      return { name: 'edit_file', input: { path, old: 'a', new: 'b' }, content: `Changed ${path}.`, isError: false };
    case 'read':
      return {
        name: 'read_file',
        input: { path: `lib/read${n}-${index}.ts` },
        content: 'export const a = 1;\n'.repeat(30),
        isError: false,
      };
    case 'passes':
      return { name: 'run_command', input: { command: `npm run check${n}` }, content: 'ok\n', isError: false };
    case 'fails':
      return {
        name: 'run_command',
        input: { command: `npx tsc -p part${n}-${index}` },
        content: `> build\n> tsc\n\nsrc/a.ts(3,7): error TS2304: Cannot find name 'thing${n}x${index}'.\nFound 1 error.\n`,
        isError: true,
      };
  }
}

/** A cheap count that is the same everywhere. */
export const quarter = (text: string): number => Math.ceil(text.length / 4);
