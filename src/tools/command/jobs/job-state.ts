import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { isRunning, processIdentitySchema } from '../processes/process-identity.ts';

const texts = z.array(z.string()).readonly();

/** What is on disk of a command in the background. Its supervisor alone writes it. */
const jobStateSchema = z.strictObject({
  number: z.int().min(1),
  command: z.string(),
  startedAt: z.string(),
  /** It goes on when the session is left. */
  keep: z.boolean(),
  /** A line `NAME=value` in the environment of the command's processes and of no others. */
  mark: z.string(),
  /** Empty folders that its sandbox covers names of the working folder with. */
  covers: texts,
  supervisor: processIdentitySchema,
  child: processIdentitySchema.optional(),
  end: z
    .strictObject({
      at: z.string(),
      how: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('exited'), code: z.int() }),
        z.strictObject({ kind: z.literal('killed'), signal: z.string() }),
        z.strictObject({ kind: z.enum(['stopped', 'timed_out']) }),
        z.strictObject({ kind: z.literal('not_started'), why: z.string() }),
      ]),
    })
    .optional(),
});
export type JobState = Readonly<z.infer<typeof jobStateSchema>>;
/** True while it, or what watches over it, runs. */
export const isRunningJob = ({ end, supervisor, child }: JobState, platform: string): boolean =>
  end === undefined && [supervisor, child].some((each) => each !== undefined && isRunning(each, platform));

export type JobEnd = NonNullable<JobState['end']>['how'];

export type JobView = {
  /** As the model and the person name it: job-1. */
  readonly name: string;
  readonly command: string;
  readonly pid: number | undefined;
  readonly keep: boolean;
  readonly startedAt: string;
  /** `unwatched`: it runs, but its supervisor is gone. `lost`: both are gone, and how it ended is not known. */
  readonly status:
    | { readonly kind: 'running' | 'unwatched' | 'lost' }
    | { readonly kind: 'ended'; readonly how: JobEnd; readonly at: string };
  /** Its end has been told to the model. */
  readonly isTold: boolean;
};

export const isLive = ({ status }: JobView): boolean => status.kind === 'running' || status.kind === 'unwatched';

/** What a supervisor is told on its standard input. */
export const jobOrderSchema = z.strictObject({
  folder: z.string(),
  number: z.int().min(1),
  command: z.string(),
  keep: z.boolean(),
  cwd: z.string(),
  shell: z.string(),
  platform: z.string(),
  redactSecrets: z.boolean(),
  environmentRules: z.strictObject({ pass: texts, withhold: texts }),
  timeoutMs: z.int().min(1).optional(),
  sandbox: z.strictObject({ program: z.string(), args: texts, covers: texts }).optional(),
});
export type JobOrder = Readonly<z.infer<typeof jobOrderSchema>>;

const stateFile = (folder: string): string => join(folder, 'state.json');

/** Undefined while there is none, and when it cannot be read. */
export function readJobState(folder: string): JobState | undefined {
  const text = orUndefined(() => readFileSync(stateFile(folder), 'utf8'));
  return text === undefined ? undefined : jobStateSchema.safeParse(parseJson(text)).data;
}

const coversFile = (jobs: string): string => join(jobs, 'covers.json');

/** The covers of the sandbox that ran last in the foreground of a session, whose folder of jobs this is. */
export const readForegroundCovers = (jobs: string): readonly string[] =>
  texts.safeParse(parseJson(orUndefined(() => readFileSync(coversFile(jobs), 'utf8')) ?? '')).data ?? [];

/** What cannot be written costs a kill its cleaning up, and nothing else. */
export function writeForegroundCovers(jobs: string, covers: readonly string[]): void {
  orUndefined(() => {
    mkdirSync(jobs, { recursive: true, mode: 0o700 });
    writeFileSync(coversFile(jobs), `${JSON.stringify(covers)}\n`, { mode: 0o600 });
  });
}

export function writeJobState(folder: string, state: JobState): void {
  const temporary = `${stateFile(folder)}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(temporary, stateFile(folder));
}
