import type { ModelRequest } from '../../src/agent/ports/model.ts';
import { textOf } from '../../src/domain/session/message.ts';
import { replies, type Script, type Step } from './scenario.ts';

/** What a helper was asked, as its own requests tell; undefined for a request of the conversation that it works for. */
export function helperTask({ system, messages }: ModelRequest): string | undefined {
  return system.join('\n').includes('You are a helper:') ? textOf(messages[0]?.content ?? []) : undefined;
}

/** Plays a session and its helpers, each by its own steps in their order, however their requests are interleaved. */
export function withHelpers(main: readonly Step[], helpers: Readonly<Record<string, readonly Step[]>>): Script {
  const waiting = new Map(Object.entries({ ...helpers, '': main }).map(([task, steps]) => [task, [...steps]]));
  return (request) => waiting.get(helperTask(request) ?? '')?.shift() ?? replies('(nothing more was scripted)');
}
