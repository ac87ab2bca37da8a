import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createMeasure, type Measure } from '../../context/measure/measure.ts';
import { inEnglish } from '../../domain/language.ts';
import { redact } from '../../domain/value/redact.ts';
import { createAuditFold } from '../../report/session/report-events.ts';
import { foldLog } from '../../report/session/report-log.ts';
import { reportPage } from '../../report/session/report-page.ts';
import { touchedFiles } from '../../report/session/report-size.ts';
import { buildTimeline } from '../../report/session/report-timeline.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { loadTokenCounter } from '../../runtime/token-counter.ts';
import { setsOfSession } from '../../store/changes/change-lines.ts';
import { allRecords, peekSession } from '../../store/session/peek-session.ts';
import { formatSize, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { type OpenHome, openHome } from '../open-home.ts';
import { chooseSession } from '../sessions/choose-session.ts';
import { createOutputFile } from '../sessions/create-output-file.ts';

export type ReportOptions = HomeOptions & {
  readonly session?: string;
  readonly html?: string;
};

export async function writeReport(options: ReportOptions, { environment, io }: CommandContext): Promise<void> {
  const opened = openHome(options, { environment, io });
  const sessionId = chooseSession(options.session, opened.store, { environment, io });
  const file = options.html ?? unusedName(environment, sessionId);
  const path = resolve(environment.cwd(), file);
  const measure = createMeasure(loadTokenCounter(environment));
  // A file is English: it is read elsewhere too.
  const page = inEnglish(() => pageOf(opened, sessionId, measure));
  const bytes = createOutputFile(path, [Buffer.from(page)], {
    en: 'Give another name after --html.',
    zh: '请在 --html 后另给一个文件名。',
  });
  say(io, {
    en: `Wrote ${safeLine(file)} (${formatSize(bytes)}). Open it in a browser; it needs nothing else.`,
    zh: `已写入 ${safeLine(file)}（${formatSize(bytes)}）。用浏览器打开即可，不需要其他东西。`,
  });
}

function pageOf({ disk, paths, store }: OpenHome, sessionId: string, measure: Measure): string {
  const { warnings } = peekSession(paths, sessionId);
  const log = foldLog(allRecords(paths, sessionId), measure);
  const audit = createAuditFold();
  const { damaged } = store.events.read({ sessionId }, audit.add);
  const snapshots = store.snapshots.list(sessionId);
  const listing = store.sessions.list().find((line) => line.sessionId === sessionId);
  return reportPage({
    sessionId,
    title: redact(listing?.title ?? ''),
    open: listing?.open ?? false,
    log,
    audit: audit.summary,
    timeline: buildTimeline(log, audit.summary, snapshots),
    ...touchedFiles(log.files, { cwd: log.header?.cwd ?? '', home: paths.home, changes: setsOfSession(paths, sessionId) }),
    snapshots,
    warnings: [
      ...warnings.map(({ en }) => en),
      ...(damaged === 0 ? [] : [`${pluralize(damaged, 'line')} of the audit log cannot be read.`]),
    ],
    at: disk.now().toISOString(),
  });
}

/** sanbot-report-ID.html in the working folder, numbered when it is there already: an older report is not lost. */
function unusedName(environment: Environment, sessionId: string): string {
  const name = (n: number): string => `sanbot-report-${sessionId.replace(/[^\w-]/g, '_')}${n === 1 ? '' : `-${n}`}.html`;
  let n = 1;
  while (existsSync(resolve(environment.cwd(), name(n)))) n += 1;
  return name(n);
}
