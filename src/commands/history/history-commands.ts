import { SanbotError } from '../../domain/errors.ts';
import { auditTypes } from '../../domain/event/audit-types.ts';
import { inspectText } from '../../domain/text.ts';
import { defineCommand, grammarOf, option, sessionOption, sinceOption } from '../command.ts';
import { nearestHint } from '../usage/usage-errors.ts';

export const historyCommand = defineCommand({
  grammar: () =>
    grammarOf('history', {
      en: 'list the snapshots, compactions and rollbacks of a session; without --session, list the sessions',
      zh: '列出会话的快照、压缩和回滚；不加 --session 时列出会话',
    })
      .option('--session <id>', { en: 'the session', zh: '会话' })
      .option('--snapshot <id>', {
        en: 'show one snapshot in detail: what was kept, what was summarised, and where to read the originals',
        zh: '显示某个快照的详情：保留了什么、摘要了什么、在哪里读取原文',
      })
      .add(
        option('--hub', {
          en: 'what the hubs that you joined have: sessions with their cost, or the compactions of one',
          zh: '你加入的 hub 中的内容：会话及其费用，或某个会话的压缩',
        }).conflicts('snapshot'),
      )
      .json()
      .examples({ 'sanbot history --session ID --json': { en: 'the history of one session as JSON', zh: '以 JSON 输出某个会话的历史' } }),
  load: () => import('./history.ts'),
  run: async ({ hub, ...options }, context, load) =>
    hub ? (await import('../sync/hub-history.ts')).showHubHistory(options, context) : (await load()).showHistory(options, context),
});

export const eventsCommand = defineCommand({
  grammar: (environment) =>
    grammarOf('events', {
      en: 'show the audit log: what happened, but not what was said',
      zh: '显示审计日志：发生了什么，但不包含对话内容',
    })
      .option('--session <id>', { en: 'only this session', zh: '只看这个会话' })
      .add(
        option('--type <type>', { en: 'only events of this type, such as compacted', zh: '只看这种类型的事件，例如 compacted' }).argParser(
          parseEventType,
        ),
      )
      .add(sinceOption(environment))
      .option('-f, --follow', { en: 'keep showing new events until Ctrl-C', zh: '持续显示新事件，直到按下 Ctrl-C' })
      .json()
      .examples({ 'sanbot events --type compacted --since 7d': { en: 'the compactions of the last week', zh: '最近一周的压缩' } }),
  load: () => import('./events.ts'),
  run: async (options, context, load) => (await load()).showEvents(options, context),
});

function parseEventType(type: string): string {
  const types = auditTypes();
  if (types.includes(type)) return type;
  const all = { en: `The types are ${types.join(', ')}.`, zh: `可用的类型：${types.join('、')}。` };
  throw new SanbotError(
    'usage',
    { en: `--type: there is no event type ${inspectText(type)}`, zh: `--type：没有事件类型 ${inspectText(type)}` },
    nearestHint(type, types, all),
  );
}

export const metricsCommand = defineCommand({
  grammar: (environment) =>
    grammarOf('metrics', {
      en: 'compare the figures of your sessions with their targets, from the audit log',
      zh: '根据审计日志，将会话指标与目标值比较',
    })
      .add(sinceOption(environment))
      .option('--session <id>', { en: 'only this session', zh: '只看这个会话' })
      .json('prometheus')
      .option('--prometheus', { en: 'print the text format that Prometheus reads', zh: '输出 Prometheus 可读取的文本格式' })
      .notes(
        {
          en: 'Ended well: turns that the model ended by itself. Calls made again: tool calls that the same session had made before, word for word.',
          zh: '正常结束：由模型自行结束的轮次。重复调用：同一会话中与之前完全相同的工具调用。',
        },
        {
          en: 'Facts: names, errors, constraints and decisions that a compaction took out of the context, looked for right after it.',
          zh: '事实：因压缩移出上下文的名称、错误、约束和决策，压缩后立即查找，看能否找回。',
        },
      )
      .examples({ 'sanbot metrics --since 7d': { en: 'the last week', zh: '最近一周' } }),
  load: () => import('./events.ts'),
  run: async ({ json, prometheus, ...options }, context, load) =>
    (await load()).showMetrics({ ...options, format: json ? 'json' : prometheus ? 'prometheus' : 'table' }, context),
});

export const reportCommand = defineCommand({
  grammar: () =>
    grammarOf('report', {
      en: 'write one HTML page about a session: its context over time, every change to it, turns, tools, files, cost',
      zh: '生成会话的 HTML 报告：上下文的变化过程、每次更改、轮次、工具、文件、费用',
    })
      .add(sessionOption({ en: 'the session to report on', zh: '要生成报告的会话' }))
      .option('--html <file>', {
        en: 'the file to write; an existing file is never overwritten (default: sanbot-report-ID.html in this folder)',
        zh: '要写入的文件；从不覆盖已有文件（默认：此文件夹中的 sanbot-report-ID.html）',
      })
      .notes(
        {
          en: 'The page has the first line of each of your messages, without anything that looks like a secret, and the names of files and commands.',
          zh: '报告包含你每条消息的第一行（去除疑似密钥的内容），以及文件名和命令名。',
        },
        {
          en: 'It has no answers, no file contents and no command output. A session in use is shown as it is now.',
          zh: '不包含回答、文件内容和命令输出。使用中的会话按当前状态显示。',
        },
      )
      .examples({
        'sanbot report': { en: 'the last session of this folder', zh: '此文件夹中最近使用的会话' },
        'sanbot report --session ID --html report.html': {
          en: 'one file to open in a browser; it needs no network',
          zh: '用浏览器打开的单个文件，不需要网络',
        },
      }),
  load: () => import('./report.ts'),
  run: async (options, context, load) => (await load()).writeReport(options, context),
});
