import { changedFilesText, changedPaths, changesNote, uncoveredText } from '../../context/history/changes-text.ts';
import {
  keepQuestion,
  type LeftOutAnswer,
  leftOutNote,
  leftOutText,
  leftOutWarning,
  problemsText,
} from '../../context/history/left-out-text.ts';
import { writtenManifests } from '../../context/permission/package-acts.ts';
import { errorReason } from '../../domain/errors.ts';
import { type Bilingual, because, joinTexts, sameInBoth } from '../../domain/language.ts';
import { joinPatterns, literalPattern, type ShellPattern } from '../../domain/permission.ts';
import { callNames } from '../../domain/session/call-name.ts';
import type { ChangeSet } from '../../domain/session/change.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { redact } from '../../domain/value/redact.ts';
import { type AgentDeps, orWarn, warn } from '../deps.ts';
import { hookTexts, notify } from '../hooks/hooks.ts';
import type { BegunAct, LeftOutFiles } from '../ports/disk.ts';
import type { ChangedFiles, ToolOutcome } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { provesOnlyReading, type ReadyPlan } from './permission.ts';

export type RecordedCall = {
  readonly id: string;
  readonly title: string;
  readonly plan: ReadyPlan;
  /** A person, or a rule or flag of theirs, allowed this very call. */
  readonly isAllowed?: boolean;
  /** What it was called with. */
  readonly input: unknown;
  readonly session: Pick<Session, 'cwd' | 'consent'>;
  readonly signal: AbortSignal;
};

type ChangeDeps = RecordDeps & Pick<AgentDeps, 'person'>;
type RecordDeps = { readonly disk: Pick<AgentDeps['disk'], 'acts'>; readonly report: Pick<AgentDeps['report'], 'emit'> };

const NOT_KEPT: Bilingual = { en: 'What this command changes cannot be undone', zh: '此命令所做的更改无法撤销' };

/**
 * Runs what may change files so that it can be undone: all that stands in the working folder is kept before, and what became of it is told
 * with the outcome; so is what commands in the background have changed meanwhile. What is proven to only read, and what is done on another
 * machine, runs as it is. Where the state cannot be kept, that is told, and the call runs all the same; not so a command in the sandbox, of
 * which nobody would know then what it left. What that left which runs later is put back before anything else is done, and asked about.
 */
export async function recordChanges(act: RecordedCall, deps: ChangeDeps, run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const { plan, session } = act;
  const { acts } = deps.disk;
  const cwd = plan.cwd ?? session.cwd;
  if (acts === undefined) return run();
  if (plan.access !== 'run' || plan.isElsewhere === true || provesOnlyReading(plan)) return withChanges(await run(), undefined, cwd, deps);
  const held = isHeld(plan);
  const names = () => namesIn(act);
  const begun = await orWarnLater(
    () => acts.begin({ cwd, id: act.id, title: redact(act.title), names, ...(held && { held, writes: writesOf(act) }) }),
    deps,
  );
  if (begun === undefined && held) return NOT_WATCHED;
  let outcome: ToolOutcome | undefined;
  let set: ChangeSet | undefined;
  let left: LeftOutFiles | undefined;
  try {
    outcome = await run();
  } finally {
    set = endAct(begun, outcome?.job, cwd, deps);
    left = await orWarnLater(acts.leaveOut, deps, NOT_LEFT_OUT);
    if (outcome === undefined && set !== undefined) tellStopped(act.title, set, deps);
    if (outcome === undefined && left !== undefined) warn(deps.report.emit, leftOutWarning(left));
  }
  if (left === undefined) return withChanges(outcome, set, cwd, deps);
  const told = await askToKeep(left, { ...act, tool: toolOf(act.title) }, deps);
  const paths = new Set(left.files.map(({ path }) => path));
  return withLeftOut(await withChanges(outcome, set && without(set, paths), cwd, deps), told);
}

/** True for a command that runs in the sandbox, whatever else it was given. */
const isHeld = ({ command }: ReadyPlan): boolean =>
  command?.isHeld === true || command?.needs === 'network' || command?.needs === 'repository';

const writesOf = ({ plan: { command }, isAllowed = false }: RecordedCall): readonly string[] =>
  isAllowed && command !== undefined ? writtenManifests(command.parsed) : [];

/** The first word of a title is the tool that is called. */
const toolOf = (title: string): string => title.split(' ')[0] ?? title;

