import { compareWithTargets, type Metrics } from './collect.ts';

export function prometheusText(metrics: Metrics): string {
  const shares = compareWithTargets(metrics).flatMap(({ name, means, value }): readonly Series[] =>
    value === undefined ? [] : [gauge(name, `Share of ${means}.`, value)],
  );
  return [...seriesOf(metrics), ...shares].map(seriesText).join('');
}

type Series = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly values: readonly (readonly [labels: string, value: number])[];
};

type Values = number | Series['values'];

const valuesOf = (values: Values): Series['values'] => (typeof values === 'number' ? [['', values]] : values);
const counter = (name: string, help: string, values: Values): Series => ({ ...gauge(`${name}_total`, help, values), type: 'counter' });
const gauge = (name: string, help: string, values: Values): Series => ({ name, help, type: 'gauge', values: valuesOf(values) });

const labelledValues = (label: string, values: Readonly<Record<string, number>>): Series['values'] =>
  Object.entries(values).map(([labelValue, value]) => [`{${label}="${labelValue}"}`, value]);

function seriesOf(metrics: Metrics): readonly Series[] {
  const { factsInContext, factsOneLookUp, factsLost, rollbacks, failedRollbacks } = metrics;
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = metrics;
  const tokens = { input: inputTokens, cache_read: cacheReadTokens, cache_write: cacheWriteTokens, output: outputTokens };
  const phases = (figure: 'turns' | 'endedWell' | 'calls' | 'repeatedCalls'): Series['values'] =>
    labelledValues('phase', { before_compaction: metrics.beforeCompaction[figure], after_compaction: metrics.afterCompaction[figure] });
  return [
    gauge('sessions', 'Sessions in the audit log.', metrics.sessions),
    counter('requests', 'Requests to the model, summaries apart.', metrics.requests),
    counter('requests_compared', 'Requests that the provider compared with the one before.', metrics.compared),
    counter('cache_misses_unplanned', 'Of these, those with another start though nobody meant it.', metrics.unplannedChanges),
    counter('overflows', 'Requests that did not fit the window.', metrics.overflows),
    counter('compaction_count', 'Compactions.', metrics.compactions),
    counter('compaction_failures', 'Compactions that failed.', metrics.failedCompactions),
    counter('compaction_degraded', 'Compactions summarised by rule because no model answered.', metrics.degradedCompactions),
    counter('tokens_before_compact', 'Tokens before compactions.', metrics.tokensBeforeCompact),
    counter('tokens_after_compact', 'Tokens after compactions.', metrics.tokensAfterCompact),
    counter(
      'facts',
      'Facts that compactions took out of the context, by what became of them.',
      labelledValues('state', { in_context: factsInContext, one_look_up: factsOneLookUp, lost: factsLost }),
    ),
    counter('rollbacks', 'Rollbacks, by their end.', labelledValues('end', { done: rollbacks, failed: failedRollbacks })),
    counter('tool_bytes', 'Bytes of tool results.', metrics.toolBytes),
    counter('offloaded_bytes', 'Bytes of tool results that went to files.', metrics.offloadedBytes),
    counter('offloads', 'Tool results that went to files.', metrics.offloadedResults),
    counter('memories', 'Memories extracted.', metrics.memories),
    counter('tokens', 'Tokens as the provider reported them.', labelledValues('kind', tokens)),
    counter('cost_usd', 'Dollars, where the price is known.', metrics.costUsd),
    gauge('context_utilization', 'Mean share of the window that a request took.', metrics.meanUtilization),
    gauge('context_utilization_max', 'Largest share of the window that a request took.', metrics.mostUtilization),
    counter('turns', 'Turns, by whether their session had been compacted.', phases('turns')),
    counter('turns_ended_well', 'Turns that the model ended by itself.', phases('endedWell')),
    counter('calls', 'Tool calls.', phases('calls')),
    counter('calls_repeated', 'Tool calls that the session had made before, word for word.', phases('repeatedCalls')),
  ];
}

const seriesText = ({ name, help, type, values }: Series): string =>
  [
    `# HELP sanbot_${name} ${help}`,
    `# TYPE sanbot_${name} ${type}`,
    ...values.map(([labels, value]) => `sanbot_${name}${labels} ${value}`),
    '',
  ].join('\n');
