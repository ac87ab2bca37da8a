import { createCollector } from '../../report/metrics/collect.ts';
import { metricsText } from '../../report/metrics/metrics-text.ts';
import { prometheusText } from '../../report/metrics/prometheus.ts';
import { compareWithTargets } from '../../report/metrics/targets.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import type { CommandContext } from '../command.ts';

export type MetricsOptions = HomeOptions & {
  readonly session?: string;
  readonly since?: Date;
  readonly format: 'table' | 'json' | 'prometheus';
};

/** The figures of the audit log, as a table, JSON or the text of Prometheus. */
export async function showMetrics(options: MetricsOptions, { environment, io }: CommandContext): Promise<number> {
  const store = openStore(environment, homeOf(environment, options), {
    maxSessionBytes: NO_CAP,
    warn: io.warn,
  });
  const collector = createCollector();
  const { session, since } = options;
  const filter = { ...(session === undefined ? {} : { sessionId: session }), ...(since === undefined ? {} : { since }) };
  const { damaged } = store.events.read(filter, collector.add);
  if (damaged > 0)
    io.warn({
      en: `left out ${pluralize(damaged, 'damaged line')} of the audit log`,
      zh: `略去了审计日志中 ${formatCount(damaged)} 行损坏的内容`,
    });
  const metrics = collector.result();
  if (options.format === 'prometheus') io.out(prometheusText(metrics));
  else if (options.format === 'json') io.out(`${JSON.stringify({ ...metrics, targets: compareWithTargets(metrics) }, undefined, 2)}\n`);
  else io.out(metricsText(metrics, { columns: io.columns, session, since }));
  return 0;
}
