import { text as readAll } from 'node:stream/consumers';
import { SanbotError } from '../../domain/errors.ts';
import { inEnglish, localize } from '../../domain/language.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { entryExists } from '../../store/files/disk.ts';
import { type PurgePlan, planPurge, purge } from '../../store/purge/purge.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { isAgreed, requireYes } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';

export type PurgeOptions = HomeOptions & {
  /** The text, or "-" for stdin. */
  readonly match: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

/** Shows where a text occurs, and removes it from every file once that is confirmed: by --yes, or at the terminal. */
export async function purgeHome(options: PurgeOptions, { environment, io }: CommandContext): Promise<void> {
  const { disk, paths } = openHome(options, { environment, io });
  const fromStdin = options.match === '-';
  // One newline at its end is that of the file or the echo.
  const text = fromStdin ? (await readAll(environment.stdin)).replace(/\r?\n$/, '') : options.match;
  const plan = { text, ...planPurge(paths, text) };
  const isEmpty = plan.findings.length === 0 && !plan.unfinished;
  if (options.dryRun || isEmpty) return io.out(options.json ? purgeJson(plan, { purged: false }) : purgePlanText(plan));
  // Where the text comes from standard input, no answer can.
  requireYes({ yes: options.yes === true, json: options.json || fromStdin }, environment, {
    what: { en: 'Purging', zh: '清除' },
    hint: {
      en: 'Nothing was changed. Add --yes to confirm, or --dry-run to see where the text occurs.',
      zh: '没有做任何更改。加 --yes 确认，或用 --dry-run 查看文本出现的位置。',
    },
  });
  if (!options.json) io.out(purgePlanText(plan));
  const question = { en: 'Purge it? This cannot be undone.', zh: '确认清除？此操作无法撤销。' };
  if (!options.yes && !(await isAgreed(question, { environment, io }))) return;
  purge(disk, paths, text);
  const remaining = planPurge(paths, text).findings.map(({ name }) => name);
  if (remaining.length > 0) throw remainingError(remaining.join(', '));
  io.out(options.json ? purgeJson(plan, { purged: true }) : purgeResultText(plan));
  if (!entryExists(paths.syncTargets)) return;
  // What was sent to other machines is purged there too.
  const out = options.json ? () => undefined : io.out;
  await (await import('../sync/sync.ts')).exchangeAll(options, { environment, io: { ...io, out } }, !options.json);
}

const remainingError = (names: string): SanbotError =>
  new SanbotError(
    'store_failed',
    { en: `The text is still in ${names}: another process wrote there in the meantime`, zh: `文本仍存在于 ${names}：其间有其他进程写入` },
    { en: 'Close every running sanbot, then purge again.', zh: '关闭所有运行中的 sanbot，然后再次清除。' },
  );

export type PurgeReport = PurgePlan & { readonly text: string };

const MIN_UNMASKED_CHARS = 16;

/** Enough of a secret to know it by, and never more. */
function maskSecret(text: string): string {
  const characters = [...text];
  const isLong = characters.length >= MIN_UNMASKED_CHARS;
  const ends = isLong ? ` ${safeLine(characters.slice(0, 3).join(''))}…${safeLine(characters.slice(-2).join(''))}` : '';
  return localize({
    en: `${ends} (${pluralize(characters.length, 'character')})`.trimStart(),
    zh: `${ends}（${formatCount(characters.length)} 个字符）`,
  });
}

const totalOf = ({ findings }: PurgeReport): number => findings.reduce((sum, { count }) => sum + count, 0);

export function purgePlanText(report: PurgeReport): string {
  const { text, findings: files, unfinished } = report;
  const [masked, total] = [maskSecret(text), totalOf(report)];
  const lines = files.map(({ name, count }) => `  ${String(count).padStart(6)}  ${safeLine(name)}\n`);
  const head =
    files.length === 0
      ? localize({
          en: `The text ${masked} does not occur in anything that SanBot has stored.\n`,
          zh: `SanBot 保存的内容中没有文本${masked}。\n`,
        })
      : localize({
          en: `The text ${masked} occurs ${pluralize(total, 'time')} in ${pluralize(files.length, 'file')}:\n`,
          zh: `文本${masked}在 ${formatCount(files.length)} 个文件中出现 ${formatCount(total)} 次：\n`,
        });
  const earlier = localize({
    en: 'An earlier purge was interrupted; this one will finish it.\n',
    zh: '之前的一次清除被中断，这次会将其完成。\n',
  });
  return `${head}${lines.join('')}${unfinished ? earlier : ''}${settingsText(report)}${packsText(report)}${unseenText(report)}`;
}

export const purgeResultText = (report: PurgeReport): string =>
  localize({
    en: `Replaced it with [purged] ${pluralize(totalOf(report), 'time')} in ${pluralize(report.findings.length, 'file')}. The secret has leaked, so change it as well.\n`,
    zh: `已在 ${formatCount(report.findings.length)} 个文件中替换为 [purged]，共 ${formatCount(totalOf(report))} 次。密钥已经泄露，请同时更换。\n`,
  });

const unseenText = ({ unseen }: PurgeReport): string =>
  unseen.length === 0
    ? ''
    : `${localize({
        en: `What images and PDFs show was not searched. ${pluralize(unseen.length, 'file')} with some:`,
        zh: `未搜索图片和 PDF 中显示的内容。含有它们的文件有 ${formatCount(unseen.length)} 个：`,
      })}\n${unseen.map((name) => `  ${safeLine(name)}\n`).join('')}${localize({
        en: 'If one shows the secret, delete its session with sanbot sessions delete ID, then delete by hand the files listed here that remain.\n',
        zh: '如果其中显示了机密内容，请用 sanbot sessions delete ID 删除其会话，并手动删除这里列出的剩余文件。\n',
      })}`;

const packsText = ({ packs }: PurgeReport): string =>
  packs.length === 0
    ? ''
    : `${localize({
        en: 'What git has packed was not searched. It belongs to git; SanBot keeps it to undo commands, for:',
        zh: '未搜索 git 已打包的内容。它属于 git，SanBot 为能撤销命令而保留它，涉及：',
      })}\n${packs.map((path) => `  ${safeLine(path)}\n`).join('')}${localize({
        en: 'If a commit has the secret, take it out there, then delete the sessions that worked there with sanbot sessions delete ID.\n',
        zh: '如果某个提交含有机密内容，请在那里移除，然后用 sanbot sessions delete ID 删除在那里工作过的会话。\n',
      })}`;

const settingsText = ({ inSettings }: PurgeReport): string =>
  inSettings === 0
    ? ''
    : localize({
        en: `It also occurs in config.json (${pluralize(inSettings, 'time')}). That file is yours, so it is not changed.\n`,
        zh: `它还出现在 config.json 中（${formatCount(inSettings)} 次）。该文件属于你，因此未更改。\n`,
      });

export function purgeJson(report: PurgeReport, { purged }: { readonly purged: boolean }): string {
  const { text, findings: files, unseen, packs, inSettings } = report;
  const match = inEnglish(() => maskSecret(text));
  return `${JSON.stringify({ match, purged, total: totalOf(report), files, ...(unseen.length > 0 && { unseen }), ...(packs.length > 0 && { packs }), inSettings }, null, 2)}\n`;
}
