import { modelFacts } from '../../agent/deps.ts';
import { viewConversation } from '../../runtime/conversation/conversation.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { buildUnattendedRuntime } from '../../runtime/runtime.ts';
import { readSettings } from '../../runtime/settings.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { contextJson, contextText } from '../../terminal/views/views.ts';
import type { CommandContext } from '../command.ts';
import { chooseSession } from '../sessions/choose-session.ts';
import { contextView } from './context-view.ts';

export type ContextOptions = HomeOptions & { readonly session?: string; readonly json?: boolean };

export async function showContext(options: ContextOptions, { environment, io }: CommandContext): Promise<void> {
  const runtime = await buildUnattendedRuntime(environment, { settings: readSettings(environment, options), warn: io.warn });
  const sessionId = chooseSession(options.session, runtime.store, { environment, io });
  const { session, deps } = viewConversation(runtime, sessionId);
  const { windowTokens, assumed } = modelFacts(session, deps);
  const model = { name: session.model, offline: runtime.offline, windowTokens, windowAssumed: assumed };
  const view = contextView(session, deps, model);
  io.out(options.json ? contextJson(sessionId, view) : contextText(view, { columns: io.columns, paint: createPaint(io.colour) }));
}
