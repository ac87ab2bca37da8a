import { changedPaths } from '../../context/history/changed-paths.ts';
import { changedFilesText, changesNote, uncoveredText } from '../../context/history/changes-text.ts';
import { errorReason } from '../../domain/errors.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { joinPatterns, literalPattern, type ShellPattern } from '../../domain/permission.ts';
import type { ChangeSet } from '../../domain/session/change.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { type AgentDeps, orWarn, warn } from '../deps.ts';
import type { BegunAct } from '../ports/disk.ts';
import type { ToolOutcome } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { provesOnlyReading, type ReadyPlan } from './permission.ts';

export type RecordedCall = {
  readonly id: string;
  readonly title: string;
  readonly plan: ReadyPlan;
  /** What it was called with. */
  readonly input: unknown;
  readonly session: Pick<Session, 'cwd'>;
};

type RecordDeps = { readonly disk: Pick<AgentDeps['disk'], 'acts'>; readonly report: Pick<AgentDeps['report'], 'emit'> };

const NOT_KEPT: Bilingual = { en: 'What this command changes cannot be undone', zh: '此命令所做的更改无法撤销' };

/**
 * Runs what may change files so that it can be undone: all that stands in the working folder is kept before, and what became of it is told
 * with the outcome; so is what commands in the background have changed meanwhile. What is proven to only read, and what is done on another
 * machine, runs as it is. Where the state cannot be kept, that is told, and the call runs all the same.
 */
export async function recordChanges(act: RecordedCall, deps: RecordDeps, run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const { plan, session } = act;
  const { acts } = deps.disk;
  const cwd = plan.cwd ?? session.cwd;
  if (acts === undefined) return run();
  if (plan.access !== 'run' || plan.isElsewhere === true || provesOnlyReading(plan)) return withChanges(await run(), undefined, cwd, deps);
  const begun = await orWarnLater(() => acts.begin({ cwd, id: act.id, title: act.title, names: () => namesIn(act) }), deps);
  let outcome: ToolOutcome | undefined;
  let set: ChangeSet | undefined;
  try {
    outcome = await run();
  } finally {
    set = endAct(begun, outcome?.job, cwd, deps);
    if (outcome === undefined && set !== undefined) tellStopped(act.title, set, deps);
  }
  return withChanges(outcome, set, cwd, deps);
}

/** Ends it, unless it goes on in the background; and says of what is not covered what was not said before. */
export function endAct(begun: BegunAct | undefined, job: string | undefined, cwd: string, { report }: RecordDeps): ChangeSet | undefined {
  if (begun === undefined) return undefined;
  if (job !== undefined) {
    orWarn(report.emit, NOT_KEPT, () => begun.goOn(job));
    return undefined;
  }
  const ended = orWarn(report.emit, NOT_KEPT, begun.end);
  if (ended?.isNews === true) warn(report.emit, uncoveredText(ended.uncovered, cwd));
  return ended?.set;
}

/** What its command line or its input says that may be a path. */
function namesIn({ plan: { command }, input }: RecordedCall): readonly ShellPattern[] {
  if (command === undefined) return textsIn(input).map(patternOf);
  const { commands, emptied = [], extended = [] } = command.parsed;
  const words = commands.flatMap(({ words: all, patterns, folder, isElsewhere }) =>
    isElsewhere === true
      ? []
      : all.flatMap((word, at) => (patterns?.get(at) ?? wordPatterns(word)).map((pattern) => joinPatterns(folder, pattern))),
  );
  const files = [...emptied, ...extended].map(({ folder, pattern }) => joinPatterns(folder, pattern));
  return [...words, ...files].filter((each) => each !== null);
}

/** An option may have its path behind it: `--output=a`. */
const wordPatterns = (word: string | undefined): readonly ShellPattern[] =>
  word === undefined || word === '' ? [] : [word, ...(word.startsWith('-') ? word.split('=').slice(1) : [])].map(patternOf);

const patternOf = (text: string): ShellPattern => (text.startsWith('~/') ? `~/${literalPattern(text.slice(2))}` : literalPattern(text));

const textsIn = (value: unknown): readonly string[] =>
  isString(value) ? [value] : isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];

/** What nobody waited for; where it cannot be known, that is told. */
export const changeNews = async ({ disk: { acts }, report }: RecordDeps): Promise<readonly ChangeSet[]> =>
  (await orWarnLater(async () => acts?.news(), { report })) ?? [];

/** What `work` resolves with; where it fails, that is told. */
export async function orWarnLater<Result>(
  work: () => Promise<Result>,
  { report }: Pick<RecordDeps, 'report'>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    warn(report.emit, because(NOT_KEPT, errorReason(error)));
    return undefined;
  }
}

async function withChanges(outcome: ToolOutcome, own: ChangeSet | undefined, cwd: string, deps: RecordDeps): Promise<ToolOutcome> {
  const others = await changeNews(deps);
  const sets = own === undefined ? others : [own, ...others];
  const [changed, paths] = [changedFilesText(sets, cwd, own), changedPaths(sets, cwd)];
  return { ...outcome, ...(changed !== undefined && { changed }), ...(paths !== undefined && { changedPaths: paths }) };
}

/** Nobody gets its outcome. */
function tellStopped(title: string, set: ChangeSet, { report }: RecordDeps): void {
  const note = changesNote(set);
  if (note !== undefined)
    warn(report.emit, { en: `${title} was stopped after it had changed files: ${note.en}`, zh: `${title} 在更改文件后被停止：${note.zh}` });
}
