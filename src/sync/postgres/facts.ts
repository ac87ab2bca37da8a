import type { Client } from 'pg';
import { readCost } from '../../domain/event/read-event.ts';
import { type AuditRecord, isAuditRecord } from '../../domain/event.ts';
import { usageTotal } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { auditedSession } from '../../store/files/paths.ts';
import { readRecord } from '../../store/files/record-line.ts';
import type { SegmentName } from '../port.ts';
import { decodeSegment, encodeSegment, type Segment } from '../segment.ts';

/** What the views of a hub tell of a segment, which is compressed there: no word of what was said. */
type Facts = {
  readonly objects: readonly string[];
  readonly writer?: string | undefined;
  readonly cwd?: string | undefined;
  readonly model?: string | undefined;
  readonly messages: number;
  /** When its first and its last record were written. */
  readonly first_at?: string | undefined;
  readonly last_at?: string | undefined;
  /** What each day cost, and each compaction, by the lines of the audit log. */
  readonly events: readonly object[];
};

/** One statement: what is told of a segment comes and goes with it. `$1` to `$4`: its row, and what is told of it. */
const TELL = `with f as (select * from jsonb_to_record($4) as f (objects text[], writer text, cwd text, model text, messages int,
    first_at timestamptz, last_at timestamptz, events jsonb)),`;
const EVENTS = `insert into sanbot.events (chain, hash, replaced, type, at, requests, unpriced, input_tokens, cache_read_tokens,
    cache_write_tokens, output_tokens, usd, snapshot, trigger, method, tokens_before, tokens_after)
  select s.chain, s.hash, s.replaced, e.type, e.at, e.requests, e.unpriced, e.input_tokens, e.cache_read_tokens, e.cache_write_tokens,
    e.output_tokens, e.usd, e.snapshot, e.trigger, e.method, e.tokens_before, e.tokens_after
  from s, f, jsonb_populate_recordset(null::sanbot.events, f.events) e`;

/** Nothing where it is there already. */
export async function insertSegment(client: Client, { chain, seq, hash, previous, replaced = '' }: SegmentName, segment: Segment) {
  await client.query(
    `${TELL} s as (insert into sanbot.segments (chain, hash, replaced, seq, previous, file, objects, writer, cwd, model, messages, first_at,
      last_at, bytes) select $1, $2, $3, $5, $6, $7, objects, writer, cwd, model, messages, first_at, last_at, $8 from f
      on conflict do nothing returning chain, hash, replaced) ${EVENTS}`,
    [chain, hash, replaced, JSON.stringify(factsOf(segment)), seq, previous, encodeSegment(segment), segment.bytes.length],
  );
}

type Untold = { readonly chain: string; readonly hash: string; readonly replaced: string; readonly file: Buffer };

/** Tells what a SanBot did not that wrote before there was a place for it. */
export async function tellRest(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<Untold>(
      'select chain, hash, replaced, file from sanbot.segments where owner = session_user and not told limit 1',
    );
    const [row] = rows;
    if (row === undefined) return;
    const segment = decodeSegment(row.file, row);
    const facts = segment === undefined ? { objects: [], messages: 0, events: [] } : factsOf(segment);
    await client.query(
      `${TELL} s as (update sanbot.segments g set told = true, objects = f.objects, writer = f.writer, cwd = f.cwd, model = f.model,
        messages = f.messages, first_at = f.first_at, last_at = f.last_at from f where owner = session_user and chain = $1 and hash = $2
        and replaced = $3 and not told returning g.chain, g.hash, g.replaced) ${EVENTS}`,
      [row.chain, row.hash, row.replaced, JSON.stringify(facts)],
    );
  }
}

function factsOf({ chain, bytes, objects, writer }: Segment): Facts {
  const records = bytes
    .toString('utf8')
    .split('\n')
    .map((line) => readRecord(Buffer.from(line)));
  if (auditedSession(chain) !== undefined) return { objects, writer, messages: 0, events: eventsOf(records.filter(isAuditRecord)) };
  const said = records.filter(isObject);
  const times = said.flatMap(({ at }) => timeOf(at) ?? []);
  const word = (name: string) => said.findLast((record) => isString(record[name]))?.[name];
  const [cwd, model] = [word('cwd'), word('model')].map((value) => (isString(value) ? plain(value) : undefined));
  const messages = said.filter(({ type }) => type === 'message').length;
  return { objects, writer, cwd, model, messages, first_at: times[0], last_at: times.at(-1), events: [] };
}

/** The server takes no text with a zero or half a pair in it. */
const plain = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const timeOf = (at: unknown): string | undefined =>
  isString(at) && Number.isFinite(Date.parse(at)) ? new Date(at).toISOString() : undefined;

/** The end of a turn tells the sum of what was told before it. */
function eventsOf(records: readonly AuditRecord[]): readonly object[] {
  const days = new Map<string, typeof NOTHING>();
  const compactions: object[] = [];
  for (const record of records) {
    const at = timeOf(record.at);
    if (at === undefined) continue;
    const { usage, costUsd } = readCost(record);
    if (record.type === 'compacted') {
      const { snapshotId, trigger, method, tokensBefore, tokensAfter } = record;
      const [snapshot, why, how] = [snapshotId, trigger, method].map((value) => (isString(value) ? plain(value) : ''));
      const tokens = { tokens_before: wholeOf(tokensBefore), tokens_after: wholeOf(tokensAfter) };
      compactions.push({ type: 'compacted', at, snapshot, trigger: why, method: how, ...tokens, usd: costUsd });
    }
    if (record.type === 'turn_ended' || usageTotal(usage) === 0) continue;
    const day = `${at.slice(0, 10)}T00:00:00Z`;
    const sum = days.get(day) ?? { ...NOTHING };
    for (const name of TOKENS) sum[name] += usage[name];
    sum.requests += 1;
    sum.unpriced += costUsd === undefined ? 1 : 0;
    sum.usd += costUsd ?? 0;
    days.set(day, sum);
  }
  const costs = [...days].map(([at, { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, ...sum }]) => {
    const tokens = { input_tokens: inputTokens, cache_read_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens };
    return { type: 'cost', at, ...sum, ...tokens, output_tokens: outputTokens };
  });
  return [...costs, ...compactions];
}

const TOKENS = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'outputTokens'] as const;
const NOTHING = { requests: 0, unpriced: 0, usd: 0, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

const wholeOf = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0);
