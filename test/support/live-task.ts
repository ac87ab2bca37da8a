import { type End, marked, type Task } from '../../bench/live/task.ts';
import { callsTool, replies, type Script } from './scenario.ts';
import { goodSummary } from './summary.ts';

/** The end that a task wants, with its marks. */
export const rightEnd = ({ files, wanted, mark, closing }: Task): End => ({
  files: new Map([...files, ...[...wanted].map(([path, text]) => [path, marked(path, text, mark)] as const)]),
  answer: closing,
});

/** A model that reads every file, writes what is wanted, and says the closing line. */
export function solver(task: Task): Script {
  const reads = [...task.files.keys()].map((path) => callsTool('read_file', { path }, `read ${path}`.replace(/\W/g, '_')));
  const end = rightEnd(task);
  const writes = [...task.wanted.keys()].map((path) =>
    callsTool('write_file', { path, content: end.files.get(path) ?? '' }, `write ${path}`.replace(/\W/g, '_')),
  );
  const steps = [...reads, ...writes, replies(task.closing)];
  let n = 0;
  return ({ purpose }) => (purpose === 'summary' ? replies(goodSummary) : (steps[n++] ?? replies('There is nothing left to do.')));
}
