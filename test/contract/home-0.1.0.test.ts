import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configSections } from '../../src/domain/config/config.ts';
import { resolveConfig } from '../../src/domain/config/config-layers.ts';
import { goneSettings } from '../../src/domain/config/layer.ts';
import { auditTypes } from '../../src/domain/event/audit-types.ts';
import {
  auditedEventSchema,
  compactionTriggers,
  pressureReasons,
  stopReasons,
  summaryMethods,
} from '../../src/domain/event/event-schema.ts';
import { hookEvents } from '../../src/domain/hook/hook.ts';
import { memoryKinds } from '../../src/domain/memory/memory.ts';
import { todoStatuses } from '../../src/domain/session/ledger.ts';
import { type Message, origins } from '../../src/domain/session/message.ts';
import { checkpointReasons, type LogRecord, logRecordSchema } from '../../src/domain/session/record.ts';
import { snapshotMetaSchema, snapshotReasons } from '../../src/domain/session/snapshot.ts';
import { root } from '../support/source.ts';

/*
 * The home in test/fixtures/home-0.1.0 holds every kind of thing that 0.1.0 stored; test/stress/e2e/home-0.1.0.test.ts works on it. Each list
 * here is that of the present source: a kind that a later version adds has to be named in `later`, since 0.1.0 could not write it, and a
 * kind that is renamed or dropped is one too many in the fixture.
 */
