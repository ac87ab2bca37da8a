import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync, removeSync } from 'fs-extra/esm';
import { findSnapshot, rollBack } from '../../agent/rollback/rollback.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { startConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { buildRuntime } from '../../runtime/runtime.ts';
import { readSettings } from '../../runtime/settings.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { createTextOutput } from '../../terminal/screen/text-output.ts';
import { formatCount, formatSize, pluralize } from '../../terminal/text/format.ts';
import { wrapIndented } from '../../terminal/text/text-width.ts';
import { rollbackResultText } from '../../terminal/views/rollback-text.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { showHistory } from '../history/history.ts';
import { demoJob } from './demo-job.ts';

export type DemoOptions = { readonly keep?: boolean };

/** So small that a few files fill it. */
const WINDOW = '16000';

/** On a made-up job, with the offline model, in a temporary home and folder: nothing of the user's is touched. */
export async function runDemo({ keep }: DemoOptions, { environment, io: given }: CommandContext): Promise<void> {
  const io = environment.stdout.isTTY === true ? inWholeWords(given) : given;
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-demo-'));
  if (!keep) environment.onExit(() => removeSync(folder));
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  const job = demoJob();
  for (const { path, text } of job.files) outputFileSync(join(project, path), text);
  const demoEnvironment: Environment = {
    ...environment,
    cwd: () => project,
    env: { PATH: environment.env.PATH, HOME: folder, SANBOT_HOME: home, SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: WINDOW },
  };
  say(io, {
    en: `This is a made-up job in ${folder}. It needs no language model: the built-in offline model follows direct requests. The window is only ${formatCount(Number(WINDOW))} tokens, so that it fills up soon. None of your files are read or changed.\n`,
    zh: `这是 ${folder} 中的虚构任务。它不需要语言模型：内置的离线模型会执行直接的请求。窗口只有 ${formatCount(Number(WINDOW))} token，因此很快就会填满。不会读取或更改你的任何文件。\n`,
  });
  const events: SanbotEvent[] = [];
  let show: (event: SanbotEvent) => void = () => undefined;
  const runtime = await buildRuntime(demoEnvironment, {
    settings: readSettings(demoEnvironment, { home: undefined }),
    mode: 'bypass',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show: (event) => {
      events.push(event);
      show(event);
    },
    warn: io.warn,
  });
  const conversation = startConversation(runtime, 'main');
  for (const prompt of job.prompts) {
    io.out(`> ${prompt}\n`);
    const output = createTextOutput({ out: (text) => io.out(firstLines(text)), err: (text) => io.out(`  ${text}`) });
    show = output.onEvent;
    await conversation.say(prompt, new AbortController().signal);
    output.finish();
  }
  show = () => undefined;
  io.out(`\n${statisticsText(events)}`);
  io.out(memoryEntriesText(runtime));
  await showUndo(demoEnvironment, conversation, { io, runtime });
  conversation.close();
  say(
    io,
    keep
      ? {
          en: `\nThe folder is kept: ${folder}. Look around with sanbot --home ${home} history, events, metrics, memory or search.`,
          zh: `\n文件夹已保留：${folder}。可用 sanbot --home ${home} 加 history、events、metrics、memory 或 search 查看。`,
        }
      : {
          en: `\nAll of it was in ${folder}, which is removed now; --keep keeps it. To begin, run sanbot in one of your projects.`,
          zh: `\n以上内容都在 ${folder} 中，现已删除；用 --keep 可以保留。要开始使用，请在你的项目中运行 sanbot。`,
        },
  );
}

const inWholeWords = (io: IoStreams): IoStreams => ({ ...io, out: (text) => io.out(wrapIndented(text, io.columns).join('\n')) });

const MAX_ANSWER_LINES = 2;

function firstLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  const rest = lines.length - MAX_ANSWER_LINES;
  const excerpt = lines.slice(0, MAX_ANSWER_LINES).map((line) => `  ${line.slice(0, 110)}\n`);
  return `${excerpt.join('')}${rest > 0 ? `  […] ${localize({ en: pluralize(rest, 'more line'), zh: `还有 ${formatCount(rest)} 行` })}\n` : ''}`;
}

function statisticsText(events: readonly SanbotEvent[]): string {
  const offloaded = events.flatMap((event) => (event.type === 'offloaded' ? event.results : []));
  const compacted = events.filter((event) => event.type === 'compacted');
  const freed = compacted.reduce((sum, event) => sum + event.tokensBefore - event.tokensAfter, 0);
  const largestRequest = Math.max(...events.map((event) => (event.type === 'request' ? event.tokens : 0)));
  const bytes = offloaded.reduce((sum, result) => sum + result.bytes, 0);
  const memories = compacted.reduce((sum, event) => sum + event.memoriesAdded, 0);
  return [
    localize({ en: 'What happened:', zh: '发生了什么：' }),
    localize({
      en: `  ${pluralize(offloaded.length, 'tool result')} went to files (${formatSize(bytes)}), where the model can read more when it needs to.`,
      zh: `  ${formatCount(offloaded.length)} 个工具结果转存到文件（${formatSize(bytes)}），模型需要时可以再读取。`,
    }),
    localize({
      en: `  ${pluralize(compacted.length, 'compaction')} freed ${formatCount(freed)} tokens; the largest request had ${formatCount(largestRequest)} of ${formatCount(Number(WINDOW))} tokens.`,
      zh: `  ${formatCount(compacted.length)} 次压缩释放了 ${formatCount(freed)} token；最大的请求为 ${formatCount(largestRequest)} token，上限 ${formatCount(Number(WINDOW))}。`,
    }),
    localize({
      en: `  ${pluralize(memories, 'memory', 'memories')} came from what was said, for later sessions.`,
      zh: `  从对话中提取了 ${formatCount(memories)} 条记忆，供以后的会话使用。`,
    }),
    '',
  ].join('\n');
}

type DemoContext = { readonly io: IoStreams; readonly runtime: Runtime };

function memoryEntriesText({ home, store }: Runtime): string {
  const paths = pathsOf(home);
  const lines = (['decisions', 'preferences'] as const).flatMap((kind) =>
    (store.readText(paths.extracted('main', kind), 10_000) ?? '').split('\n'),
  );
  const entries = lines.filter((line) => line.startsWith('- ')).map((line) => `  ${line.replace(/ <!--.*$/, '')}\n`);
  return `\n${localize({ en: 'Remembered, in memory/extracted/:', zh: '记住的内容，位于 memory/extracted/：' })}\n${entries.join('')}`;
}

async function showUndo(environment: Environment, { session, deps }: Conversation, { io, runtime }: DemoContext): Promise<void> {
  const [first] = runtime.store.snapshots.list(session.id);
  io.out('\n$ sanbot history --session ID\n');
  await showHistory({ session: session.id }, { environment, io });
  if (first === undefined) return;
  io.out(`\n$ sanbot rollback --snapshot ${first.id}\n`);
  const snapshot = findSnapshot(first.id, deps.disk.snapshots);
  const result = rollBack(snapshot, session, deps);
  io.out(rollbackResultText(result));
  const equal = JSON.stringify(session.context) === JSON.stringify(snapshot.context);
  say(
    io,
    equal
      ? { en: 'Every message is back, byte for byte.', zh: '所有消息都已恢复，逐字节一致。' }
      : { en: 'The messages are NOT equal to those that were saved.', zh: '恢复的消息与保存的消息【不】一致。' },
  );
}
