import type { AgentDeps } from '../../agent/deps.ts';
import type { RecordFileChange } from '../../agent/ports.ts';
import type { Session } from '../../agent/session/session.ts';

export type Conversation = {
  readonly session: Session;
  readonly deps: AgentDeps;
  /** Before an orderly end, where the settings want it: lets a model look for what is worth keeping. Never rejects. */
  readonly reflect: () => Promise<void>;
  /** The model that was asked for when the session was resumed and whose window is or may be smaller: the present one makes room first. */
  readonly pendingModel?: string | undefined;
  readonly noteFile: RecordFileChange;
  readonly close: () => void;
};