const NOT_WATCHED: ToolOutcome = failureOutcome({
  en: 'not run: what it changes could not be written down, so nobody would know what it leaves that runs later (needs: everything runs it outside of the sandbox, with the yes of the user)',
  zh: '未运行：无法记录它所做的更改，因此无从得知它留下哪些之后会运行的内容（needs: everything 会在用户同意后在沙箱之外运行）',
});

const NOT_LEFT_OUT: Bilingual = {
  en: 'What this command left may run by itself later, and could not be put back',
  zh: '此命令留下的内容之后可能会自动运行，且无法放回原状',
};

function failureOutcome(shown: Bilingual): ToolOutcome {
  return { ok: false, content: shown.en, shown, note: { en: 'not run', zh: '未运行' } };
}

const without = (set: ChangeSet, paths: ReadonlySet<string>): ChangeSet => ({
  ...set,
  changes: set.changes.filter(({ path }) => !paths.has(path)),
});

const withLeftOut = (outcome: ToolOutcome, told: ChangedFiles): ToolOutcome => {
  const { changed } = outcome;
  const text = [changed?.text, told.text].filter((each) => each !== undefined && each !== '').join('\n');
  const notes = changed === undefined ? [told.note] : [changed.note, told.note];
  return { ...outcome, changed: { text, note: joinTexts(notes, { en: ', ', zh: '，' }) } };
};

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

/** What its command line or its input says that may be a path; not what is masked in it, since it is written down. */
function namesIn({ plan: { command }, input }: RecordedCall): readonly ShellPattern[] {
  if (command === undefined) return textsIn(input).map(patternOf);
  const { commands, emptied = [], extended = [] } = command.parsed;
  const masked = redact(command.text);
  const isSecret = (word: string | undefined): boolean => word !== undefined && command.text.includes(word) && !masked.includes(word);
  const words = commands.flatMap(({ words: all, patterns, folder, isElsewhere }) =>
    isElsewhere === true
      ? []
      : all.flatMap((word, at) =>
          isSecret(word) ? [] : (patterns?.get(at) ?? wordPatterns(word)).map((pattern) => joinPatterns(folder, pattern)),
        ),
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
  what = NOT_KEPT,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    warn(report.emit, because(what, errorReason(error)));
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
    warn(
      report.emit,
      joinTexts(
        [callNames(title), { en: `was stopped after it had changed files: ${note.en}`, zh: `在更改文件后被停止：${note.zh}` }],
        sameInBoth(' '),
      ),
    );
}

type Asking = {
  readonly tool: string;
  readonly title: string;
  readonly session: Pick<Session, 'consent'>;
  readonly signal: AbortSignal;
};

type AskDeps = Pick<AgentDeps, 'person' | 'report'>;

/**
 * What a command in the sandbox left that runs later has been taken out: asks whether it is to stay, and brings it back with a yes. In the
 * mode that asks nothing it stays out. Resolves to what the model and the person are told. Rejects with AbortedError when the signal aborts,
 * with all of it left out and told.
 */
export async function askToKeep(left: LeftOutFiles, asking: Asking, deps: AskDeps): Promise<ChangedFiles> {
  const { answer, said } = await answerTo(left, asking, deps);
  if (answer !== 'kept' && answer !== 'no') warn(deps.report.emit, leftOutWarning(left));
  else if (left.problems.length > 0) warn(deps.report.emit, problemsText(left.problems));
  return { text: leftOutText(left, answer, said), note: leftOutNote(left, answer) };
}

async function answerTo(
  left: LeftOutFiles,
  { tool, title, session, signal }: Asking,
  { person, report }: AskDeps,
): Promise<{ readonly answer: LeftOutAnswer; readonly said?: string }> {
  if (left.files.length === 0 || person.mode === 'bypass') return { answer: 'unasked' };
  try {
    const preview = await left.preview();
    const answer = await session.consent.inTurn(async () => {
      notify({ type: 'permission_prompt', title: 'Permission needed', message: hookTexts.asking(tool) }, person, signal);
      return person.askPermission({ tool, access: 'write', title, preview, outside: false, keeps: keepQuestion(left), offers: [] }, signal);
    }, signal);
    if (answer === 'nobody') return { answer };
    if (answer === 'no') return { answer };
    if (typeof answer === 'object' && answer.kind === 'refusal') return { answer: 'no', said: answer.why };
    const failed = await left.keep();
    for (const { name, why } of failed) warn(report.emit, because({ en: `${name} was not kept`, zh: `未保留 ${name}` }, why));
    return { answer: failed.length === 0 ? 'kept' : 'unasked' };
  } catch (error) {
    warn(report.emit, joinTexts([leftOutWarning(left), errorReason(error)], { en: '\n', zh: '\n' }));
    throw error;
  }
}
