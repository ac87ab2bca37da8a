import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { ReasonError } from '../../../domain/errors.ts';
import { type Bilingual, because, quotedText } from '../../../domain/language.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { createStreamRedactor } from '../../../domain/value/redact-stream.ts';
import { processGuard } from '../../command/processes/guard.ts';
import { endGroup, type ProcessGroup } from '../../command/processes/process-group.ts';
import { withTimeout } from '../../command/shell.ts';
import { visibleLine } from '../../place/visible.ts';
import { MAX_RECORD_BYTES, splitRecords } from '../../split-records.ts';
import { toolFailure } from '../../tool.ts';
import { mcpText } from '../mcp-text.ts';

/** A program that is a server, with all that it gets. */
export type ServerProgram = Pick<ProcessGroup, 'kill' | 'platform'> & {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A variable that only this server and what it starts have. */
  readonly mark: readonly [name: string, value: string];
};

/** What the library wants of a transport; a line is one message, or a list of them. */
export type LineTransport<Message> = {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: Message) => void) | undefined;
  readonly start: () => Promise<void>;
  readonly send: (message: Message) => Promise<void>;
  readonly close: () => Promise<void>;
  /** Why it ended by itself, in one line. */
  readonly reason: () => Bilingual | undefined;
};

/** Beyond this without anything being asked of it, a server does not speak but flood. */
const MAX_UNASKED_BYTES = 32 * 1024 * 1024;
const MAX_STDERR_CHARS = 2_000;
/** A server whose input ends has this time to end by itself. */
const LEAVE_MS = 300;

/**
 * A server that is a program of its own, in a process group of its own, so that it gets no Ctrl-C of the terminal and all that it started
 * can be ended with it. What it prints that is no message is passed over; a line or a flood that would fill the memory ends it.
 */
export function createStdioTransport<Message>(program: ServerProgram, parse: (line: string) => readonly Message[]): LineTransport<Message> {
  let child: ChildProcessWithoutNullStreams | undefined;
  let reason: Bilingual | undefined;
  let isOver = false;
  let unasked = 0;
  const end = async (why: Bilingual): Promise<void> => {
    if (isOver || child === undefined) return;
    isOver = true;
    reason = why;
    await endProgram(child, program);
    transport.onclose?.();
  };
  const lines = splitRecords({
    separator: '\n',
    onRecord: (record) => {
      // Also without the mark of a byte order, which some programs begin with. What is no message was printed.
      const line = record.trim();
      for (const message of line === '' ? [] : parse(line)) orUndefined(() => transport.onmessage?.(message));
      return true;
    },
  });
  const take = (chunk: Buffer): void => {
    unasked += chunk.length;
    if (unasked > MAX_UNASKED_BYTES) void end(mcpText.endless);
    else if (!isOver && lines.push(chunk) > MAX_RECORD_BYTES) void end(mcpText.longLine(MAX_RECORD_BYTES));
  };
  const transport: LineTransport<Message> = {
    start: () =>
      new Promise((resolve, reject) => {
        child = startProgram(program, { take, end });
        child.once('spawn', resolve);
        child.once('error', reject);
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        if (isOver || child === undefined) {
          reject(new ReasonError(reason ?? mcpText.notRunning));
          return;
        }
        unasked = 0;
        child.stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
      }),
    close: () => end(mcpText.closed),
    reason: () => reason,
  };
  return transport;
}

type ProgramEvents = { readonly take: (chunk: Buffer) => void; readonly end: (why: Bilingual) => Promise<void> };

function startProgram({ command, args, cwd, env, platform, mark: [name, value] }: ServerProgram, { take, end }: ProgramEvents) {
  const guard = processGuard(platform);
  guard.begin(`${name}=${value}`);
  const child = spawn(command, [...args], { cwd, env: { ...env, [name]: value }, stdio: 'pipe', detached: true });
  if (child.pid !== undefined) guard.group(`${name}=${value}`, child.pid);
  const redactor = createStreamRedactor();
  let stderr = '';
  const keep = (text: string): void => {
    stderr = `${stderr}${text}`.slice(-MAX_STDERR_CHARS);
  };
  child.once('error', (error) => void end(toolFailure(error, command)));
  child.once('exit', (code, signal) => {
    keep(redactor.end());
    const last = stderr.trim().split('\n').at(-1) ?? '';
    const how = signal === null ? mcpText.exited(code ?? 0) : mcpText.killed(signal);
    void end(last === '' ? how : because(how, quotedText(visibleLine(last, 300))));
  });
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk: Buffer) => keep(redactor.push(chunk.toString('utf8'))));
  child.stdout.on('data', take);
  return child;
}

async function endProgram(child: ChildProcessWithoutNullStreams, { mark, kill, platform }: ServerProgram): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  if (child.pid !== undefined) {
    if (child.exitCode === null && child.signalCode === null) await withTimeout(LEAVE_MS, exited);
    await endGroup({ pid: child.pid, mark: mark.join('='), kill, platform });
  }
  processGuard(platform).end(mark.join('='));
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  child.unref();
}
