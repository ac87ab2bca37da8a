import { createCollector } from '../../report/metrics/collect.ts';
import { metricsText } from '../../report/metrics/metrics-text.ts';
import { prometheusText } from '../../report/metrics/prometheus.ts';
import { compareWithTargets } from '../../report/metrics/targets.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import { requireRecorded, warnOfDamage } from './events.ts';

export type MetricsOptions = HomeOptions & {
  readonly session?: string;
  readonly since?: Date;
  readonly format: 'table' | 'json' | 'prometheus';
};

/** The figures of the audit log, as a table, JSON or the text of Prometheus. */
export async function showMetrics(options: MetricsOptions, { environment, io }: CommandContext): Promise<void> {
  const { store } = openHome(options, { environment, io });
  const collector = createCollector();
  const { session, since } = options;
  const { damaged } = store.events.read({ sessionId: session, since }, collector.add);
  if (session !== undefined) requireRecorded(store, session);
  warnOfDamage(damaged, io);
  const metrics = collector.result();
  if (options.format === 'prometheus') io.out(prometheusText(metrics));
  else if (options.format === 'json') io.out(`${JSON.stringify({ ...metrics, targets: compareWithTargets(metrics) }, undefined, 2)}\n`);
  else io.out(metricsText(metrics, { columns: io.columns, session, since }));
}
