import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { changeTargets, newWriter, readTargets, withSyncLock } from '../../store/replica/targets.ts';
import { shownAddress } from '../../sync/postgres/address.ts';
import { initHub, withHub } from '../../sync/postgres/postgres.ts';
import { formatCount, formatSize, pluralize, timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import { PACE_MS } from './follow-hub.ts';
import { hubAddress, type KnownTarget, type OpenSync, openSync } from './open-sync.ts';
import { asJson, rowOf, statusOf } from './sync.ts';

type AddressOptions = HomeOptions & { readonly address: string };
export type JsonOptions = HomeOptions & { readonly json?: boolean };

export async function makeHub(
  { address, member = [] }: { readonly address: string; readonly member?: readonly string[] },
  { environment, io }: CommandContext,
): Promise<void> {
  const version = await initHub(address, member, environment);
  const shown = safeLine(shownAddress(address));
  say(io, {
    en: `${shown} is a hub now (schema ${version}). Nothing has been sent: sanbot hub join ADDRESS on each machine.`,
    zh: `${shown} 现在是 hub（模式版本 ${version}）。尚未发送任何内容：请在每台机器上运行 sanbot hub join ADDRESS。`,
  });
}

export async function joinHub(options: AddressOptions, context: CommandContext): Promise<void> {
  const { address } = options;
  const folder = shownAddress(address);
  await noteHub(options, address, context, async ({ enter }, writer) => enter(writer));
  const shown = safeLine(folder);
  say(context.io, {
    en: `Joined ${shown}. Nothing has been sent yet: sanbot sync --dry-run lists what would leave, sanbot sync exchanges. A session that you use from now on goes there by itself.`,
    zh: `已加入 ${shown}。尚未发送任何内容：sanbot sync --dry-run 列出将离开的内容，sanbot sync 进行交换。此后使用的会话会自动送往那里。`,
  });
}

type HubOf = Parameters<Parameters<typeof withHub>[2]>[0];
type Told = Parameters<typeof openHome>[1];

/** `kept` is the address as the home keeps it. */
async function noteHub(
  { address, ...options }: AddressOptions,
  kept: string,
  context: Told,
  enter: (hub: HubOf, writer: string) => Promise<void>,
): Promise<void> {
  const { disk, paths } = openHome(options, context);
  const folder = shownAddress(address);
  await withSyncLock(disk, paths, () =>
    withHub(address, context.environment, async (hub) => {
      const writer = readTargets(paths)?.writer ?? newWriter(disk);
      // Only what the server took is noted here.
      await enter(hub, writer);
      const target = { id: hub.id, folder, hub: kept };
      changeTargets(disk, paths, (all) => ({ ...all, writer, targets: [...all.targets.filter((each) => each.id !== hub.id), target] }));
    }),
  );
}

/**
 * The hub that SANBOT_HUB names is one of this home from now on; a password in it is kept nowhere. Of the machine the hub keeps no word before
 * an exchange: many that run once would be a long list.
 */
export async function joinNamedHub(home: string, address: string, context: Told): Promise<void> {
  const { paths } = openHome({ home }, context);
  const folder = shownAddress(address);
  if (readTargets(paths)?.targets.some((each) => each.folder === folder) === true) return;
  await noteHub({ home, address }, folder, context, async () => undefined);
}

export async function leaveHub(options: HomeOptions & { readonly address?: string | undefined }, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const { disk, paths } = openHome(options, context);
  const { hub, folder, writer } = await withSyncLock(disk, paths, async () => {
    const hubs = hubsOf(readTargets(paths)?.targets ?? []);
    const wanted = options.address === undefined ? undefined : shownAddress(options.address);
    const found = hubs.filter((each) => wanted === undefined || each.folder === wanted);
    const [one, ...others] = found;
    if (one === undefined || others.length > 0) throw one === undefined ? noHubJoined() : severalHubs(hubs);
    let left = { ...one, writer: '' };
    changeTargets(disk, paths, (all) => {
      left = { ...one, writer: all.writer };
      return { ...all, targets: all.targets.filter(({ id }) => id !== one.id) };
    });
    return left;
  });
  const shown = safeLine(folder);
  say(io, {
    en: `No longer exchanging with ${shown}. What is in it stays, for your other machines.`,
    zh: `不再与 ${shown} 交换。其中的内容保留，供你的其他机器使用。`,
  });
  await withHub(hub, environment, ({ leave }) => leave(writer)).catch((error: unknown) => {
    if (!(error instanceof SanbotError)) throw error;
    // It is left all the same; only the list of machines there does not know.
    const text: Bilingual = {
      en: `It still lists this machine, since it could not be told: ${localize(error.shown.message)}`,
      zh: `由于无法告知，它仍列出这台机器：${localize(error.shown.message)}`,
    };
    io.warn(text);
  });
}

type Hub = KnownTarget & { readonly hub: string };

const hubsOf = (targets: readonly KnownTarget[]): readonly Hub[] =>
  targets.flatMap((each) => (each.hub === undefined ? [] : [{ ...each, hub: each.hub }]));

const noHubJoined = (): SanbotError =>
  new SanbotError(
    'not_found',
    { en: 'No such hub has been joined', zh: '尚未加入这样的 hub' },
    { en: 'Join one: sanbot hub join ADDRESS.', zh: '请加入一个：sanbot hub join ADDRESS。' },
  );

const severalHubs = (hubs: readonly Hub[]): SanbotError => {
  const names = hubs.map(({ folder }) => safeLine(folder)).join(', ');
  return new SanbotError(
    'usage',
    { en: `Several hubs have been joined: ${names}`, zh: `加入了多个 hub：${names}` },
    { en: 'Name one: sanbot hub leave ADDRESS.', zh: '请指定一个：sanbot hub leave ADDRESS。' },
  );
};

/** Tells what is known here also of a hub that does not answer. */
export async function showHubs(options: JsonOptions, context: CommandContext): Promise<void> {
  const opened = openSync(options, context);
  const { acknowledge } = opened;
  await eachHub(opened, options, context, {
    first: (target) => (options.json ? '' : statusOf([rowOf(opened, target)], [], context)),
    ask: async (hub, target) => {
      const held = { ...(await hub.size()), machines: (await hub.members()).length };
      return { json: { ...rowOf(opened, target), ...held, acknowledge }, text: `  ${heldText(held)}\n  ${boundText[acknowledge]()}\n` };
    },
  });
}

/** How far the hub may be behind a session that is open, while the server answers. */
const boundText = {
  local: () =>
    localize({
      en: `open sessions go there within ${PACE_MS / 1000} seconds (hub.acknowledge: local)`,
      zh: `打开的会话在 ${PACE_MS / 1000} 秒内送往那里（hub.acknowledge: local）`,
    }),
  hub: () =>
    localize({
      en: 'each record of an open session is there before anything follows from it (hub.acknowledge: hub)',
      zh: '打开的会话的每条记录在产生后续之前已在那里（hub.acknowledge: hub）',
    }),
};

type Held = { readonly role: string; readonly sessions: number; readonly bytes: number; readonly machines: number };

const heldText = ({ role, sessions, bytes, machines }: Held): string =>
  localize({
    en: `as ${safeLine(role)}: ${pluralize(sessions, 'session')} (${formatSize(bytes)}) of ${pluralize(machines, 'machine')}`,
    zh: `以 ${safeLine(role)} 身份：${formatCount(machines)} 台机器的 ${formatCount(sessions)} 个会话（${formatSize(bytes)}）`,
  });

export async function listMembers(options: JsonOptions, context: CommandContext): Promise<void> {
  const opened = openSync(options, context);
  const now = context.environment.now();
  await eachHub(opened, options, context, {
    first: ({ folder }) => (options.json ? '' : `${safeLine(folder)}\n`),
    ask: async (hub, { folder }) => {
      const machines = await hub.members();
      const lines = machines.map(({ writer, joined, seen }) => {
        const own = writer === opened.home.writer ? localize({ en: ' (this machine)', zh: '（本机）' }) : '';
        const [since, last] = [joined, seen].map((time) => timeAgo(time.toISOString(), now));
        return `  ${safeLine(writer)}${own}${localize({ en: `: joined ${since}, last here ${last}`, zh: `：${since}加入，上次交换于${last}` })}\n`;
      });
      return { json: { folder, machines }, text: lines.join('') };
    },
  });
}

type Asked = { readonly json: object; readonly text: string };
type Asking = {
  readonly first: (target: Hub) => string;
  readonly ask: (hub: Parameters<Parameters<typeof withHub>[2]>[0], target: Hub) => Promise<Asked>;
};

/** Throws the first failure when all have been asked. */
export async function eachHub({ targets }: OpenSync, { json }: JsonOptions, { environment, io }: CommandContext, { first, ask }: Asking) {
  const hubs = hubsOf(targets);
  if (hubs.length === 0) throw noHubJoined();
  const failures: unknown[] = [];
  const answers: object[] = [];
  for (const target of hubs) {
    io.out(first(target));
    try {
      const asked = await withHub(hubAddress(target, environment), environment, async (hub) => {
        hub.require(target.id);
        return ask(hub, target);
      });
      answers.push(asked.json);
      if (!json) io.out(asked.text);
    } catch (error) {
      failures.push(error);
    }
  }
  if (json) io.out(asJson(answers));
  if (failures.length > 0) throw failures[0];
}
