import { MIN_WINDOW_TOKENS } from '../../domain/config/least-window.ts';
import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { inspectText } from '../../domain/text.ts';
import { type Policy, policies } from '../../replay/policy.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, notes, Option, parseChoice } from '../command.ts';

export const replayCommand = defineCommand({
  grammar: () =>
    new Command('replay')
      .description(
        localize({
          en: 'measure SanBot on recorded sessions, offline: overflow, cost, how much stays known, rollback',
          zh: '用录制的会话离线评测 SanBot：溢出、费用、信息保留程度、回滚',
        }),
      )
      .argument('<file...>', localize({ en: 'recorded sessions', zh: '录制的会话' }))
      .addOption(
        new Option(
          '--window <sizes>',
          localize({
            en: "the size of the model's window in tokens, or several separated by commas: 32k,200000",
            zh: '模型窗口的大小（token 数），多个以逗号分隔：32k,200000',
          }),
        )
          .argParser((text): readonly number[] => text.split(',').map(windowTokens))
          .default([200_000], '200k'),
      )
      .addOption(
        new Option(
          '--policy <names>',
          localize({
            en: `how to keep within the window: ${policies.join(', ')}, or all; separate several with commas, or repeat the option (default: sanbot)`,
            zh: `保持在窗口内的策略：${policies.join('、')} 或 all；多个以逗号分隔，或重复此选项（默认：sanbot）`,
          }),
        ).argParser((text, earlier: readonly string[] | undefined) => [...(earlier ?? []), ...text.split(',')]),
      )
      .option(
        '--requests <folder>',
        localize({
          en: 'write every request as it would be sent, one JSON file per step',
          zh: '写出每个将要发送的请求，每步一个 JSON 文件',
        }),
      )
      .option(
        '--keep-home <folder>',
        localize({
          en: 'keep the replayed sessions in this folder, for sanbot search and show with --home',
          zh: '把重放的会话保存在此文件夹，供 sanbot search 和 show 配合 --home 使用',
        }),
      )
      .option(
        '--html <file>',
        localize({ en: 'write one page with plots; an existing file is overwritten', zh: '生成一个带图表的页面；会覆盖已有文件' }),
      )
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          localize({
            en: 'Reads sessions of SanBot (log.jsonl, or from sanbot export), Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider, and messages as JSON in the format of Anthropic or OpenAI. It recognises the format by the content. It asks no model and runs no tool: it uses the recorded replies and results, and summarises by rule. Costs are in input tokens: 0.1 if read from the cache, 1.25 if written to it.',
            zh: '可读取 SanBot（log.jsonl 或 sanbot export 的文件）、Claude Code、Codex、pi、Gemini CLI、SWE-agent 或 aider 的会话，以及 Anthropic 或 OpenAI 格式的 JSON 消息，格式根据内容识别。不调用模型，也不运行工具：使用录制的回答和结果，并按规则生成摘要。费用以输入 token 计：读缓存为 0.1，写缓存为 1.25。',
          }),
        ),
      )
      .addHelpText('after', replayExamples()),
  load: () => import('./replay.ts'),
  run: async ({ window: windows, policy = ['sanbot'], ...options }, { operands: [files], ...context }, load) => {
    const selected = policiesNamed(policy);
    return (await load()).replayFiles({ ...options, files, windows, policies: selected }, context);
  },
});

const replayExamples = () =>
  examples(
    ['sanbot replay session.jsonl', localize({ en: 'one session, with a window of 200,000 tokens', zh: '一个会话，窗口为 200,000 token' })],
    [
      'sanbot replay *.jsonl --window 32k,128k --policy sanbot,sliding-window',
      localize({ en: 'two windows, two policies', zh: '两种窗口，两种策略' }),
    ],
    [
      'sanbot replay session.jsonl --policy all --html replay.html',
      localize({ en: 'every policy, and a page with plots', zh: '所有策略，以及带图表的页面' }),
    ],
  );

function policiesNamed(texts: readonly string[]): readonly Policy[] {
  const names = texts.map((text) => text.trim());
  return names.includes('all') ? policies : [...new Set(names.map((name) => parseChoice('--policy', name, policies)))];
}

/** 32000, 32k or 1m. */
function windowTokens(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([km]?)$/i.exec(text.trim()) ?? [];
  const tokens = Number(amount) * (unit === undefined || unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1_000 : 1_000_000);
  if (amount !== undefined && tokens >= MIN_WINDOW_TOKENS) return tokens;
  throw new SanbotError('usage', {
    en: `--window: expected sizes of at least ${MIN_WINDOW_TOKENS} tokens, such as 32000 or 32k, found ${inspectText(text)}`,
    zh: `--window：应为至少 ${MIN_WINDOW_TOKENS} token 的大小，例如 32000 或 32k，实际为 ${inspectText(text)}`,
  });
}
