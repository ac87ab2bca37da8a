/**
 * What the terminal asks of a chat: one port for each concept a person has a word for, so that a command can be handed the one it
 * works on. `commands/chat` implements them on a real conversation, the tests on a list of what was called.
 *
 * In come words, numbers and ids as a person typed them; out go views, which are plain data that the terminal renders. Nothing shown
 * ever goes into the conversation. What happens while a call runs is told as events, not by its result.
 *
 * Any function may reject with SanbotError, which is printed, and the REPL goes on. None of them asks the person anything: that is
 * the terminal's part.
 */

import type { CompactionPort, ModelPort, PinsPort } from './context-port.ts';
import type { ChangesPort, RollbackPort, SessionsPort } from './history-port.ts';
import type { MemoryPort } from './memory-port.ts';
import type { InstructionsPort, McpPort, PermissionsPort, SettingsPort, SkillsPort } from './program-port.ts';
import type { JobsPort, TurnPort } from './turn-port.ts';

export type ChatPort = {
  readonly turn: TurnPort;
  readonly model: ModelPort;
  readonly compaction: CompactionPort;
  readonly rollback: RollbackPort;
  readonly changes: ChangesPort;
  readonly memory: MemoryPort;
  readonly permissions: PermissionsPort;
  readonly mcp: McpPort;
  readonly pins: PinsPort;
  readonly jobs: JobsPort;
  readonly sessions: SessionsPort;
  readonly settings: SettingsPort;
  readonly skills: SkillsPort;
  readonly instructions: InstructionsPort;
};
