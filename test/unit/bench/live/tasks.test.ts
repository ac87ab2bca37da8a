import { expect, test } from 'vitest';
import { check, type End, type Files, type Task } from '../../../../bench/live/task.ts';
import { kinds, makeTasks } from '../../../../bench/live/tasks.ts';
import { rightEnd } from '../../../support/live-task.ts';

const SEED = 7;
const tasks = makeTasks(SEED);

test('one seed makes the same tasks, and another makes others', () => {
  expect(makeTasks(SEED)).toEqual(tasks);
  for (const count of [1, 2, 5]) expect(makeTasks(SEED, count)).toEqual(tasks.slice(0, count));
  for (const [i, other] of makeTasks(SEED + 1).entries()) {
    expect(other.id).toBe(tasks[i]?.id);
    expect(other.files).not.toEqual(tasks[i]?.files);
    expect(other.wanted).not.toEqual(tasks[i]?.wanted);
  }
});

test('there are ten kinds in two languages, each long, with something to do and something to leave', () => {
  expect(kinds).toHaveLength(10);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(20);
  for (const { id, files, wanted, prompt, closing, mark } of tasks) {
    const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes, id).toBeGreaterThan(70_000);
    expect(wanted.size, id).toBeGreaterThan(0);
    // Whole in one result also in the smallest window.
    expect(Math.max(...[...files.values()].map(({ length }) => length)), id).toBeLessThan(2_375);
    expect([...files.keys()].filter((path) => !wanted.has(path)).length, id).toBeGreaterThan(2);
    expect(
      [...wanted].filter(([path, text]) => files.get(path) === text),
      id,
    ).toEqual([]);
    expect(/\p{Script=Han}/u.test(prompt), id).toBe(id.endsWith('-zh'));
    expect(prompt, id).toContain(closing);
    expect(prompt, id).toContain(mark);
  }
});

test.each(tasks.map((task) => [task.id, task] as const))('the check of %s accepts the right end, and refuses wrong ones', (_id, task) => {
  const right = rightEnd(task);
  expect(check(task, right)).toEqual({ wrong: [], broken: [] });
  // Spaces at the ends of lines, and another order or form of JSON, are no fault.
  expect(check(task, { ...right, files: mapWanted(task, right, spaced) })).toEqual({ wrong: [], broken: [] });
  const untouched = { files: task.files, answer: task.closing };
  expect(check(task, untouched)).toEqual({ wrong: [...task.wanted.keys()], broken: [] });
  for (const [path, text] of task.wanted)
    expect(check(task, withFile(right, path, slip(right.files.get(path) ?? text))), path).toEqual({ wrong: [path], broken: [] });
  const [first = ''] = task.wanted.keys();
  expect(check(task, withFile(right, first, undefined))).toMatchObject({ wrong: [first] });
  expect(check(task, withFile(right, first, task.wanted.get(first)))).toEqual({ wrong: [], broken: ['the mark'] });
  const [other = ''] = [...task.files.keys()].filter((path) => !task.wanted.has(path));
  expect(check(task, withFile(right, other, `${task.files.get(other)}\n`))).toEqual({ wrong: [], broken: ['other files stay'] });
  expect(check(task, withFile(right, other, undefined))).toEqual({ wrong: [], broken: ['other files stay'] });
  expect(check(task, withFile(right, 'notes.txt', 'x'))).toEqual({ wrong: [], broken: ['no other new files'] });
  expect(check(task, { ...right, answer: `All done.\n${task.closing}` })).toEqual({ wrong: [], broken: ['the last message'] });
});

const withFile = (end: End, path: string, text: string | undefined): End => {
  const files = new Map(end.files);
  if (text === undefined) files.delete(path);
  else files.set(path, text);
  return { ...end, files };
};

const mapWanted = ({ wanted }: Task, { files }: End, change: (path: string, text: string) => string): Files =>
  new Map([...files].map(([path, text]) => [path, wanted.has(path) ? change(path, text) : text]));

const spaced = (path: string, text: string): string =>
  path.endsWith('.json') ? JSON.stringify(reversed(JSON.parse(text))) : text.replaceAll('\n', ' \n');

const reversed = (value: object): unknown => Object.fromEntries(Object.entries(value).reverse());

/** The smallest thing that can go wrong: one digit, letter or name at the end of what is said. */
function slip(text: string): string {
  const at = text.search(/[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u);
  return `${text.slice(0, at)}${text[at] === '7' ? '8' : '7'}${text.slice(at + 1)}`;
}

test('what is wanted is what the rules of the task make of its files', () => {
  const of = (id: string) => tasks.find((task) => task.id === id)?.wanted ?? new Map<string, string>();
  const files = (id: string) => tasks.find((task) => task.id === id)?.files ?? new Map<string, string>();
  expect([...of('refactoring-en').keys()].filter((path) => path.includes('vendor'))).toEqual([]);
  for (const [path, text] of of('refactoring-en')) {
    const [, cents, urgent] = /charge\(customer, (\d+), (\w+)\)/.exec(files('refactoring-en').get(path) ?? '') ?? [];
    expect(text).toContain(`return charge({ customer, cents: ${cents}, urgent: ${urgent} });`);
  }
  for (const [path, text] of of('migration-zh')) {
    const [old, now] = [JSON.parse(files('migration-zh').get(path) ?? ''), JSON.parse(text)];
    expect([now.timeoutMs, now.listen.port, now.name, now.frozen]).toEqual([
      old.timeout * 1_000,
      old.port,
      `${old.region}/${old.name}`,
      undefined,
    ]);
  }
  for (const [path, text] of of('terms-zh')) expect([path, /库房|运货单|退货条|管库员/.test(text)]).toEqual([path, false]);
  const trail = [...files('trail-en')].map(([path, text]) => [path, /next (.*)/.exec(text)?.[1], /word (.*)/.exec(text)?.[1]] as const);
  expect(trail.filter(([, next]) => next === 'nothing')).toHaveLength(1);
  expect(of('trail-en').get('trail.txt')?.trim().split(' ')).toHaveLength(16);
});

test('the bug in the logs is where the balances first disagree', () => {
  const task = tasks.find(({ id }) => id === 'logs-en');
  const lines = [...(task?.files ?? [])].flatMap(([path, text]) =>
    text.split('\n').map((line) => ({ day: /day-(\d+)/.exec(path)?.[1], line })),
  );
  let [balance, deploy, found]: [number | undefined, string | undefined, unknown] = [undefined, undefined, undefined];
  for (const { day, line } of lines) {
    deploy = /deploy ledger (\S+)/.exec(line)?.[1] ?? deploy;
    const [, request, amount, is] = /(req-\d+) amount (-?\d+) balance (\d+)/.exec(line) ?? [];
    if (is === undefined) continue;
    if (balance !== undefined && balance + Number(amount) !== Number(is)) found ??= { request, day, deploy };
    balance = Number(is);
  }
  expect(found).toBeDefined();
  expect(JSON.parse(task?.wanted.get('finding.json') ?? '')).toEqual(found);
});