const later: readonly string[] = [
  'branch',
  'file_attached',
  ...['started', 'step', 'called', 'ended'].map((what) => `helper_${what}`),
  'jobs_ended',
  'loop',
  'max_cost',
  'max_seconds',
  ...['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'Notification'],
];

const fixture = join(root, 'test', 'fixtures', 'home-0.1.0');
const home = join(fixture, 'home');
const paths = readdirSync(home, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
  .sort();
const textOf = (path: string): string => readFileSync(join(home, path), 'utf8');
const linesOf = (path: string): readonly string[] => textOf(path).trimEnd().split('\n');
const parsed = (pattern: RegExp): readonly Readonly<Record<string, unknown>>[] =>
  paths
    .filter((path) => pattern.test(path))
    .flatMap(linesOf)
    .map((line) => JSON.parse(line));

const records: readonly LogRecord[] = parsed(/\/log\.jsonl$/).map((record) => logRecordSchema.parse(record));
const messages: readonly Message[] = records.flatMap((record) =>
  record.type === 'message' ? [record.message] : record.type === 'header' || record.type === 'checkpoint' ? record.context.messages : [],
);
const events = parsed(/^context\/events.*\.jsonl$/);
const metas = paths.filter((path) => path.endsWith('.meta.json')).map((path) => snapshotMetaSchema.parse(JSON.parse(textOf(path))));

/** A name that is missing here, or is none any more, does not compile. */
const namesIn = <Name extends string>(names: Readonly<Record<Name, true>>): readonly string[] => Object.keys(names);

const expectKinds = (found: Iterable<unknown>, known: readonly string[]): void =>
  expect([...new Set(found)].sort()).toEqual(known.filter((name) => !later.includes(name)).sort());
const fieldOf = (type: RegExp, field: string) => events.flatMap((event) => (type.test(String(event.type)) ? (event[field] ?? []) : []));

describe('the home of 0.1.0 holds', () => {
  test('every kind of record', () => {
    const kinds = {
      header: true,
      message: true,
      offload: true,
      checkpoint: true,
      model: true,
      title: true,
      pins: true,
      file: true,
      branch: true,
    } as const;
    expectKinds(
      records.map(({ type }) => type),
      namesIn<LogRecord['type']>(kinds),
    );
    expectKinds(
      records.flatMap((record) => (record.type === 'checkpoint' ? [record.reason] : [])),
      checkpointReasons,
    );
    const files = records.flatMap((record) => (record.type === 'file' ? [record] : []));
    expectKinds(
      files.map(({ before, after }) => (before === null ? 'made' : after === null ? 'removed' : 'changed')),
      ['made', 'changed', 'removed'],
    );
    expect(records.filter((record) => record.type === 'header' && record.parent !== undefined)).toHaveLength(1);
    expectKinds(
      records.flatMap((record) => (record.type === 'header' ? [record.group] : [])),
      ['main', 'harbour'],
    );
  });

  test('every kind of message and of block', () => {
    expectKinds(
      messages.map(({ origin }) => origin),
      origins,
    );
    const blocks = messages.flatMap(({ content }) => content.map(({ type }) => type));
    expectKinds(blocks, ['text', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'compaction', 'harbour_note']);
    expectKinds(
      messages.flatMap(({ notice }) => notice ?? []),
      ['date', 'folder', 'hook', 'known', 'pins', 'todo'],
    );
    const said = JSON.stringify(messages.map(({ content }) => content));
    expectKinds(
      [...said.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status),
      todoStatuses,
    );
    const fields = new Set(messages.flatMap((message) => Object.keys(message)));
    const optional = ['stubs', 'readBack', 'sources', 'model', 'stopReason', 'usage', 'summary', 'notice', 'todo', 'pruned'];
    expectKinds(fields, ['id', 'at', 'role', 'origin', 'content', ...optional]);
  });

  test('every kind of snapshot, and a receipt of each way to a summary', () => {
    expectKinds(
      metas.map(({ reason }) => reason),
      snapshotReasons,
    );
    expect(metas.some(({ outcome }) => outcome === undefined)).toBe(true);
    expect(metas.some(({ outcome }) => outcome?.restored !== undefined)).toBe(true);
    const receipts = metas.flatMap(({ outcome }) => (outcome?.receipt === undefined ? [] : [JSON.stringify(outcome.receipt)]));
    for (const method of summaryMethods) expect(receipts.join('\n')).toContain(`"method":"${method}"`);
  });

  test('every event, with every reason, trigger and end', () => {
    expectKinds(
      events.map(({ type }) => type),
      auditTypes(),
    );
    for (const event of events) expect(auditedEventSchema.safeParse(event)).toMatchObject({ success: true });
    expectKinds(fieldOf(/^compacted$/, 'method'), summaryMethods);
    expectKinds(fieldOf(/^compact/, 'trigger'), compactionTriggers);
    expectKinds(fieldOf(/^turn_ended$/, 'stopReason'), stopReasons);
    expectKinds(fieldOf(/^(?:context_high|compaction_started)$/, 'reasons').flat(), pressureReasons);
    expectKinds(fieldOf(/^offloaded$/, 'when'), ['arrival', 'pressure', 'voluntary']);
    expectKinds(fieldOf(/^hook_ran$/, 'hook'), hookEvents);
    expectKinds(fieldOf(/^hook_ran$/, 'ok').map(String), ['true', 'false']);
  });

  test('every part of an export', () => {
    const parts = readFileSync(join(fixture, 'exports', 'session.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    const kinds = parts.map((line): string => {
      const { type, retired }: { readonly type: string; readonly retired?: boolean } = JSON.parse(line);
      return retired === true ? `retired ${type}` : type;
    });
    expectKinds(kinds, ['sanbot-export', 'record', 'body', 'retired body', 'snapshot', 'end']);
  });

  test('settings that are all known still or gone, and an example that is valid still', () => {
    const config: Readonly<Record<string, object>> = JSON.parse(textOf('config.json'));
    const keysIn = (sections: readonly (readonly [string, object])[]): readonly string[] =>
      sections.flatMap(([section, keys]) => Object.keys(keys).map((key) => `${section}.${key}`));
    const settings = Object.entries(configSections).map(([section, shape]) => [section, shape()] as const);
    const known = [...keysIn(settings), ...Object.keys(goneSettings)];
    const had = keysIn(Object.entries(config));
    expect(had.length).toBeGreaterThan(60);
    expect(had.filter((key) => !known.includes(key))).toEqual([]);
    for (const path of [join(home, 'config.json'), join(fixture, 'sanbot.example.json')])
      expect(resolveConfig([{ kind: 'file', path, trust: 'user', text: readFileSync(path, 'utf8') }])).toMatchObject({
        kind: 'ok',
        notices: Object.keys(goneSettings)
          .filter((key) => had.includes(key))
          .map((key) => ({ en: expect.stringContaining(`${key} is ignored`) })),
      });
  });

  test('every place of a home, the index apart, and no lock', () => {
    const ofGroup = ['memory/daily/*', 'memory/extracted/*', 'memory/session-summaries/*'];
    const ofSession = ['bodies.jsonl', 'files/*', 'log.jsonl', 'log.jsonl.damaged', 'offloaded/*', 'title'];
    expectKinds(paths.map(placeOf), [
      'config.json',
      'context/events-000001-4242.jsonl',
      'context/events.jsonl',
      'groups/*/SANBOT.md',
      'groups/*/conversations/*',
      ...ofGroup.map((place) => `groups/*/${place}`),
      'history',
      ...ofGroup,
      'memory/extracted/older/*',
      'memory/soul.md',
      'memory/summary/master.md',
      'memory/summary/previous/*',
      ...ofSession.map((place) => `sessions/*/${place}`),
      'set-aside/*',
    ]);
    const pages = paths.filter((path) => path.startsWith('memory/extracted/') && !path.includes('older'));
    expect(pages).toEqual(
      [...memoryKinds.map((kind) => `${kind}.md`), 'known.txt', 'reviewed.txt'].map((name) => `memory/extracted/${name}`).sort(),
    );
  });
});

/** The path without what names one session, group, day or file among others. */
const placeOf = (path: string): string =>
  path
    .replace(/^sessions\/[^/]+/, 'sessions/*')
    .replace(/^groups\/[^/]+/, 'groups/*')
    .replace(/(?<=\.damaged)-.*/, '')
    .replace(/(?<=(?:conversations|daily|extracted|older|session-summaries|previous|files|offloaded)\/)[^/]+$/, '*')
    .replace(/^set-aside\/.*/, 'set-aside/*');
