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

import type { CompactionPort } from './compaction-port.ts';
import type { InstructionsPort } from './instructions-port.ts';
import type { JobsPort } from './jobs-port.ts';
import type { McpPort } from './mcp-port.ts';
import type { MemoryPort } from './memory-port.ts';
import type { ModelPort } from './model-port.ts';
import type { PermissionsPort } from './permissions-port.ts';
import type { PinsPort } from './pins-port.ts';
import type { RollbackPort } from './rollback-port.ts';
import type { SessionsPort } from './sessions-port.ts';
import type { SettingsPort } from './settings-port.ts';
import type { SkillsPort } from './skills-port.ts';
import type { TurnPort } from './turn-port.ts';

export type ChatPort = {
  readonly turn: TurnPort;
  readonly model: ModelPort;
  readonly compaction: CompactionPort;
  readonly rollback: RollbackPort;
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
