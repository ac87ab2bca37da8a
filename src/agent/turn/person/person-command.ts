import { offloadsOnArrival } from '../../../context/offload/offload.ts';
import { stubText } from '../../../context/offload/stub.ts';
import type { Bilingual } from '../../../domain/language.ts';
import type { StubRef } from '../../../domain/session/message.ts';
import { type AgentDeps, limitsOf } from '../../deps.ts';
import { quoted } from '../../hooks/hooks.ts';
import type { Tool, ToolOutcome } from '../../ports/tools.ts';
import type { Session } from '../../session/session.ts';
import { redactOutcome } from '../run-tools.ts';

/** The tool that runs commands. */
const RUN_COMMAND = 'run_command';
const TIMEOUT_MS = 600_000;
const NO_TOOL: Bilingual = { en: 'there is no tool that runs commands', zh: '没有可以运行命令的工具' };

/**
 * Runs a command that the person typed, and puts it with what it printed into the conversation: the model sees it with the next request.
 * It is the person's own act, so no rule is asked and the sandbox does not hold it; keys are kept from it and masked in its output as
 * always, and a large output goes to a file. Rejects with AbortedError when it was stopped: then nothing is put anywhere.
 */
export async function runPersonCommand(
  command: string,
  session: Session,
  deps: Pick<AgentDeps, 'config' | 'model' | 'clock'>,
  { tools, signal }: { readonly tools: readonly Tool[]; readonly signal: AbortSignal },
): Promise<ToolOutcome> {
  const plan = await tools.find(({ name }) => name === RUN_COMMAND)?.plan({ command, needs: 'everything', timeout_ms: TIMEOUT_MS }, signal);
  if (plan?.kind !== 'ready')
    return { ok: false, content: (plan?.shown ?? NO_TOOL).en, shown: plan?.shown ?? NO_TOOL, note: { en: 'not run', zh: '未运行' } };
  const outcome = redactOutcome(await plan.run(signal), deps);
  tell(`${INTRO}\n\n${quoted(`$ ${command}`)}`, session);
  const { text, stub } = outputOf(RUN_COMMAND, outcome, session, deps);
  tell(quoted(text), session, stub);
  return outcome;
}

/** A notice that the model sees with the next request. */
export function tell(text: string, session: Session, stub?: StubRef): void {
  const stubs = stub === undefined ? {} : { stubs: [stub] };
  const message = session.message({ role: 'user', origin: 'notice', content: [{ type: 'text', text }], ...stubs });
  session.appendOrDiscard({ type: 'message', message });
}

const INTRO = 'The user ran this command themselves at the prompt, so that you know what it printed. Nothing is asked of you by it.';

type Output = { readonly text: string; readonly stub?: StubRef };
type OutputDeps = Pick<AgentDeps, 'config' | 'model' | 'clock'>;

/** What a tool told the person; of more than `maxChars`, and of what is large in any case, the stub, with its body in a file of the session. */
export function outputOf(
  tool: string,
  { content, ok, source }: ToolOutcome,
  session: Session,
  deps: OutputDeps,
  maxChars = Number.POSITIVE_INFINITY,
): Output {
  const limits = limitsOf(session, deps);
  const arrived = { tool, content, readBack: false };
  if (!offloadsOnArrival(arrived, { ...limits, resultChars: Math.min(limits.resultChars, maxChars) }, deps.config.offload))
    return { text: content };
  const saved = session.bodies.save(content);
  const from = source === undefined ? {} : { source };
  const text = saved === undefined ? undefined : stubText({ path: saved.path, tool, ok, ref: saved.ref, body: content, ...from }, limits);
  if (saved === undefined || text === undefined) return { text: content };
  return { text, stub: { toolUseId: `typed-${deps.clock.newId()}`, tool, body: saved.ref, ...from } };
}
