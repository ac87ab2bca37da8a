import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { removeSync, writeJsonSync } from 'fs-extra/esm';
import type { CountTokens } from '../../context/measure/count.ts';
import type { Config } from '../../domain/config/config.ts';
import type { Bilingual, UiLanguage } from '../../domain/language.ts';
import type { ReplayRun } from '../../replay/measure/summarise-runs.ts';
import type { Policy } from '../../replay/policy.ts';
import type { OpenReplayStore } from '../../replay/replay-store.ts';
import { type OnRequest, replay } from '../../replay/run.ts';
import { importNotes } from '../../report/replay/replay-text.ts';
import { promptFolder } from '../../runtime/conversation/conversation.ts';
import type { Environment } from '../../runtime/environment.ts';
import { choosePromptForm } from '../../runtime/prompt/frozen-prompt.ts';
import { loadTokenCounter } from '../../runtime/token-counter.ts';
import { storeFailure } from '../../store/files/failure.ts';
import { readPrompt } from '../../store/prompts.ts';
import { toolSpecs } from '../../tools/tools.ts';
import { readTranscripts } from '../sessions/read-transcripts.ts';
import { openReplayHome, sessionIdsFor } from './replay-home.ts';

/** How each file is replayed. */
export type ReplaySettings = {
  readonly windows: readonly number[];
  readonly policies: readonly Policy[];
  /** A folder that gets every request as it would be sent. */
  readonly requests?: string;
  /** A home that gets every replayed session, to be looked into afterwards. */
  readonly keepHome?: string;
};

/** What came of one file: a run for each conversation in it, window and policy, and what was not taken over. */
export type ReplayedFile = { readonly file: string; readonly runs: readonly ReplayRun[]; readonly notes: readonly Bilingual[] };

export type FileReplay = (file: string) => Promise<ReplayedFile>;

export type FileReplayOptions = {
  readonly options: ReplaySettings;
  readonly config: Config;
  /** What the names of files are relative to. */
  readonly cwd: string;
  /** Where homes that are not kept are made; whoever made the folder removes it, also when a replay is stopped. */
  readonly temporaryFolder: string;
  /** A thread has its own. */
  readonly language: UiLanguage;
};

/** Replays file after file. Each run has a home of its own that goes away afterwards, unless the homes are to be kept: then all share one. */
export function createFileReplay(environment: Environment, { options, config, temporaryFolder }: FileReplayOptions): FileReplay {
  const folder = promptFolder(environment);
  const promptParts = {
    render: (name: string) => readPrompt(folder, name).trim(),
    tools: toolSpecs({ describe: (name) => readPrompt(folder, `tools/${name}`), recall: false, remember: false }),
  };
  const idOf = sessionIdsFor();
  const countTokens = loadTokenCounter(environment);
  return async (file) => {
    const transcripts = readTranscripts(environment, file);
    const count = memoizeCounts(countTokens);
    const runs: ReplayRun[] = [];
    for (const transcript of transcripts)
      for (const windowTokens of options.windows)
        for (const policy of options.policies) {
          const { part, format } = transcript;
          const sessionId = idOf(file, part, windowTokens, policy);
          const outcome = await withReplayHome(environment, { options, sessionId, config, temporaryFolder }, async (openPlace) =>
            replay(
              transcript,
              {
                ...choosePromptForm(promptParts, { config, windowTokens }),
                ...{ config, count, openStore: openPlace, windowTokens, policy },
                ...(options.keepHome === undefined ? {} : { endMs: environment.now().getTime() }),
              },
              requestWriterFor(environment, options, { file, part, windowTokens, policy }),
            ),
          );
          runs.push({ file, part, format, windowTokens, policy, outcome, ...(options.keepHome === undefined ? {} : { sessionId }) });
        }
    return { file, runs, notes: importNotes(basename(file), transcripts) };
  };
}

type ReplayHomeRequest = Omit<FileReplayOptions, 'cwd' | 'language'> & { readonly sessionId: string };

async function withReplayHome<T>(
  environment: Environment,
  { options, sessionId, config, temporaryFolder }: ReplayHomeRequest,
  use: (open: OpenReplayStore) => Promise<T>,
): Promise<T> {
  const warn = (): void => undefined;
  const { maxSessionBytes } = config.offload;
  if (options.keepHome !== undefined) {
    const home = isAbsolute(options.keepHome) ? options.keepHome : resolve(environment.cwd(), options.keepHome);
    return use(openReplayHome(environment, { home, sessionId, maxSessionBytes, isTemporary: false, warn }));
  }
  const home = mkdtempSync(join(temporaryFolder, 'home-'));
  try {
    return await use(openReplayHome(environment, { home, sessionId: 'replay', maxSessionBytes, isTemporary: true, warn }));
  } finally {
    removeSync(home);
  }
}

type RunName = { readonly file: string; readonly part: string; readonly windowTokens: number; readonly policy: string };

function requestWriterFor(
  environment: Environment,
  { requests }: ReplaySettings,
  { file, part, windowTokens, policy }: RunName,
): OnRequest | undefined {
  if (requests === undefined) return undefined;
  return requestWriter(resolve(environment.cwd(), requests, requestFolderName(file, part), `${windowTokens}-${policy}`));
}

const requestFolderName = (file: string, part: string): string =>
  [basename(file), part]
    .filter((name) => name !== '')
    .join('-')
    .replace(/[/\\:]/g, '_');

/** Steps count from 1 in the recording, so a request's file says which recorded reply answered it. */
function requestWriter(folder: string): OnRequest {
  makeFolder(folder);
  return ({ system, tools, messages }, step) => {
    const name = join(folder, `${String(step + 1).padStart(6, '0')}.json`);
    onDisk(name, () => writeJsonSync(name, { system, tools, messages }, { spaces: 2, mode: 0o600 }));
  };
}

/** Not with `recursive`, nor with fs-extra, which asks for it: that tries for ever where a folder refuses a new one with ENOENT, as /proc does (node 20.20). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  onDisk(folder, () => mkdirSync(folder, { mode: 0o700 }));
}

function onDisk(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw storeFailure(error, 'write', path);
  }
}

const MIN_CACHED_CHARS = 64;

/** The same texts are counted for every window and policy. */
function memoizeCounts(count: CountTokens): CountTokens {
  const cache = new Map<string, number>();
  return (text) => {
    if (text.length < MIN_CACHED_CHARS) return count(text);
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const tokens = count(text);
    cache.set(text, tokens);
    return tokens;
  };
}
