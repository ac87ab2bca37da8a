import { withoutNotes } from '../../../context/offload/media-stub.ts';
import { isTooLongToSay, messageStub } from '../../../context/offload/message-stub.ts';
import { type ContentBlock, MESSAGE_BODY, type Message, type ReadBody, textOf } from '../../../domain/session/message.ts';
import { type AgentDeps, limitsOf, limitsWithoutBase } from '../../deps.ts';
import { offloadedResult } from '../../fit/offload-results.ts';
import type { Session } from '../../session/session.ts';

type UserMessageDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'measure' | 'report'>;

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
