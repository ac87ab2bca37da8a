import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { ReplayOptions } from '../cli/actions.ts';
import type { CountTokens } from '../context/measure.ts';
import { countTokens } from '../context/tokens.ts';
import type { Config } from '../domain/config.ts';
import type { ToolSpec } from '../domain/context.ts';
import { SanbotError } from '../domain/errors.ts';
import { importTranscript } from '../replay/import-transcript.ts';
import { type OnRequest, replay } from '../replay/run.ts';
import type { ReplayRun } from '../replay/summarise-runs.ts';
import type { Transcript } from '../replay/transcript.ts';
import { readPrompt } from '../store/prompts.ts';
import { createTools } from '../tools/tools.ts';
import { promptFolder } from './conversation.ts';
import { frozenBase, type SystemPrompt } from './frozen-base.ts';
import { replayJson } from './replay-json.ts';
import { importNotes, replayText } from './replay-text.ts';
import type { Screen } from './screen.ts';
import { readSettings } from './settings.ts';
import type { World } from './world.ts';

/** Replays recorded sessions under every window and policy that was asked for, and prints what came of it. */
export async function replayFiles(world: World, options: ReplayOptions, screen: Screen): Promise<number> {
  const { config, notices } = readSettings(world, { home: options.home });
  for (const notice of notices) screen.err(`sanbot: ${notice}\n`);
  const offered = { render: (prompt: SystemPrompt) => systemPrompt(world, prompt), tools: toolSpecs(world, config) };
  const recorded = options.files.map((file) => ({ name: file, transcripts: readTranscripts(world, file) }));
  for (const { name, transcripts } of recorded)
    for (const note of importNotes(basename(name), transcripts)) screen.err(`sanbot: ${note}\n`);
  const runs: ReplayRun[] = [];
  for (const { name, transcripts } of recorded) {
    if (world.stderr.isTTY) screen.err(`replaying ${name}\n`);
    const count = rememberCounts(countTokens);
    for (const transcript of transcripts) runs.push(...(await runsOf(transcript, name, { ...offered, options, config, count, world })));
  }
  screen.out(options.json ? replayJson(runs, options) : replayText(runs, options, screen.columns));
  return 0;
}

type Offered = {
  readonly render: (prompt: SystemPrompt) => string;
  readonly tools: readonly ToolSpec[];
  readonly options: ReplayOptions;
  readonly config: Config;
  readonly count: CountTokens;
  readonly world: World;
};

async function runsOf(
  transcript: Transcript,
  file: string,
  { options, world, render, tools, config, count }: Offered,
): Promise<readonly ReplayRun[]> {
  const runs: ReplayRun[] = [];
  const { part, format } = transcript;
  for (const windowTokens of options.windows)
    for (const policy of options.policies) {
      const folder =
        options.requests === undefined
          ? undefined
          : resolve(world.cwd(), options.requests, requestsOf(file, part), `${windowTokens}-${policy}`);
      const outcome = await replay(
        transcript,
        { ...frozenBase({ render, tools }, { config, windowTokens }), config, count, windowTokens, policy },
        folder === undefined ? undefined : requestWriter(folder),
      );
      runs.push({ file, part, format, windowTokens, policy, outcome });
    }
  return runs;
}

const requestsOf = (file: string, part: string): string =>
  [basename(file), part]
    .filter((name) => name !== '')
    .join('-')
    .replace(/[/\\:]/g, '_');

/** Steps count from 1 in the recording, so a request's file says which recorded reply answered it. */
function requestWriter(folder: string): OnRequest {
  makeFolder(folder);
  return ({ system, tools, messages }, step) => {
    const name = join(folder, `${String(step + 1).padStart(6, '0')}.json`);
    onDisk(name, () => writeFileSync(name, `${JSON.stringify({ system, tools, messages }, null, 2)}\n`, { mode: 0o600 }));
  };
}

const makeFolder = (folder: string): void => onDisk(folder, () => void mkdirSync(folder, { recursive: true, mode: 0o700 }));

function onDisk(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw new SanbotError('store_failed', `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The longest string that Node can hold is below 512 MB. */
const MOST_BYTES = 500_000_000;

function readTranscripts(world: World, file: string): readonly Transcript[] {
  const path = resolve(world.cwd(), file);
  let text: string;
  try {
    if (statSync(path).size > MOST_BYTES) throw new SanbotError('usage', `${file} is too large: more than 500 MB`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof SanbotError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new SanbotError('not_found', `${file} cannot be read: ${why}`, { hint: 'Give the path of a recorded session.', cause: error });
  }
  return importTranscript(file, text);
}

/** The same for every machine and day, so that a replay gives the same figures everywhere. */
const systemPrompt = (world: World, name: SystemPrompt): string =>
  readPrompt(promptFolder(world), name)
    .replaceAll('{{cwd}}', () => '/work')
    .replaceAll('{{platform}}', () => 'linux')
    .replaceAll('{{date}}', () => '2026-01-01')
    .trim();

/** What the model is told of SanBot's tools; none of them is ever run here. */
const toolSpecs = (world: World, config: Config): readonly ToolSpec[] =>
  createTools({
    cwd: '/work',
    home: '/replay',
    sessionFolder: '/replay/sessions/replay',
    env: {},
    prompts: (name) => readPrompt(promptFolder(world), `tools/${name}`),
    pageChars: config.offload.maxToolResultChars,
    readBody: () => undefined,
    platform: 'linux',
    shell: '/bin/sh',
    now: world.now,
    newId: world.newId,
    kill: () => undefined,
  }).map((tool) => tool.spec);

const WORTH_REMEMBERING_CHARS = 64;

/** The same texts are counted for every window and policy. */
function rememberCounts(count: CountTokens): CountTokens {
  const known = new Map<string, number>();
  return (text) => {
    if (text.length < WORTH_REMEMBERING_CHARS) return count(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    const tokens = count(text);
    known.set(text, tokens);
    return tokens;
  };
}
