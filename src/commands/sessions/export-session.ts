import { join, resolve } from 'node:path';
import { archivePage, archiveTitle } from '../../context/history/archive-page.ts';
import { SanbotError } from '../../domain/errors.ts';
import { inEnglish, localize, type Warn } from '../../domain/language.ts';
import type { Message } from '../../domain/session/message.ts';
import { sessionPage } from '../../report/session/session-page.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import { exportLines } from '../../store/snapshot/export-file.ts';
import { formatSize } from '../../terminal/text/format.ts';
import { createSafeStream } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';
import { type OpenHome, openHome } from '../open-home.ts';
import { chooseSession } from './choose-session.ts';
import { createOutputFile } from './create-output-file.ts';

export type ExportFormat = 'jsonl' | 'md' | 'html';

export type ExportOptions = HomeOptions & {
  readonly session?: string;
  /** Left out: what the file's name ends in; jsonl without an ending. */
  readonly format?: ExportFormat;
  readonly output?: string;
};

export async function exportSession(options: ExportOptions, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const opened = openHome(options, context);
  const session = chooseSession(options.session, opened.store, context);
  const chunks = exportChunks(opened, session, formatOf(options));
  if (options.output === undefined) print(chunks, environment.stdout.isTTY === true, io);
  else {
    const size = formatSize(createOutputFile(resolve(environment.cwd(), options.output), chunks, ANOTHER_NAME));
    io.err(localize({ en: `Exported to ${options.output} (${size}).\n`, zh: `已导出到 ${options.output}（${size}）。\n` }));
  }
}

const ANOTHER_NAME = { en: 'Give another name after -o.', zh: '请在 -o 后另给一个文件名。' };

/** As it is into a file or a pipe; a terminal would obey the control sequences in it. */
function print(chunks: Iterable<Uint8Array>, isTerminal: boolean, { out }: CommandContext['io']): void {
  const filter = createSafeStream();
  for (const chunk of chunks) {
    const text = Buffer.from(chunk).toString('utf8');
    out(isTerminal ? filter.write(text) : text);
  }
  if (isTerminal) out(filter.end());
}

/** The same into a file, in the form that its name says. No shell has read the name: ~/ is the user's home here. Returns the file's bytes. */
export function exportToFile(
  environment: Environment,
  { home, session, file }: HomeOptions & { readonly session: string; readonly file: string },
  warn: Warn,
): number {
  const path = file.startsWith('~/') ? join(environment.homedir(), file.slice(2)) : resolve(environment.cwd(), file);
  const chunks = exportChunks(openHome({ home }, { environment, io: { warn } }), session, formatOf({ output: file }));
  return createOutputFile(path, chunks, { en: 'Give another name for the file.', zh: '请为文件另取一个名字。' });
}

/** By the end of the name; one without an ending is whole. Throws usage for an ending that promises what cannot be written. */
function formatOf({ format, output = '' }: ExportOptions): ExportFormat {
  if (format !== undefined) return format;
  const ending = /\.([a-z]\w{0,9})$/i.exec(output)?.[1]?.toLowerCase() ?? 'jsonl';
  const known = formatsByEnding.get(ending);
  if (known === undefined)
    throw new SanbotError(
      'usage',
      { en: `SanBot cannot write a .${ending} file`, zh: `SanBot 无法写 .${ending} 文件` },
      {
        en: 'A name that ends in .md or .html gives a page to read; .jsonl gives the whole session, for sanbot import.',
        zh: '以 .md 或 .html 结尾的文件名生成供阅读的页面；.jsonl 则是完整会话，供 sanbot import 使用。',
      },
    );
  return known;
}

const formatsByEnding: ReadonlyMap<string, ExportFormat> = new Map([
  ['md', 'md'],
  ['html', 'html'],
  ['htm', 'html'],
  ['jsonl', 'jsonl'],
]);

function exportChunks({ disk, paths, store }: OpenHome, sessionId: string, format: ExportFormat): Iterable<Uint8Array> {
  const at = disk.now().toISOString();
  if (format === 'jsonl') return exportLines({ paths, snapshots: store.snapshots, at, warn: disk.warn }, sessionId);
  const messages = messagesOf(allRecords(paths, sessionId));
  const title = store.sessions.list().find((line) => line.sessionId === sessionId)?.title || archiveTitle(messages);
  const page = { title, at, sessionId, messages, bodyOf: store.bodies(sessionId).read };
  return [Buffer.from(inEnglish(() => (format === 'md' ? archivePage(page) : sessionPage(page))))];
}

function messagesOf(records: ReturnType<typeof allRecords>): readonly Message[] {
  const messagesById = new Map<string, Message>();
  for (const record of records) {
    const messages = record.type === 'message' ? [record.message] : record.type === 'header' ? record.context.messages : [];
    for (const message of messages) if (!messagesById.has(message.id)) messagesById.set(message.id, message);
  }
  return [...messagesById.values()];
}
