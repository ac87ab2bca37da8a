import type { LiveConversation } from '../../../runtime/conversation/types.ts';
import type { Runtime } from '../../../runtime/runtime.ts';

/** The conversation that a chat has open. What a port needs it asks for at each call: another may have taken its place. */
export type Current = {
  readonly runtime: Runtime;
  readonly conversation: () => LiveConversation;
  /** The compactions of this conversation since it was opened. */
  readonly compactions: () => number;
  /** The next one is opened before this one is closed, so that a failure leaves the chat where it was. */
  readonly switchTo: (open: OpenConversation) => Promise<void>;
};

type OpenConversation = (runtime: Runtime) => LiveConversation;

export function openCurrent(chatRuntime: Runtime, open: OpenConversation): Current {
  let compactions = 0;
  const runtime: Runtime = {
    ...chatRuntime,
    show: (event) => {
      if (event.type === 'compacted') compactions += 1;
      chatRuntime.show(event);
    },
  };
  let conversation = open(runtime);
  return {
    runtime,
    conversation: () => conversation,
    compactions: () => compactions,
    switchTo: async (openNext) => {
      const next = openNext(runtime);
      await conversation.end('other');
      conversation = next;
      compactions = 0;
    },
  };
}
