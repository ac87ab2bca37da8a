import type { NextSteering } from '../../agent/turn/steering.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Runtime } from '../runtime.ts';
import { attach } from './attachments.ts';
import type { SessionHooks } from './hooks/session-hooks.ts';
import type { Conversation, NextQueued } from './types.ts';

type SteerParts = {
  readonly submit: SessionHooks['submit'];
  readonly conversation: Pick<Conversation, 'session' | 'deps' | 'tools'>;
  readonly runtime: Pick<Runtime, 'environment'>;
};

/** What waits, shown to the UserPromptSubmit hooks first as every message is: one that they block is told and left out. */
export const steerBy =
  (nextQueued: NextQueued, { submit, conversation, runtime }: SteerParts): NextSteering =>
  async (signal) => {
    for (let text = nextQueued(); text !== undefined; text = nextQueued()) {
      try {
        await submit(text, signal);
        return { text, attachments: await attach(text, conversation, runtime, signal) };
      } catch (error) {
        if (!(error instanceof SanbotError) || error.code !== 'refused') throw error;
        conversation.deps.report.emit({ type: 'warning', message: error.shown.message });
      }
    }
    return undefined;
  };
