import type { Bilingual } from '../../../domain/language.ts';
import { type AgentDeps, limitsOf, warn } from '../../deps.ts';
import { quoted } from '../../hooks/hooks.ts';
import type { Tool } from '../../ports/tools.ts';
import type { Session } from '../../session/session.ts';
import { permissionRefusal } from '../ask-permission.ts';
import { redactOutcome } from '../run-tools.ts';
import { outputOf, tell } from './person-command.ts';

/** The tool that reads files. */
const READ_FILE = 'read_file';

type AttachDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'person' | 'report'>;

type AttachOptions = { readonly tools: readonly Tool[]; readonly signal: AbortSignal };

/** True when a file that the user names may be read, as the tool that reads files would have to ask; that it may not is told. */
export async function mayAttach(path: string, session: Session, deps: AttachDeps, { tools, signal }: AttachOptions): Promise<boolean> {
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
export async function attachFiles(
  paths: readonly string[],
  session: Session,
  deps: AttachDeps,
  { tools, signal }: AttachOptions,
): Promise<void> {
  const tool = tools.find(({ name }) => name === READ_FILE);
  let room = limitsOf(session, deps).resultChars;
  for (const path of paths) {
    const plan = await tool?.plan({ path }, signal);
    if (plan?.kind !== 'ready') continue;
    const refusal = await permissionRefusal(READ_FILE, { plan, isChanged: false }, session, deps, signal);
    const outcome = refusal === undefined ? redactOutcome(await plan.run(signal), deps) : undefined;
    if (outcome?.ok !== true) {
      warn(deps.report.emit, notSentText(path, outcome?.note ?? refusal?.note));
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
