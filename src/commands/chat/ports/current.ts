/**
 * The ports that the terminal has on a chat, one file each, on the conversation that is open now. `current.ts` holds that conversation:
 * /new, /resume and /fork put another one in its place.
 *
 * A port calls the agent, the store or the runtime and turns what they say into the terminal's plain views.
 *
 * A port keeps no state of its own and asks for the conversation at each call, so that none speaks to one that was closed. Failures are
 * passed on as they are.
 */

import type { LiveConversation } from '../../../runtime/conversation/types.ts';
import type { Runtime } from '../../../runtime/runtime.ts';

/** The conversation that a chat has open. What a port needs it asks for at each call: another may have taken its place. */
export type Current = Readonly<ReturnType<typeof openCurrent>>;

type OpenConversation = (runtime: Runtime) => LiveConversation;

export function openCurrent(chatRuntime: Runtime, open: OpenConversation) {
  let compactions = 0;
  const runtime: Runtime = {
    ...chatRuntime,
    show: (event) => {
      if (event.type === 'compacted') compactions += 1;
      chatRuntime.show(event);
    },
  };
  let conversation = open(runtime);
  const sessionIds = new Set([conversation.session.id]);
  return {
    runtime,
    conversation: () => conversation,
    /** Of all that were open, in order. */
    sessionIds: (): ReadonlySet<string> => sessionIds,
    /** Of this conversation since it was opened. */
    compactions: () => compactions,
    /** The next one is opened before this one is closed, so that a failure leaves the chat where it was. */
    switchTo: async (openNext: OpenConversation): Promise<void> => {
      const next = openNext(runtime);
      await conversation.end('other');
      conversation = next;
      sessionIds.add(next.session.id);
      compactions = 0;
    },
  };
}
