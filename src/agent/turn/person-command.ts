import { offloadsOnArrival } from '../../context/offload/offload.ts';
import { stubText } from '../../context/offload/stub.ts';
import type { StubRef } from '../../domain/session/message.ts';
import { type AgentDeps, limitsOf } from '../deps.ts';
import { quoted } from '../hooks/hooks.ts';
import type { Tool, ToolOutcome } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import { redactOutcome } from './run-tools.ts';

/** The tool that runs commands. */
const RUN_COMMAND = 'run_command';
const TIMEOUT_MS = 600_000;

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
  if (plan?.kind !== 'ready') return { ok: false, content: plan?.message ?? 'there is no tool that runs commands', note: 'not run' };
  const outcome = redactOutcome(await plan.run(signal), deps);
  tell(`${INTRO}\n\n${quoted(`$ ${command}`)}`, session);
  // A session has a folder for the body once it has a message.
  const { text, stub } = outputOf(outcome, session, deps);
  tell(quoted(text), session, stub);
  return outcome;
}

function tell(text: string, session: Session, stub?: StubRef): void {
  const stubs = stub === undefined ? {} : { stubs: [stub] };
  const message = session.message({ role: 'user', origin: 'notice', content: [{ type: 'text', text }], ...stubs });
  session.appendOrDiscard({ type: 'message', message });
}

const INTRO = 'The user ran this command themselves at the prompt, so that you know what it printed. Nothing is asked of you by it.';

type Output = { readonly text: string; readonly stub?: StubRef };

/** What it printed; of a large output the stub, with its body in a file of the session. */
function outputOf({ content, ok }: ToolOutcome, session: Session, deps: Pick<AgentDeps, 'config' | 'model' | 'clock'>): Output {
  const limits = limitsOf(session, deps);
  if (!offloadsOnArrival({ tool: RUN_COMMAND, content, readBack: false }, limits, deps.config.offload)) return { text: content };
  const saved = session.bodies.save(content);
  const text =
    saved === undefined ? undefined : stubText({ path: saved.path, tool: RUN_COMMAND, ok, ref: saved.ref, body: content }, limits);
  if (saved === undefined || text === undefined) return { text: content };
  return { text, stub: { toolUseId: `typed-${deps.clock.newId()}`, tool: RUN_COMMAND, body: saved.ref } };
}
