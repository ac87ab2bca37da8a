import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../../agent/ports/tools.ts';
import { because, joinTexts, sameInBoth } from '../../../domain/language.ts';
import { BODY_HEAD_CHARS, pageRoom } from '../../page.ts';
import { createTool, defineTool, failure, readPlan } from '../../tool.ts';
import type { ToolContext } from '../../tool-context.ts';
import { overwrittenFact, withoutOverwritten } from '../output/overwritten.ts';
import type { OutputPiece } from './job-output.ts';
import { isLive, type JobView } from './job-state.ts';
import { jobStatusText, noSuchJob } from './jobs-text.ts';

const MAX_WAIT_MS = 600_000;

const inputSchema = z.strictObject({
  job: z.string().min(1).describe('Such as job-1.'),
  wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional().describe('Wait so long for its end.'),
  offset: z.int().min(0).optional().describe('The byte to read from.'),
});

type Reading = Pick<ToolContext, 'jobs' | 'now' | 'pageChars'>;

/** Shows what a command in the background has printed, the newest of it where it is much. */
export const readOutputTool = { name: 'read_output', input: inputSchema, make };

function make(context: Reading): Tool {
  const { jobs } = context;
  /** Where the last call ended, by the name of the job. */
  const cursors = new Map<string, number>();
  return createTool(readOutputTool, async ({ job: name, wait_ms: waitMs = 0, offset }) => {
    if (jobs.find(name) === undefined) return noSuchJob(name, jobs.list());
    return readPlan(`read_output ${name}`, async (signal) => {
      const job = (await jobs.waitFor(name, waitMs, signal)) ?? jobs.find(name);
      const from = offset ?? cursors.get(name) ?? 0;
      const output = jobs.output(name, from);
      if (job === undefined) return failure({ en: `${name} is gone`, zh: `${name} 已不存在` }, { en: 'gone', zh: '已不存在' });
      const page = offset === undefined ? newest(output.pieces, context) : first(output.pieces, context);
      cursors.set(name, page.end ?? Math.max(from, output.end));
      if (!isLive(job)) jobs.markTold(name);
      return outcomeOf(job, { page, isNew: offset === undefined && from > 0 }, context);
    });
  });
}

/** Ends what this session started, and nothing else: so it never asks. */
export const stopCommandTool = defineTool(
  'stop_command',
  z.strictObject({ job: z.string().min(1) }),
  async ({ job: name }, { jobs, now }: Pick<ToolContext, 'jobs' | 'now'>) => {
    if (jobs.find(name) === undefined) return noSuchJob(name, jobs.list());
    return readPlan(`stop_command ${name}`, async () => {
      const ended = await jobs.stop(name);
      if (ended === undefined || isLive(ended))
        return failure({ en: `${name} could not be ended`, zh: `无法结束 ${name}` }, { en: 'still runs', zh: '仍在运行' });
      jobs.markTold(name);
      const status = jobStatusText(ended, now());
      return { ok: true, content: `${name}: ${status.en}`, note: status };
    });
  },
);

type Read = { readonly page: OutputPage; readonly isNew: boolean };

function outcomeOf(job: JobView, { page, isNew }: Read, { now }: Reading): ToolOutcome {
  const status = jobStatusText(job, now());
  const fact = overwrittenFact(page.states);
  const nothing = isNew ? { en: '(nothing new)', zh: '（没有新的输出）' } : { en: '(no output)', zh: '（没有输出）' };
  const head = [
    because(sameInBoth(job.name), status),
    ...(fact === undefined ? [] : [{ en: `[${fact.en}]`, zh: `[${fact.zh}]` }]),
    ...(page.text === '' ? [nothing] : []),
  ];
  const shown = joinTexts(head, sameInBoth('\n'));
  return { ok: true, content: [shown.en, ...(page.text === '' ? [] : [page.text])].join('\n'), shown, note: status };
}

type OutputPage = {
  readonly text: string;
  /** How many states of lines were overwritten, and so are not in the text. */
  readonly states: number;
  /** Where to go on, where that is not the end. */
  readonly end?: number;
};

const joined = (pieces: readonly OutputPiece[]): string => pieces.map((piece) => lossOf(piece) + piece.text).join('');
const lossOf = ({ lostBytes }: OutputPiece): string => (lostBytes === 0 ? '' : `[${lostBytes} bytes were not kept]\n`);

function newest(pieces: readonly OutputPiece[], context: Reading): OutputPage {
  const { text, states } = withoutOverwritten(joined(pieces));
  const room = pageRoom(context, BODY_HEAD_CHARS);
  if (text.length <= room) return { text, states };
  const cut = text.indexOf('\n', text.length - room) + 1;
  const start = cut === 0 || cut === text.length ? text.length - room : cut;
  return {
    text: `[earlier output is left out here: read_output with offset=${pieces[0]?.start ?? 0} shows it]\n${text.slice(start)}`,
    states,
  };
}

/** Offsets count the bytes that were printed, those of overwritten states too. */
function first(pieces: readonly OutputPiece[], context: Reading): OutputPage {
  const text = joined(pieces);
  const room = pageRoom(context, BODY_HEAD_CHARS);
  const whole = withoutOverwritten(text);
  if (whole.text.length <= room) return whole;
  const printed = text.slice(0, linesFor(room, text) || room).replace(HALF_CHARACTER, '');
  const end = positionAfter(printed.length, pieces);
  const shown = withoutOverwritten(printed);
  return { text: `${shown.text}[go on with offset=${end}]`, states: shown.states, end };
}

const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** Where the bytes stand that follow the first characters of `joined`. A loss of which not all was told is told again. */
function positionAfter(chars: number, pieces: readonly OutputPiece[]): number {
  let [position, left] = [0, chars];
  for (const piece of pieces) {
    const loss = lossOf(piece).length;
    if (left <= 0) break;
    if (left < loss) return piece.start - piece.lostBytes;
    position = piece.start + Buffer.byteLength(piece.text.slice(0, left - loss));
    left -= loss + piece.text.length;
  }
  return position;
}

/** The length of the first lines that have room when they are shown; 0 where the first alone has not. */
function linesFor(room: number, text: string): number {
  let [length, shown] = [0, 0];
  for (const line of text.split(/(?<=\n)/)) {
    shown += withoutOverwritten(line).text.length;
    if (shown > room) break;
    length += line.length;
  }
  return length;
}
