import { noRepeats } from '../../context/rules/repeated-steps.ts';
import type { ContentBlock } from '../../domain/session/message.ts';
import type { Session } from '../session/session.ts';
import type { TurnState } from './handle-reply.ts';
import { userMessage } from './person/user-message.ts';

/** What the user says while a turn runs, with the images and documents that go with it. */
export type Steering = { readonly text: string; readonly attachments: readonly ContentBlock[] };

/** The next message that waits, given out once; undefined when none does. Rejects with AbortedError when the signal aborts. */
export type NextSteering = (signal: AbortSignal) => Promise<Steering | undefined>;

/**
 * Stores what the user has said since the last request, behind the results of its calls: the next request carries both. A person who
 * steers watches, so steps are no longer compared with those before.
 */
export async function addSteering(
  session: Session,
  deps: Parameters<typeof userMessage>[3],
  { next, state, signal }: { readonly next: NextSteering | undefined; readonly state: TurnState; readonly signal: AbortSignal },
): Promise<void> {
  for (let steering = await next?.(signal); steering !== undefined; steering = await next?.(signal)) {
    const { text, attachments } = steering;
    session.append({ type: 'message', message: userMessage(text, attachments, session, deps) });
    state.repeats = noRepeats;
    state.steered.push(text);
  }
}
