import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { localize } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { groupOf, type HomeOptions } from '../../runtime/home.ts';
import { buildUnattendedRuntime } from '../../runtime/runtime.ts';
import { openToRead, readAt, useAndClose } from '../../store/files/disk.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { settingsOf } from '../open-home.ts';
import { importExportFile } from './exported/import-exported.ts';
import { importRecording } from './import-recording.ts';
import { importNotes, readTranscripts } from './recordings/read-transcripts.ts';

export type ImportOptions = HomeOptions & { readonly file: string };

export async function importSession(options: ImportOptions, { environment, io }: CommandContext): Promise<void> {
  const path = resolve(environment.cwd(), options.file);
  const isTaken = (!existsSync(path) || isExportFile(path)) && (await importExportFile(options, { environment, io }));
  return isTaken ? undefined : importRecordings(options, { environment, io });
}

function isExportFile(path: string): boolean {
  const start = orUndefined(() => useAndClose(openToRead(path, { followLinks: true }), (file) => readAt(file, 0, HEAD_BYTES)));
  return /^\s*\{\s*"type"\s*:\s*"sanbot-export"/.test(start?.toString('utf8') ?? '');
}

const HEAD_BYTES = 1_000;

async function importRecordings(options: ImportOptions, { environment, io }: CommandContext): Promise<void> {
  const { warn } = io;
  const transcripts = readTranscripts(environment, options.file);
  const runtime = await buildUnattendedRuntime(environment, {
    settings: settingsOf({ home: options.home }, { environment, io }),
    show: (event) => {
      if (event.type === 'warning') warn(event.message);
    },
    warn,
  });
  for (const note of importNotes(basename(options.file), transcripts)) warn(note);
  for (const transcript of transcripts.filter(({ steps }) => steps.length > 0)) {
    const { sessionId, messages, offloaded, thinking } = importRecording(runtime, groupOf(environment, { group: undefined }), {
      ...transcript,
      file: basename(options.file),
    });
    const details = [transcript.format, ...(transcript.part === '' ? [] : [safeLine(transcript.part)])].join(', ');
    const offloadedText =
      offloaded === 0
        ? ''
        : localize({ en: `, ${pluralize(offloaded, 'large result')} in files`, zh: `，${formatCount(offloaded)} 个大结果存于文件` });
    if (transcript.system !== undefined)
      warn({
        en: `The recorded system prompt of session ${sessionId} is left out: SanBot has its own.`,
        zh: `会话 ${sessionId} 录制的系统提示词已略去：SanBot 使用自己的。`,
      });
    if (thinking > 0)
      warn({
        en: `${pluralize(thinking, 'thinking block')} of session ${sessionId} left out: they are signed for another conversation.`,
        zh: `会话 ${sessionId} 的 ${formatCount(thinking)} 个思考块已略去：它们是为另一个对话签名的。`,
      });
    say(io, {
      en: `Imported session ${sessionId} (${details}): ${pluralize(messages, 'message')}${offloadedText}. To continue it: sanbot --resume ${sessionId}`,
      zh: `已导入会话 ${sessionId}（${details}）：${formatCount(messages)} 条消息${offloadedText}。继续：sanbot --resume ${sessionId}`,
    });
  }
}
