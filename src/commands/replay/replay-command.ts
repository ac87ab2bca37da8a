import { MIN_WINDOW_TOKENS } from '../../domain/config/least-window.ts';
import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import { type Policy, policies } from '../../replay/policy.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, notes, Option, parseChoice } from '../command.ts';

export const replayCommand = defineCommand({
  grammar: () =>
    new Command('replay')
      .description('measure SanBot on recorded sessions, offline: overflow, cost, how much stays known, rollback')
      .argument('<file...>', 'recorded sessions')
      .addOption(
        new Option('--window <sizes>', "the size of the model's window in tokens, or several separated by commas: 32k,200000")
          .argParser((text): readonly number[] => text.split(',').map(windowTokens))
          .default([200_000], '200k'),
      )
      .addOption(
        new Option(
          '--policy <names>',
          `how to keep within the window: ${policies.join(', ')}, or all; separate several with commas, or repeat the option (default: sanbot)`,
        ).argParser((text, earlier: readonly string[] | undefined) => [...(earlier ?? []), ...text.split(',')]),
      )
      .option('--requests <folder>', 'write every request as it would be sent, one JSON file per step')
      .option('--keep-home <folder>', 'keep the replayed sessions in this folder, for sanbot search and show with --home')
      .option('--html <file>', 'write one page with plots; an existing file is overwritten')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        notes(
          'Reads sessions of SanBot (log.jsonl, or from sanbot export), Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider, and messages as',
          'JSON in the format of Anthropic or OpenAI. It recognises the format by the content. It asks no model and runs no tool: it uses the',
          'recorded replies and results, and summarises by rule. Costs are in input tokens: 0.1 if read from the cache, 1.25 if written to it.',
        ),
      )
      .addHelpText(
        'after',
        examples(
          ['sanbot replay session.jsonl', 'one session, with a window of 200,000 tokens'],
          ['sanbot replay *.jsonl --window 32k,128k --policy sanbot,sliding-window', 'two windows, two policies'],
          ['sanbot replay session.jsonl --policy all --html replay.html', 'every policy, and a page with plots'],
        ),
      ),
  load: () => import('./replay.ts'),
  run: async ({ window: windows, policy = ['sanbot'], ...options }, { operands: [files], ...context }, load) => {
    const selected = policiesNamed(policy);
    return (await load()).replayFiles({ ...options, files, windows, policies: selected }, context);
  },
});

function policiesNamed(texts: readonly string[]): readonly Policy[] {
  const names = texts.map((text) => text.trim());
  return names.includes('all') ? policies : [...new Set(names.map((name) => parseChoice('--policy', name, policies)))];
}

/** 32000, 32k or 1m. */
function windowTokens(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([km]?)$/i.exec(text.trim()) ?? [];
  const tokens = Number(amount) * (unit === undefined || unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1_000 : 1_000_000);
  if (amount !== undefined && tokens >= MIN_WINDOW_TOKENS) return tokens;
  throw new SanbotError(
    'usage',
    `--window: expected sizes of at least ${MIN_WINDOW_TOKENS} tokens, such as 32000 or 32k, found ${inspectText(text)}`,
  );
}
