import { AbortedError } from '../../domain/errors.ts';
import type { AuditRecord } from '../../domain/event.ts';
import { compareWithTargets, createCollector } from '../../report/metrics/collect.ts';
import { metricsText } from '../../report/metrics/metrics-text.ts';
import { prometheusText } from '../../report/metrics/prometheus.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import type { EventFilter } from '../../store/events.ts';
import type { Store } from '../../store/store.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { type EventsView, eventsJson, eventsText } from '../../terminal/views/history-table.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';

export type EventsOptions = HomeOptions & {
  readonly session?: string;
  readonly type?: string;
  readonly since?: Date;
  readonly follow?: boolean;
  readonly json?: boolean;
};

export async function showEvents(options: EventsOptions, { environment, io }: CommandContext): Promise<void> {
  const { store } = openHome(options, { environment, io });
  const { session, type, since, json } = options;
  let filter: EventFilter = { sessionId: session, type, since };
  // Whatever reads a pipe or a file wants the line whole.
  const columns = environment.stdout.isTTY === true ? io.columns : Number.POSITIVE_INFINITY;
  const view: EventsView = { columns, singleSession: session !== undefined };
  let printedCount = 0;
  const show = (record: AuditRecord): void => {
    printedCount += 1;
    io.out(json ? eventsJson(record) : eventsText(record, view));
  };
  const readNew = (): void => {
    const { damaged, next } = store.events.read(filter, show);
    if (next !== undefined) filter = { ...filter, from: next };
    warnOfDamage(damaged, io);
  };
  readNew();
  if (printedCount === 0 && session !== undefined && !options.follow) requireRecorded(store, session);
  if (printedCount === 0 && !json)
    io.warn(
      options.follow
        ? { en: 'no events yet; press Ctrl-C to stop', zh: '还没有事件；按 Ctrl-C 停止' }
        : { en: 'no events found', zh: '没有找到事件' },
    );
  if (options.follow) await follow(environment, readNew);
}

/** Throws not_found for a session of which nothing is left: neither it nor a line of the log. What a deleted one did can still be read. */
export function requireRecorded({ events, sessions }: Pick<Store, 'events' | 'sessions'>, session: string): void {
  let isRecorded = false;
  events.read({ sessionId: session }, () => {
    isRecorded = true;
  });
  if (!isRecorded) sessions.findId(session);
}

export function warnOfDamage(lines: number, { warn }: CommandContext['io']): void {
  if (lines === 0) return;
  warn({ en: `left out ${pluralize(lines, 'damaged line')} of the audit log`, zh: `略去了审计日志中 ${formatCount(lines)} 行损坏的内容` });
}

const POLL_INTERVAL_MS = 300;

async function follow(environment: Environment, readNew: () => void): Promise<void> {
  const stop = new AbortController();
  environment.onSignal('SIGINT', () => stop.abort());
  environment.onSignal('SIGTERM', () => stop.abort());
  try {
    for (;;) {
      await environment.sleep(POLL_INTERVAL_MS, stop.signal);
      readNew();
    }
  } catch (error) {
    if (!(error instanceof AbortedError)) throw error;
  }
}

export type MetricsOptions = HomeOptions & {
  readonly session?: string;
  readonly since?: Date;
  readonly format: 'table' | 'json' | 'prometheus';
};

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
