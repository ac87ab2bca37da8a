import type { AgentDeps } from '../../agent/deps.ts';
import type { RunHooks } from '../../agent/ports/tools.ts';
import type { Runtime } from '../runtime.ts';

/** What the agent knows of the person; the permission mode may change at any time. */
export function personOf(runtime: Runtime, runHooks: RunHooks | undefined): AgentDeps['person'] {
  const { modes, interactive, allowed, permissions, trustsFolder, askPermission, confirm } = runtime;
  return {
    get mode() {
      return modes.current();
    },
    ...{ interactive, allowed, permissions, trustsFolder, askPermission, confirm },
    ...(runHooks !== undefined && { runHooks }),
  };
}
