import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { randomFrom } from '../../../bench/seeded-random.ts';
import type { SyncTarget } from '../../../src/sync/port.ts';
import { createMemoryTarget } from '../../support/memory-target.ts';
import { isWhole } from '../../support/share.ts';
import { type SyncedHome, statesOf, syncedHome } from '../../support/synced-homes.ts';
import { said } from '../../unit/store/files/world.ts';

/** People with four machines each, which know no machine of another: 1,000 machines and 10 million messages in all, or as many people as asked for. */
const { SANBOT_SYNC_PEOPLE } = process.env;
const isLarge = isWhole || SANBOT_SYNC_PEOPLE !== undefined;
const PEOPLE = Number(SANBOT_SYNC_PEOPLE ?? (isWhole ? 250 : 1));
const [MESSAGES, PER_TURN] = isLarge ? [40_000, 100] : [2_000, 10];
const MACHINES = 4;
const DAYS = 64;
/** Days without a connection; a machine is used all the same. */
const AWAY = [1, 1, 2, 2, 4, 8, 16, 32];
const HOUR = 3_600_000;

type Machine = { readonly home: SyncedHome; backAt: number; away: number; said: number };
type Return = { readonly away: number; readonly segments: number; readonly bytes: number; readonly cpuMs: number };

const returns: Return[] = [];
const totals = { machines: 0, messages: 0, lost: 0, sessions: 0, exchanges: 0, lostAnswers: 0 };

/** A target whose answers get lost now and then, after it has done what was asked. `fetched` counts what was read of it. */
function lossy(target: SyncTarget, isLost: () => boolean) {
  const fetched = { segments: 0, bytes: 0 };
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    if (!isLost()) return value;
    totals.lostAnswers += 1;
    throw new Error('the answer is lost');
  };
  const there: SyncTarget = {
    ...target,
    put: (sha256, bytes) => answered(target.put(sha256, bytes)),
    append: (segment, fence) => answered(target.append(segment, fence)),
    read: async function* (chain, from) {
      for await (const segment of target.read(chain, from)) {
        fetched.segments += 1;
        fetched.bytes += segment.bytes.length;
        yield segment;
      }
    },
  };
  return { there, fetched };
}

/** Some turns in a session that is there, or in a new one. */
function use({ home }: Machine, names: { readonly session: string; readonly message: (at: number) => string }): void {
  const { sessions } = home.store;
  const isThere = home.ids().includes(names.session);
  const { log } = isThere ? sessions.open(names.session) : sessions.create(home.header(names.session));
  for (let at = 0; at < PER_TURN; at++) log.append(said(names.message(at)));
  log.close();
}

async function exchangeOf(machine: Machine, target: SyncTarget, isLost: () => boolean): Promise<boolean> {
  const { there, fetched } = lossy(target, isLost);
  const before = process.cpuUsage();
  totals.exchanges += 1;
  const isDone = await machine.home.exchange(there).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'the answer is lost') throw error;
      return false;
    },
  );
  const { user, system } = process.cpuUsage(before);
  if (machine.away > 0) returns.push({ away: machine.away, ...fetched, cpuMs: (user + system) / 1000 });
  if (isDone) machine.away = 0;
  return isDone;
}

async function live(person: number): Promise<void> {
  const random = randomFrom(person + 1);
  const pick = (count: number): number => Math.floor(random() * count);
  const target = createMemoryTarget();
  let day = 0;
  const machines = Array.from({ length: MACHINES }, (_, at): Machine => {
    const skew = (pick(3) - 1) * HOUR;
    const home = syncedHome(`machine-${at}`, () => Date.UTC(2026, 0, 1) + day * 24 * HOUR + skew);
    return { home, backAt: 0, away: 0, said: 0 };
  });
  const perDay = Math.ceil(MESSAGES / MACHINES / DAYS / PER_TURN);
  const written = new Set<string>();
  for (day = 0; day < DAYS; day++)
    for (const [at, machine] of machines.entries()) {
      if (machine.backAt === day && random() < 0.15) {
        machine.away = AWAY[pick(AWAY.length)] ?? 1;
        machine.backAt = day + machine.away;
      } else machine.backAt = Math.max(machine.backAt, day);
      for (let turn = 0; turn < perDay && machine.said < MESSAGES / MACHINES; turn++) {
        const ids = machine.home.ids();
        const session = ids.length > 0 && random() < 0.8 ? (ids[pick(ids.length)] ?? '') : `s${at}-${day}-${turn}`;
        const from = machine.said;
        const message = (n: number): string => `m${at}-${from + n}.`;
        use(machine, { session, message });
        for (let n = 0; n < PER_TURN; n++) written.add(message(n));
        machine.said += PER_TURN;
      }
      if (random() < 0.1) machine.home.store.memories('main').remember(machine.home.fact(`The port of service ${at}-${day} is 8080`));
      if (machine.backAt > day) continue;
      const isDone = await exchangeOf(machine, target, () => random() < 0.02);
      if (isDone) machine.backAt = day + 1;
    }
  await rest(machines, target);
  check(machines, written);
  for (const { home } of machines) rmSync(home.home, { recursive: true, force: true });
}

/** All are connected until nothing moves any more. */
async function rest(machines: readonly Machine[], target: SyncTarget): Promise<void> {
  for (let round = 0; round < 20; round++) {
    let moved = 0;
    for (const { home } of machines) {
      const { sent, received } = await home.exchange(target);
      moved += sent + received;
    }
    if (moved === 0) return;
  }
  throw new Error('the machines do not come to rest');
}

function check(machines: readonly Machine[], written: ReadonlySet<string>): void {
  const [first, ...others] = machines.map(({ home }) => statesOf(home));
  for (const other of others) expect(other).toEqual(first);
  for (const { home } of machines) expect(home.facts()).toBe(machines[0]?.home.facts());
  const found = new Set(first?.join('\n').match(/m\d+-\d+\./g));
  totals.machines += machines.length;
  totals.messages += written.size;
  totals.sessions += first?.length ?? 0;
  totals.lost += [...written].filter((message) => !found.has(message)).length;
}

const middle = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

test(
  'machines that are away for days, whose answers get lost and whose clocks differ by hours come to the same, and nothing is lost',
  async () => {
    for (let person = 0; person < PEOPLE; person++) await live(person);
    console.log(
      `sync of ${totals.machines} machines, ${totals.sessions} sessions, ${totals.exchanges} exchanges, ${totals.lostAnswers} lost answers: messages lost: ${totals.lost} of ${totals.messages}`,
    );
    for (const away of new Set(AWAY)) {
      const some = returns.filter((each) => each.away === away);
      const [segments, kB, ms] = [(each: Return) => each.segments, (each: Return) => each.bytes / 1000, (each: Return) => each.cpuMs].map(
        (of) => Math.round(middle(some.map(of))),
      );
      console.log(`back after ${away} days (${some.length} times): fetched ${segments} segments, ${kB} kB, in ${ms} ms of CPU`);
    }
    expect(totals.lost).toBe(0);
    expect(totals.lostAnswers).toBeGreaterThan(0);
  },
  24 * HOUR,
);
