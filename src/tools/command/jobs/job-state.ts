import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { overLimits } from '../processes/limits.ts';
import { isMarked } from '../processes/process-group.ts';
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
  /** Empty folders with which sandboxes of earlier versions covered names of the working folder. */
  covers: texts.optional(),
  supervisor: processIdentitySchema,
  child: processIdentitySchema.optional(),
  end: z
    .strictObject({
      at: z.string(),
      how: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('exited'), code: z.int() }),
        z.strictObject({ kind: z.literal('killed'), signal: z.string() }),
        z.strictObject({ kind: z.enum(['stopped', 'timed_out', ...overLimits]) }),
        z.strictObject({ kind: z.literal('not_started'), why: z.string() }),
      ]),
    })
    .optional(),
});
export type JobState = Readonly<z.infer<typeof jobStateSchema>>;
/** True while it, or what watches over it, runs. */
export const isRunningJob = (state: JobState, platform: string): boolean =>
  state.end === undefined && (isRunning(state.supervisor, platform) || isUnsupervised(state, platform));

/** True where something of it runs whose supervisor is gone: the state may have been written before its shell was known, or that has ended. */
export const isUnsupervised = ({ child, mark }: JobState, platform: string): boolean =>
  (child !== undefined && isRunning(child, platform)) || isMarked(mark, platform);

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

const roomSchema = z.strictObject({ folder: z.string(), maxBytes: z.int().min(1) });

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
  limits: z.strictObject({ processes: z.int().min(1), memoryBytes: z.int().min(1).optional(), temporary: roomSchema.optional() }),
  environmentRules: z.strictObject({ pass: texts, withhold: texts }),
  timeoutMs: z.int().min(1).optional(),
  sandbox: z.strictObject({ program: z.string(), args: texts }).optional(),
});
export type JobOrder = Readonly<z.infer<typeof jobOrderSchema>>;

const stateFile = (folder: string): string => join(folder, 'state.json');

/** Undefined while there is none, and when it cannot be read. */
export function readJobState(folder: string): JobState | undefined {
  const text = orUndefined(() => readFileSync(stateFile(folder), 'utf8'));
  return text === undefined ? undefined : jobStateSchema.safeParse(parseJson(text)).data;
}

/** Those of the sandbox that ran last in the foreground of a session, whose folder of jobs this is. */
export const readForegroundCovers = (jobs: string): readonly string[] =>
  texts.safeParse(parseJson(orUndefined(() => readFileSync(join(jobs, 'covers.json'), 'utf8')) ?? '')).data ?? [];

/** On disk when it returns: it is what is known of a command when all else is gone. */
export function writeJobState(folder: string, state: JobState): void {
  const temporary = `${stateFile(folder)}.tmp`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(file, `${JSON.stringify(state)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, stateFile(folder));
  orUndefined(() => syncFolder(folder));
}

/** Some systems know no such thing. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
