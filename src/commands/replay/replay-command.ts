import { MIN_WINDOW_TOKENS } from '../../domain/config/least-window.ts';
import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import { type Policy, policies } from '../../replay/policy.ts';
import { type CommandSpec, homeOption, jsonOption } from '../command.ts';
import { parseChoice } from '../values.ts';

export const replayCommand: CommandSpec = {
  name: 'replay',
  summary: 'measure SanBot on recorded sessions, offline: overflow, cost, what stays known, rollback',
  operands: [['<file...>', 'recorded sessions']],
  options: [
    { flags: '--window <sizes>', description: "the model's window in tokens, several with commas: 32k,200000", defaultValue: '200k' },
    {
      flags: '--policy <names>',
      description: `what keeps the window: ${policies.join(', ')}, or all; several with commas or given again (default: sanbot)`,
      repeatable: true,
    },
    { flags: '--requests <folder>', description: 'write every request as it would be sent, one JSON file a step' },
    { flags: '--keep-home <folder>', description: 'keep the replayed sessions as a home, for sanbot search and show' },
    { flags: '--html <file>', description: 'write a page with plots, in one file; over another one' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot replay session.jsonl', 'one session, at a window of 200,000 tokens'],
    ['sanbot replay *.jsonl --window 32k,128k --policy sanbot,sliding-window', 'two windows, two policies'],
    ['sanbot replay session.jsonl --policy all --html replay.html', 'every policy, and a page with plots'],
  ],
  notes: [
    'Files are sessions of SanBot (log.jsonl, or sanbot export), Claude Code, Codex, pi, Gemini CLI, SWE-agent or aider, or messages',
    'as JSON in the shape of Anthropic or OpenAI; the format is told by the content. No model is asked and no tool is run: recorded',
    'replies and results are fed in, summaries are made by rule. Costs count input tokens: cached 0.1, written to the cache 1.25.',
  ],
  run: async (given, actions) => {
    const windows = (given.text('window') ?? '').split(',').map(windowTokens);
    const policies = policiesIn(given.text('policy') ?? 'sanbot');
    const { replay } = await actions();
    return replay({
      home: given.text('home'),
      files: given.operands,
      windows,
      policies,
      requests: given.text('requests'),
      keepHome: given.text('keep-home'),
      html: given.text('html'),
      json: given.flag('json'),
    });
  },
};

function policiesIn(text: string): readonly Policy[] {
  const names = text.split(',').map((name) => name.trim());
  return names.includes('all') ? policies : [...new Set(names.map((name) => parseChoice('--policy', name, policies)))];
}

/** 32000, 32k or 1m. */
function windowTokens(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([km]?)$/i.exec(text.trim()) ?? [];
  const tokens = Number(amount) * (unit === undefined || unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1_000 : 1_000_000);
  if (amount !== undefined && tokens >= MIN_WINDOW_TOKENS) return tokens;
  throw new SanbotError(
    'usage',
    `--window: expected sizes in tokens of at least ${MIN_WINDOW_TOKENS}, as 32000 or 32k, found ${inspectText(text)}`,
  );
}
