import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../../agent/ports/tools.ts';
import { BODY_HEAD_CHARS, pageRoom } from '../../page.ts';
import { createTool, invalid, readPlan } from '../../tool.ts';
import type { ToolContext } from '../../tool-context.ts';
import type { OutputPiece } from './job-output.ts';
import { isLive, type JobView } from './jobs.ts';
import { jobStatusText, NO_SUCH_JOB } from './jobs-text.ts';

const MAX_WAIT_MS = 600_000;

const inputSchema = z.strictObject({
  job: z.string().min(1).describe('Such as job-1.'),
  wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional().describe('Wait so long for its end.'),
  offset: z.int().min(0).optional().describe('The byte to read from.'),
});

export const readOutputDefinition = { name: 'read_output', input: inputSchema };

type Reading = Pick<ToolContext, 'jobs' | 'now' | 'pageChars'>;

/** Shows what a command in the background has printed, the newest of it where it is much. */
export function readOutputTool(context: Reading): Tool {
  const { jobs } = context;
  /** Where the last call ended, by the name of the job. */
  const cursors = new Map<string, number>();
  return createTool(readOutputDefinition, async ({ job: name, wait_ms: waitMs = 0, offset }) => {
    if (jobs.find(name) === undefined) return invalid(`read_output: ${NO_SUCH_JOB(name, jobs.list())}`);
    return readPlan(`read_output ${name}`, async (signal) => {
      const job = (await jobs.waitFor(name, waitMs, signal)) ?? jobs.find(name);
      const from = offset ?? cursors.get(name) ?? 0;
      const output = jobs.output(name, from);
      if (job === undefined) return { ok: false, content: `${name} is gone`, note: 'gone' };
      const page = offset === undefined ? newest(output.pieces, context) : first(output.pieces, context);
      cursors.set(name, page.end ?? Math.max(from, output.end));
      if (!isLive(job)) jobs.markTold(name);
      return outcomeOf(job, { text: page.text, isNew: offset === undefined && from > 0 }, context);
    });
  });
}

function outcomeOf(job: JobView, { text, isNew }: { readonly text: string; readonly isNew: boolean }, { now }: Reading): ToolOutcome {
  const status = jobStatusText(job, now());
  const nothing = isNew ? '(nothing new)' : '(no output)';
  return { ok: true, content: `${job.name}: ${status}\n${text === '' ? nothing : text}`, note: status };
}

type OutputPage = { readonly text: string /** Where to go on, where that is not the end. */; readonly end?: number };

const joined = (pieces: readonly OutputPiece[]): string =>
  pieces.map(({ lostBytes, text }) => (lostBytes === 0 ? text : `[${lostBytes} bytes were not kept]\n${text}`)).join('');

function newest(pieces: readonly OutputPiece[], context: Reading): OutputPage {
  const text = joined(pieces);
  const room = pageRoom(context, BODY_HEAD_CHARS);
  if (text.length <= room) return { text };
  const cut = text.indexOf('\n', text.length - room) + 1;
  const start = cut === 0 || cut === text.length ? text.length - room : cut;
  return { text: `[earlier output is left out here: read_output with offset=${pieces[0]?.start ?? 0} shows it]\n${text.slice(start)}` };
}

function first(pieces: readonly OutputPiece[], context: Reading): OutputPage {
  const text = joined(pieces);
  const room = pageRoom(context, BODY_HEAD_CHARS);
  const start = pieces[0]?.start;
  if (text.length <= room || start === undefined) return { text };
  const cut = text.lastIndexOf('\n', room) + 1;
  const shown = text.slice(0, cut === 0 ? room : cut);
  const end = start + Buffer.byteLength(shown) - (pieces[0]?.lostBytes === 0 ? 0 : shown.indexOf('\n') + 1);
  return { text: `${shown}[go on with offset=${end}]`, end };
}
