import { createCollector, type Metrics } from '../../report/metrics/collect.ts';
import { type MetricsView, metricsText } from '../../report/metrics/metrics-text.ts';
import { prometheusText } from '../../report/metrics/prometheus.ts';
import { againstTargets, repeated, wellEnded } from '../../report/metrics/targets.ts';
import { homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import type { MetricsOptions } from '../actions.ts';

/** The figures of the audit log, as a table, JSON or the text of Prometheus. */
export async function showMetrics(world: World, options: MetricsOptions, screen: Screen): Promise<number> {
  const store = openStore(world, homeOf(world, options), { maxSessionBytes: NO_CAP, tell: (line) => screen.err(`sanbot: ${line}\n`) });
  const collector = createCollector();
  const { session, since } = options;
  const filter = { ...(session === undefined ? {} : { sessionId: session }), ...(since === undefined ? {} : { since }) };
  const { damaged } = store.events.read(filter, collector.add);
  if (damaged > 0) screen.err(`sanbot: ${damaged === 1 ? 'a damaged line' : `${damaged} damaged lines`} of the audit log left out\n`);
  const metrics = collector.result();
  if (options.format === 'prometheus') screen.out(prometheusText(metrics));
  else if (options.format === 'json') screen.out(`${JSON.stringify({ ...metrics, targets: againstTargets(metrics) }, undefined, 2)}\n`);
  else screen.out(metricsText(viewOf(metrics), { columns: screen.columns, session, since }));
  return 0;
}

const viewOf = (metrics: Metrics): MetricsView => ({
  ...metrics,
  targets: againstTargets(metrics),
  degraded: metrics.degradedCompactions,
  failed: metrics.failedCompactions,
  tokensBefore: metrics.tokensBeforeCompact,
  tokensAfter: metrics.tokensAfterCompact,
  inputTokens: metrics.inputTokens + metrics.cacheWriteTokens,
  work: (
    [
      ['before the first compaction', metrics.beforeCompaction],
      ['after it', metrics.afterCompaction],
    ] as const
  ).map(([when, work]) => ({ when, turns: work.turns, endedWell: wellEnded(work), repeated: repeated(work) })),
});
