import { text as readAll } from 'node:stream/consumers';
import { SanbotError } from '../../domain/errors.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { planPurge, purge } from '../../store/purge/purge.ts';
import { isAgreed, requireYes } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import { purgeJson, purgePlanText, purgeResultText } from './purge-text.ts';

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
}

const remainingError = (names: string): SanbotError =>
  new SanbotError(
    'store_failed',
    { en: `The text is still in ${names}: another process wrote there in the meantime`, zh: `文本仍存在于 ${names}：其间有其他进程写入` },
    { en: 'Close every running sanbot, then purge again.', zh: '关闭所有运行中的 sanbot，然后再次清除。' },
  );
