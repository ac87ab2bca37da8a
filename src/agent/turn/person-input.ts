import { withoutNotes } from '../../context/offload/media-stub.ts';
import { offloadsOnArrival } from '../../context/offload/offload.ts';
import { isTooLongToSay, messageStub } from '../../context/offload/stub.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type ContentBlock, MESSAGE_BODY, type Message, type ReadBody, type StubRef, textOf } from '../../domain/session/message.ts';
import { type AgentDeps, limitsOf, limitsWithoutBase, warn } from '../deps.ts';
import { offloadedResult, storeArrival } from '../fit/store-stub.ts';
import { quoted } from '../hooks/hooks.ts';
import type { Tool, ToolOutcome } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { permissionRefusal } from './ask-permission.ts';
import { recordChanges } from './record-changes.ts';
import { redactOutcome } from './run-tools.ts';

type InputDeps = Pick<AgentDeps, 'config' | 'model' | 'clock'>;
type CommandDeps = InputDeps & Pick<AgentDeps, 'disk' | 'report' | 'person'>;
type ToolRun = { readonly tools: readonly Tool[]; readonly signal: AbortSignal };

const RUN_COMMAND = 'run_command';
const TIMEOUT_MS = 600_000;
const NO_TOOL: Bilingual = { en: 'there is no tool that runs commands', zh: '没有可以运行命令的工具' };

/**
 * Runs a command that the person typed, and puts it with what it printed into the conversation: the model sees it with the next request.
 * It is the person's own act, so no rule is asked and the sandbox does not hold it; keys are kept from it and masked in its output as
 * always, and a large output goes to a file. Rejects with AbortedError when it was stopped before it had printed anything: then nothing is put
 * anywhere.
 */
export async function runPersonCommand(
  command: string,
  session: Session,
  deps: CommandDeps,
  { tools, signal }: ToolRun,
): Promise<ToolOutcome> {
  const plan = await tools.find(({ name }) => name === RUN_COMMAND)?.plan({ command, needs: 'everything', timeout_ms: TIMEOUT_MS }, signal);
  if (plan?.kind !== 'ready')
    return { ok: false, content: (plan?.shown ?? NO_TOOL).en, shown: plan?.shown ?? NO_TOOL, note: { en: 'not run', zh: '未运行' } };
  const act = {
    id: `typed-${deps.clock.newId()}`,
    title: plan.title.replace(/^run_command /, '!'),
    plan,
    input: undefined,
    session,
    signal,
  };
  const outcome = redactOutcome(await recordChanges(act, deps, () => plan.run(signal)).catch(stoppedOutcome), deps);
  tell(`${INTRO}\n\n${quoted(`$ ${command}`)}`, session);
  const { text, stub } = outputOf(RUN_COMMAND, outcome, session, deps);
  tell(quoted(outcome.changed === undefined ? text : `${text}\n${outcome.changed.text}`), session, stub);
  return outcome;
}

function stoppedOutcome(error: unknown): ToolOutcome {
  if (!(error instanceof AbortedError) || error.printed.trim() === '') throw error;
  return { ok: false, content: `stopped by the user\n${error.printed}`, note: { en: 'stopped', zh: '已停止' } };
}

/** A notice that the model sees with the next request. */
function tell(text: string, session: Session, stub?: StubRef): void {
  const stubs = stub === undefined ? {} : { stubs: [stub] };
  const message = session.message({ role: 'user', origin: 'notice', content: [{ type: 'text', text }], ...stubs });
  session.appendOrDiscard({ type: 'message', message });
}

const INTRO = 'The user ran this command themselves at the prompt, so that you know what it printed. Nothing is asked of you by it.';

/** What a tool told the person; of more than `maxChars`, and of what is large in any case, the stub, with its body in a file of the session. */
function outputOf(
  tool: string,
  outcome: ToolOutcome,
  session: Session,
  deps: InputDeps,
  maxChars = Number.POSITIVE_INFINITY,
): { readonly text: string; readonly stub?: StubRef } {
  const { content } = outcome;
  const limits = limitsOf(session, deps);
  const resultChars = Math.min(limits.resultChars, maxChars);
  if (!offloadsOnArrival({ tool, content, readBack: false }, { ...limits, resultChars }, deps.config.offload)) return { text: content };
  const stub = storeArrival({ ...outcome, toolUseId: `typed-${deps.clock.newId()}`, tool }, session, limits);
  return typeof stub === 'object' ? { text: stub.text, stub: stub.ref } : { text: content };
}

const READ_FILE = 'read_file';

type AttachDeps = InputDeps & Pick<AgentDeps, 'person' | 'report'>;

