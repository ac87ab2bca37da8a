import type { Metrics } from './collect.ts';
import { againstTargets } from './targets.ts';

/** The text format that Prometheus reads, as its node exporter takes it from a file. A share that cannot be told yet is left out. */
export function prometheusText(metrics: Metrics): string {
  const shares = againstTargets(metrics).flatMap(({ name, means, value }): readonly Series[] =>
    value === undefined ? [] : [{ name, help: `Share of ${means}.`, type: 'gauge', values: [['', value]] }],
  );
  return [...seriesOf(metrics), ...shares].map(seriesText).join('');
}

type Series = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly values: readonly (readonly [labels: string, value: number])[];
};

const counter = (name: string, help: string, values: number | Series['values']): Series => ({
  name: `${name}_total`,
  help,
  type: 'counter',
  values: typeof values === 'number' ? [['', values]] : values,
});

function seriesOf(metrics: Metrics): readonly Series[] {
  const { beforeCompaction: before, afterCompaction: after } = metrics;
  const phases = (of: (work: typeof before) => number): Series['values'] => [
    ['{phase="before_compaction"}', of(before)],
    ['{phase="after_compaction"}', of(after)],
  ];
  return [
    { name: 'sessions', help: 'Sessions in the audit log.', type: 'gauge', values: [['', metrics.sessions]] },
    counter('requests', 'Requests to the model, summaries apart.', metrics.requests),
    counter('overflows', 'Requests that did not fit the window.', metrics.overflows),
    counter('compaction_count', 'Compactions.', metrics.compactions),
    counter('compaction_failures', 'Compactions that failed.', metrics.failedCompactions),
    counter('compaction_degraded', 'Compactions summarised by rule because no model answered.', metrics.degradedCompactions),
    counter('tokens_before_compact', 'Tokens before compactions.', metrics.tokensBeforeCompact),
    counter('tokens_after_compact', 'Tokens after compactions.', metrics.tokensAfterCompact),
    counter('facts', 'Facts that compactions took out of the context, by what became of them.', [
      ['{state="in_context"}', metrics.factsInContext],
      ['{state="one_look_up"}', metrics.factsOneLookUp],
      ['{state="lost"}', metrics.factsLost],
    ]),
    counter('rollbacks', 'Rollbacks, by their end.', [
      ['{end="done"}', metrics.rollbacks],
      ['{end="failed"}', metrics.failedRollbacks],
    ]),
    counter('tool_bytes', 'Bytes of tool results.', metrics.toolBytes),
    counter('offloaded_bytes', 'Bytes of tool results that went to files.', metrics.offloadedBytes),
    counter('offloads', 'Tool results that went to files.', metrics.offloadedResults),
    counter('memories', 'Memories extracted.', metrics.memories),
    counter('tokens', 'Tokens as the provider reported them.', [
      ['{kind="input"}', metrics.inputTokens],
      ['{kind="cache_read"}', metrics.cacheReadTokens],
      ['{kind="cache_write"}', metrics.cacheWriteTokens],
      ['{kind="output"}', metrics.outputTokens],
    ]),
    counter('cost_usd', 'Dollars, where the price is known.', metrics.costUsd),
    {
      name: 'context_utilization',
      help: 'Mean share of the window that a request took.',
      type: 'gauge',
      values: [['', metrics.meanUtilization]],
    },
    {
      name: 'context_utilization_max',
      help: 'Largest share of the window that a request took.',
      type: 'gauge',
      values: [['', metrics.mostUtilization]],
    },
    counter(
      'turns',
      'Turns, by whether their session had been compacted.',
      phases((work) => work.turns),
    ),
    counter(
      'turns_ended_well',
      'Turns that the model ended by itself.',
      phases((work) => work.endedWell),
    ),
    counter(
      'calls',
      'Tool calls.',
      phases((work) => work.calls),
    ),
    counter(
      'calls_repeated',
      'Tool calls that the session had made before, word for word.',
      phases((work) => work.repeatedCalls),
    ),
  ];
}

const seriesText = ({ name, help, type, values }: Series): string =>
  [
    `# HELP sanbot_${name} ${help}`,
    `# TYPE sanbot_${name} ${type}`,
    ...values.map(([labels, value]) => `sanbot_${name}${labels} ${value}`),
    '',
  ].join('\n');
