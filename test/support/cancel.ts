import type { AgentDeps } from '../../src/agent/deps.ts';
import { AbortedError } from '../../src/domain/errors.ts';
import type { AgentWorld } from './agent-world.ts';

/** Whatever the agent does outside of itself while it compacts is a point at which the user may cancel. */
export function cancelledAt(k: number, world: AgentWorld) {
  const stop = new AbortController();
  let points = 0;
  let counting = false;
  const point = (): void => {
    if (counting && ++points === k) stop.abort();
  };
  const { deps } = world;
  const pointed: AgentDeps = {
    ...deps,
    report: {
      emit: (event) => {
        if (event.type === 'compaction_started') counting = true;
        point();
        deps.report.emit(event);
        if (event.type === 'compacted') counting = false;
      },
    },
    model: {
      ...deps.model,
      ask: async (request, stream) => {
        point();
        if (stream.signal.aborted) throw new AbortedError();
        const answer = await deps.model.ask(request, stream);
        await Promise.resolve();
        point();
        if (stream.signal.aborted) throw new AbortedError();
        return answer;
      },
    },
    disk: {
      ...deps.disk,
      snapshots: { ...deps.disk.snapshots, write: (made) => afterPoint(point, () => deps.disk.snapshots.write(made)) },
      archive: { write: (page) => afterPoint(point, () => deps.disk.archive?.write(page) ?? '') },
      memories: { ...deps.disk.memories, add: (entries) => afterPoint(point, () => deps.disk.memories.add(entries)) },
    },
  };
  return { deps: pointed, signal: stop.signal, reached: () => points >= k };
}

export const afterPoint = <T>(point: () => void, work: () => T): T => {
  point();
  return work();
};

export const bytesOf = ({ store, session }: AgentWorld): string =>
  JSON.stringify([store.records, session.context, [...store.bodies.files]]);
