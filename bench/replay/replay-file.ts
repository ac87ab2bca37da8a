import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { importNotes, readTranscripts } from '../../src/commands/sessions/recordings/read-transcripts.ts';
import type { CountTokens } from '../../src/context/measure/count.ts';
import type { Config } from '../../src/domain/config/config.ts';
import type { Environment } from '../../src/runtime/environment.ts';
import { promptFolder } from '../../src/runtime/home.ts';
import { choosePromptForm } from '../../src/runtime/prompt/render-system.ts';
import { loadTokenCounter } from '../../src/runtime/token-counter.ts';
import { readPrompt } from '../../src/store/prompts.ts';
import { toolSpecs } from '../../src/tools/tools.ts';
import type { ReplayRun } from './measure/summarise-runs.ts';
import type { Policy } from './policy.ts';
import { openReplayHome, sessionIdsFor } from './replay-home.ts';
import { type OnRequest, replay } from './run.ts';

export type Variant = { readonly windowTokens: number; readonly policy: Policy };

export type ReplayFileOptions = {
  readonly variants: readonly Variant[];
  /** A folder that gets every request as it would be sent. */
  readonly requests?: string | undefined;
  /** A home that gets every replayed session, to be looked into afterwards. */
  readonly keepHome?: string | undefined;
  readonly config: Config;
  /** Where homes that are not kept are made; whoever made the folder removes it, also when a replay is stopped. */
  readonly temporaryFolder: string;
};

/** What came of one file: a run for each conversation in it and variant, and what was not taken over. */
export type ReplayedFile = { readonly runs: readonly ReplayRun[]; readonly notes: readonly string[] };

export type ReplayFile = (file: string) => Promise<ReplayedFile>;

/** Replays file after file. Each run has a home of its own that goes away afterwards, unless the homes are to be kept: then all share one. */
export function createFileReplay(environment: Environment, options: ReplayFileOptions): ReplayFile {
  const { config, requests, keepHome, temporaryFolder } = options;
  const { maxSessionBytes } = config.offload;
  const folder = promptFolder(environment);
  const promptParts = {
    render: (name: string) => readPrompt(folder, name).trim(),
    tools: toolSpecs({ describe: (name) => readPrompt(folder, `tools/${name}`), recall: false, remember: false }),
  };
  const idOf = sessionIdsFor();
  const countTokens = loadTokenCounter(environment);
  return async (file) => {
    const transcripts = readTranscripts(environment, file);
    const count = rememberCounts(countTokens);
    const runs: ReplayRun[] = [];
    for (const transcript of transcripts)
      for (const { windowTokens, policy } of options.variants) {
        const { part, format } = transcript;
        const home = keepHome === undefined ? mkdtempSync(join(temporaryFolder, 'home-')) : resolve(keepHome);
        const isTemporary = keepHome === undefined;
        const sessionId = isTemporary ? 'replay' : idOf(file, part, windowTokens, policy);
        const outcome = await replay(
          transcript,
          {
            ...choosePromptForm(promptParts, { config, windowTokens }),
            ...{ config, count, windowTokens, policy },
            openStore: openReplayHome(environment, { home, sessionId, maxSessionBytes, isTemporary }),
            endMs: isTemporary ? undefined : environment.now().getTime(),
          },
          requests === undefined ? undefined : requestWriter(join(requests, requestFolder(file, part), `${windowTokens}-${policy}`)),
        );
        if (isTemporary) rmSync(home, { recursive: true });
        runs.push({ file, part, format, windowTokens, policy, outcome, ...(isTemporary ? {} : { sessionId }) });
      }
    return { runs, notes: importNotes(basename(file), transcripts).map(({ en }) => en) };
  };
}

const requestFolder = (file: string, part: string): string =>
  [basename(file), part]
    .filter((name) => name !== '')
    .join('-')
    .replace(/[/\\:]/g, '_');

/** Steps count from 1 in the recording, so a request's file says which recorded reply answered it. */
function requestWriter(folder: string): OnRequest {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return ({ system, tools, messages }, step) =>
    writeFileSync(join(folder, `${String(step + 1).padStart(6, '0')}.json`), `${JSON.stringify({ system, tools, messages }, null, 2)}\n`, {
      mode: 0o600,
    });
}

const MIN_CACHED_CHARS = 64;

/** The same texts are counted for every window and policy. */
function rememberCounts(count: CountTokens): CountTokens {
  const cache = new Map<string, number>();
  return (text) => {
    if (text.length < MIN_CACHED_CHARS) return count(text);
    const tokens = cache.get(text) ?? count(text);
    cache.set(text, tokens);
    return tokens;
  };
}
