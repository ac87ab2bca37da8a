import { todoListIn } from '../../../context/history/todo-list.ts';
import type { TurnPort } from '../../../terminal/chat/turn-port.ts';
import { completePath } from '../complete-path.ts';
import type { Current } from './current.ts';

export const createTurnPort = ({ conversation, runtime }: Current): TurnPort => ({
  say: async (text, signal, nextQueued) => {
    await conversation().say(text, signal, nextQueued);
  },
  todo: () => todoListIn(conversation().session.context.messages) ?? [],
  completePath: (prefix) => completePath(runtime.environment.cwd(), prefix),
});