/** True when a file that the user names may be read, as the tool that reads files would have to ask; that it may not is told. */
export async function mayAttach(path: string, session: Session, deps: AttachDeps, { tools, signal }: ToolRun): Promise<boolean> {
  const plan = await tools.find(({ name }) => name === READ_FILE)?.plan({ path }, signal);
  const refusal =
    plan?.kind === 'ready' ? await permissionRefusal(READ_FILE, { plan, isChanged: false }, session, deps, signal) : { note: plan?.shown };
  if (refusal === undefined) return true;
  warn(deps.report.emit, notSentText(path, refusal.note));
  return false;
}

/**
 * Puts the text of files that the user names into the conversation, before what they say of them, as the tool that reads files shows it
 * and with the permission that it needs. All of them together take no more than one large result may; what goes beyond it is a stub.
 */
export async function attachFiles(paths: readonly string[], session: Session, deps: AttachDeps, { tools, signal }: ToolRun): Promise<void> {
  const tool = tools.find(({ name }) => name === READ_FILE);
  let room = limitsOf(session, deps).resultChars;
  for (const path of paths) {
    const plan = await tool?.plan({ path }, signal);
    if (plan?.kind !== 'ready') continue;
    const refusal = await permissionRefusal(READ_FILE, { plan, isChanged: false }, session, deps, signal);
    const outcome = refusal === undefined ? redactOutcome(await plan.run(signal), deps) : undefined;
    if (outcome?.ok !== true) {
      warn(deps.report.emit, notSentText(path, outcome?.shown ?? refusal?.note));
      continue;
    }
    tell(attachedIntro(path), session);
    const { text, stub } = outputOf(READ_FILE, outcome, session, deps, room);
    tell(quoted(text), session, stub);
    if (stub === undefined) room = Math.max(0, room - outcome.content.length);
    deps.report.emit({ type: 'file_attached', path, note: outcome.note, stored: stub !== undefined });
  }
}

const attachedIntro = (path: string): string =>
  `The user sends ${JSON.stringify(path)} along with their next message. It is a file's content, not their words.`;

const notSentText = (path: string, why: Bilingual | undefined): Bilingual => ({
  en: `${path} is not sent along: ${why?.en ?? ''}.`,
  zh: `未随消息发送 ${path}：${why?.zh ?? ''}。`,
});

type UserMessageDeps = InputDeps & Pick<AgentDeps, 'measure' | 'report'>;

/** No character takes more. */
const MAX_TOKENS_PER_CHAR = 4;

/**
 * What the user said, as the session keeps it. Above a tenth of the window it is a file of the session, which is told, and the message
 * has its beginning, its end and the way to the rest.
 */
export function userMessage(text: string, attachments: readonly ContentBlock[], session: Session, deps: UserMessageDeps): Message {
  const said = { role: 'user', origin: 'user', content: [{ type: 'text', text }, ...attachments] } as const;
  if (!isLongMessage(text, session, deps)) return session.message(said);
  const limits = limitsOf(session, deps);
  const tokens = (of: string): number => deps.measure.text(of, session.estimate.ratio);
  const saved = session.bodies.save(text);
  if (saved === undefined) return session.message(said);
  const stub = messageStub(text, saved, limits);
  const ref = { toolUseId: `typed-${deps.clock.newId()}`, tool: MESSAGE_BODY, body: saved.ref };
  deps.report.emit({
    type: 'offloaded',
    when: 'arrival',
    results: [offloadedResult({ ref, path: saved.path })],
    tokensBefore: tokens(text),
    tokensAfter: tokens(textOf(stub)),
  });
  return session.message({ ...said, content: [...stub, ...attachments], stubs: [ref] });
}

/** True for what becomes a file when it is said. */
export function isLongMessage(text: string, session: Session, deps: Omit<UserMessageDeps, 'clock' | 'report'>): boolean {
  const limits = limitsWithoutBase(session, deps);
  const { estimate } = session;
  const mayBeLong = deps.config.offload.enabled && isTooLongToSay(text.length * MAX_TOKENS_PER_CHAR, limits);
  return mayBeLong && isTooLongToSay(estimate.mostOf(text), limits) && isTooLongToSay(deps.measure.text(text, estimate.ratio), limits);
}

/** All that the user said in a message, also what stands in a file; what is left of it where that cannot be read. */
export function wholeText({ content, stubs }: Message, read: ReadBody): string {
  const body = stubs?.find(({ tool }) => tool === MESSAGE_BODY)?.body;
  return (body === undefined ? undefined : read(body)) ?? textOf(withoutNotes(content));
}
