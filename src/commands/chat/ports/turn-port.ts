import { isLongMessage } from '../../../agent/turn/person-input.ts';
import { todoListIn } from '../../../context/history/todo-list.ts';
import { type Bilingual, localize } from '../../../domain/language.ts';
import { isToolResult, resultText, storedResult } from '../../../domain/session/message.ts';
import type { JobsPort, TurnPort } from '../../../terminal/chat/turn-port.ts';
import { isLive } from '../../../tools/command/jobs/job-state.ts';
import { jobStatusText } from '../../../tools/command/jobs/jobs-text.ts';
import { createPathFinder } from '../find-paths.ts';
import type { Current } from './current.ts';

/** A tenth of the largest windows in any language, counted in some tenths of a second. */
const MAX_COUNTED_CHARS = 1_000_000;

/** What is drawn anew with each frame while a command runs. */
const PRINTED_BYTES = 32 * 1024;

const NOTHING_RUNS: Bilingual = { en: 'no command is running', zh: '没有正在运行的命令' };

export const createTurnPort = ({ conversation, runtime }: Current): TurnPort => ({
  say: async (text, signal, nextQueued) => {
    await conversation().say(text, signal, nextQueued);
  },
  becomesFile: async (text) => {
    const { session, deps } = conversation();
    return isLongMessage(text.slice(0, MAX_COUNTED_CHARS), session, deps);
  },
  run: async (command, signal) => {
    const { ok, content, note, changed } = await conversation().runCommand(command, signal);
    // How it ended stands in the note too.
    const output = content.slice(content.indexOf('\n') + 1 || content.length);
    return { ok, output, note, ...(changed !== undefined && { changed: changed.note }) };
  },
  printed: () => conversation().jobs.foreground.newest()?.newest(PRINTED_BYTES),
  toBackground: () => {
    const command = conversation().jobs.foreground.newest();
    return command === undefined ? NOTHING_RUNS : command.toBackground();
  },
  todo: () => todoListIn(conversation().session.context.messages) ?? [],
  output: (toolUseId) => {
    const { context, bodies } = conversation().session;
    for (const message of context.messages.toReversed()) {
      const result = message.content.find((block) => isToolResult(block) && block.tool_use_id === toolUseId);
      if (result === undefined || !isToolResult(result)) continue;
      return storedResult(message, result, bodies.read) ?? resultText(result);
    }
    return undefined;
  },
  findPaths: createPathFinder(
    runtime.environment,
    runtime.home,
    runtime.agents.agents.map(({ name }) => name),
    runtime.folders,
  ),
});

export const createJobsPort = ({ conversation, runtime }: Current): JobsPort => ({
  jobs: () =>
    conversation()
      .jobs.list()
      .map((job) => {
        const { name, command, keep, pid } = job;
        return { name, command, keep, pid, status: localize(jobStatusText(job, runtime.environment.now())), isLive: isLive(job) };
      }),
  stop: async (name) => {
    const job = await conversation().jobs.stop(name);
    return job !== undefined && !isLive(job);
  },
  keep: (name) => conversation().jobs.keep(name),
});
