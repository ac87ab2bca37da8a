import { remember } from '../../../agent/memory/remember.ts';
import { memoryKinds } from '../../../domain/memory/memory.ts';
import { recallContextOf } from '../../../runtime/runtime.ts';
import { projectRootOf } from '../../../runtime/trust/repository.ts';
import { pathsOf } from '../../../store/files/paths.ts';
import type { MemoryPort } from '../../../terminal/chat/memory-port.ts';
import { memoryOff } from '../../memory/memory.ts';
import type { Current } from './current.ts';

export function createMemoryPort({ conversation, sessionIds, runtime }: Current): MemoryPort {
  const memories = () => runtime.store.memories(conversation().session.group);
  const before = new Set(
    memories()
      .list()
      .map(({ id }) => id),
  );
  return {
    view: () => {
      const { group } = conversation().session;
      const entries = memories().list();
      const files = memoryKinds.map((kind) => ({
        kind,
        path: pathsOf(runtime.home).extracted(group, kind),
        entries: entries.filter((entry) => entry.kind === kind),
      }));
      return { on: runtime.config.memory.enabled, files };
    },
    remember: (text) => {
      if (!runtime.config.memory.enabled) throw memoryOff();
      const { session, deps } = conversation();
      return remember({ text, kind: undefined, source: 'user' }, session, deps);
    },
    forget: async (id) => {
      const { findMemory } = await import('../../memory/memory.ts');
      const entry = findMemory(memories(), id);
      memories().forget([id]);
      runtime.store.consolidations(conversation().session.group).dropEntries([id]);
      return entry;
    },
    learned: () =>
      memories()
        .list()
        .filter(({ id, kind, sessionId }) => kind !== 'runtime' && !before.has(id) && sessionIds().has(sessionId ?? '')),
    recall: async (query, signal) => {
      const context = recallContextOf(runtime, conversation().session.group);
      const { search } = await import('../../../runtime/conversation/recall/recall.ts');
      return search(context, { query, limit: MAX_HITS, project: projectRootOf(runtime.environment) }, signal);
    },
  };
}

const MAX_HITS = 10;
