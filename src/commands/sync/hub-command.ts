import type { Bilingual } from '../../domain/language.ts';
import { defineCommand, defineCommandGroup, grammarOf, option, parseWholeNumber, requireText } from '../command.ts';

const load = () => import('./hub.ts');

const addressText = { en: 'of a database, as postgres://ROLE@HOST:PORT/DATABASE', zh: '数据库地址，如 postgres://ROLE@HOST:PORT/DATABASE' };
const addressOperand = { en: 'The address', zh: '地址' };

const initCommand = defineCommand({
  grammar: () =>
    grammarOf('init', {
      en: 'make a hub in this database, or upgrade the one that is there',
      zh: '在此数据库中建立 hub，或升级已有的 hub',
    })
      .argument('<address>', addressText)
      .add(
        option('--member <role>', {
          en: 'let this role of the server use it too; may be repeated',
          zh: '让服务器的此角色也能使用它；可重复',
        }).argParser((text: string, before: readonly string[] = []): readonly string[] => [...before, text]),
      ),
  hasHome: false,
  load,
  run: async (options, { operands: [address], ...context }, loadModule) =>
    (await loadModule()).makeHub({ ...options, address: requireText(addressOperand, [address]) }, context),
});

const joinCommand = defineCommand({
  grammar: () =>
    grammarOf('join', {
      en: 'exchange with other machines through this hub from now on',
      zh: '今后通过此 hub 与其他机器交换',
    }).argument('<address>', addressText),
  load,
  run: async (options, { operands: [address], ...context }, loadModule) =>
    (await loadModule()).joinHub({ ...options, address: requireText(addressOperand, [address]) }, context),
});

const statusCommand = defineCommand({
  grammar: () =>
    grammarOf('status', {
      en: 'show each hub, what it holds of yours, and what has yet to go there',
      zh: '显示各 hub、其中属于你的内容以及尚待送出的内容',
    }).json(),
  load,
  run: async (options, context, loadModule) => (await loadModule()).showHubs(options, context),
});

const membersCommand = defineCommand({
  grammar: () => grammarOf('members', { en: 'list your machines that joined', zh: '列出你已加入的机器' }).json(),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listMembers(options, context),
});

const numberOption = <Flags extends string>(flags: Flags, does: Bilingual) =>
  option(flags, does).argParser((text: string) => parseWholeNumber(flags.split(' ')[0] ?? '', text, 1));

const retainCommand = defineCommand({
  grammar: () =>
    grammarOf('retain', {
      en: 'remove from the hub what of yours is old or too much; your machines keep what they have',
      zh: '从 hub 移除你的过旧或过多的内容；你的机器保留已有的内容',
    })
      .add(
        numberOption('--days <n>', {
          en: 'results and snapshots of sessions not written for so many days',
          zh: '这么多天未写入的会话的结果和快照',
        }),
      )
      .add(numberOption('--log-days <n>', { en: 'whole sessions not written for so many days', zh: '这么多天未写入的整个会话' }))
      .add(
        numberOption('--max-mb <n>', {
          en: 'the oldest, until all takes no more than so many megabytes',
          zh: '最旧的内容，直到总量不超过这么多 MB',
        }),
      )
      .option('--dry-run', { en: 'only tell what would go', zh: '只列出将移除的内容' })
      .json(),
  load: () => import('./hub-history.ts'),
  run: async ({ maxMb, ...options }, context, loadModule) =>
    (await loadModule()).retainInHubs({ ...options, maxBytes: maxMb === undefined ? undefined : maxMb * 1_000_000 }, context),
});

const leaveCommand = defineCommand({
  grammar: () =>
    grammarOf('leave', {
      en: 'stop exchanging through a hub; what is in it stays',
      zh: '不再通过 hub 交换；其中的内容保留',
    }).argument('[address]', { en: 'the hub, where several were joined', zh: '加入了多个 hub 时指定' }),
  load,
  run: async (options, { operands: [address], ...context }, loadModule) => (await loadModule()).leaveHub({ ...options, address }, context),
});

export const hubCommand = defineCommandGroup(
  () =>
    grammarOf('hub', {
      en: 'exchange sessions and memories with your other machines through a PostgreSQL server',
      zh: '通过 PostgreSQL 服务器与你的其他机器交换会话和记忆',
    }).examples({
      'sanbot hub init postgres://alice@server/sanbot': { en: 'once, in a database of yours', zh: '在你的数据库中执行一次' },
      'sanbot hub join postgres://alice@server/sanbot': { en: 'on each machine', zh: '在每台机器上执行' },
      'sanbot sync': { en: 'exchange now', zh: '立即交换' },
    }),
  [initCommand, joinCommand, statusCommand, membersCommand, retainCommand, leaveCommand],
);
