import { realpathSync } from 'node:fs';
import { leftOutWarning } from '../../context/history/left-out-text.ts';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { because, type Warn } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { areNear } from '../../store/held-acts.ts';
import type { Runtime } from '../runtime.ts';
import { openConversation } from './conversation.ts';

/**
 * What commands in the sandbox left that runs later, and a killed process could not put back, is put back and told, whichever session they
 * were of. To be called before anything of a conversation in this folder runs. A session that is open elsewhere is left to whoever has it.
 * Never rejects; reads one name where there is nothing.
 */
export async function finishHeldActs(runtime: Runtime, warn: Warn): Promise<void> {
  const { store, environment } = runtime;
  const here = orUndefined(() => realpathSync(environment.cwd())) ?? environment.cwd();
  const places = [here, ...runtime.folders()];
  for (const { sessionId } of store.heldActs.all().filter(({ folders }) => areNear(folders, places))) {
    if (!store.sessions.has(sessionId)) store.heldActs.clear(sessionId);
    else
      try {
        await finish(sessionId, runtime, warn);
      } catch (error) {
        if (!(error instanceof SanbotError && error.code === 'session_locked')) warn(because(NOT_FINISHED, errorReason(error)));
      }
  }
}

const NOT_FINISHED = {
  en: 'What a command of an earlier session left may run by itself later, and could not be put back',
  zh: '较早会话的命令留下的内容之后可能会自动运行，且无法放回原状',
};

async function finish(sessionId: string, runtime: Runtime, warn: Warn): Promise<void> {
  const conversation = openConversation(runtime, sessionId);
  try {
    (await conversation.changes()).settleLeft();
    const left = await conversation.acts.leave();
    if (left !== undefined) warn(leftOutWarning(left));
  } finally {
    conversation.close();
  }
}
