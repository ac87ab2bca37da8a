import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { diagnose } from '../../src/store/doctor/doctor.ts';
import { headerOf, storeOf, worldOf } from '../unit/store/files/world.ts';
import { answers, calls, contextOf, says, user } from './build.ts';

export const SECRET = 'sk-p"ur<ge>&密\\/9zqx7d6c5b4a';

/** A home in which the secret stands in every place and every form. */
export function leakedHome(at?: (point: string) => number | undefined) {
  const made = storeOf();
  const { store, paths, world } = made;
  const { log } = store.sessions.create(headerOf('s1'));
  const bodies = store.bodies('s1');
  const [live, retired] = [`first ${SECRET} of all\n${'x\n'.repeat(400)}`, `second ${SECRET}`].map((text) => {
    const ref = bodies.save(text)?.ref;
    if (ref === undefined) throw new Error('no room');
    return { ref, text };
  });
  if (live === undefined || retired === undefined) throw new Error('two are two');
  const stub = `Tool result is at: ${bodies.path(live.ref)}\nsha256 ${live.ref.sha256}\nfirst sk-p"ur<ge>&密\\/9zqx…`;
  const result = { ...answers({ id: 't1', content: stub }), stubs: [{ toolUseId: 't1', tool: 'read_file', body: live.ref }] };
  const messages = [
    user(`my key is ${SECRET}`),
    calls({ id: 't1', name: 'read_file', input: { path: 'a.txt', [SECRET]: JSON.stringify({ key: SECRET }) } }),
    result,
    says(`&lt;b&gt; ${SECRET.replace('<', '&lt;')}`),
  ];
  for (const message of messages) log.append({ type: 'message', message });
  store.bodies('s1').retire(new Set([live.ref.sha256]));
  const context = contextOf(messages);
  const meta = store.snapshots.write({
    sessionId: 's1',
    group: 'main',
    reason: 'compaction',
    model: 'm',
    tokens: 5,
    context,
    bodies: [live],
  });
  store.snapshots.recordOutcome(meta.id, { at: '2026-03-04T05:06:08.000Z', messages: 1, tokensAfter: 1, line: `kept: ${SECRET}` });
  log.append({ type: 'checkpoint', reason: 'compaction', snapshotId: meta.id, context });
  log.close();
  store.archive('main').write({ title: `Key ${SECRET}`, markdown: `# Key ${SECRET}\n` });
  store.inputHistory.append(`${JSON.stringify(`type ${SECRET}`)}\n`);
  store.events.append({ v: 1, at: '2026-03-04T05:06:07.000Z', sessionId: 's1', type: 'warning', message: SECRET });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  };
  put(join(paths.memory('main'), 'daily', '2026-03-04.md'), `- ${SECRET}\n`);
  put(join(paths.memory('other'), 'extracted', 'facts.md'), `# Facts\n\n- ${SECRET}\n`);
  put(paths.olderExtracted('main', 'facts'), `- ${SECRET} <!-- session s1 message m1 id m12345678 superseded-by m2 -->\n`);
  put(paths.master('main'), `# Memory\n\n- ${SECRET}\n`);
  put(join(paths.consolidations('main'), '20260304T050607000Z.json'), `${JSON.stringify({ before: SECRET, after: `- ${SECRET}\n` })}\n`);
  put(paths.pendingConsolidation('main'), `${JSON.stringify({ aside: [{ kind: 'facts', line: `- ${SECRET}` }] })}\n`);
  put(join(dirname(paths.events), 'events-000001-7.jsonl'), `${JSON.stringify({ v: 1, type: 'warning', message: SECRET })}\n`);
  put(join(paths.setAsideFolder, 'torn'), `{"v":1,"text":"${SECRET}`);
  put(paths.title('s1'), `About ${SECRET}`);
  appendFileSync(paths.events, `{"torn":"${JSON.stringify(SECRET).slice(1, -1)}`);
  const refs = { live, retired };
  return { ...made, ...refs, meta, failing: worldOf({ home: world.home, ...(at === undefined ? {} : { at }) }).disk };
}

export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );

/** No form of the secret anywhere: what all its forms have in common is not there. */
export const bytesLeft = (home: string) => filesBelow(home).filter((path) => `${path}${readFileSync(path, 'latin1')}`.includes('9zqx'));

export function expectPurged({ store, world, paths, live, retired, meta }: ReturnType<typeof leakedHome>): void {
  expect(bytesLeft(world.home)).toEqual([]);
  expect(existsSync(paths.purgeJournal)).toBe(false);
  const opened = store.sessions.open('s1');
  expect(opened.warnings).toEqual([]);
  opened.log.close();
  const found = store.snapshots.read(meta.id);
  if (found.kind !== 'found') throw new Error(JSON.stringify(found));
  expect(JSON.stringify(found.context)).toContain('my key is [purged]');
  const body = live.text.replaceAll(SECRET, '[purged]');
  expect(found.bodies.map(({ text }) => text)).toEqual([body]);
  const refs = found.context.messages.flatMap(({ stubs }) => (stubs ?? []).map((stub) => stub.body));
  expect(refs.map((ref) => store.bodies('s1').read(ref))).toEqual([body]);
  expect(refs[0]?.bytes).toBe(Buffer.byteLength(body));
  // The path in the stub's text leads to the body too.
  const path = /Tool result is at: (\S+?)\\n/.exec(JSON.stringify(found.context))?.[1] ?? '';
  expect(store.bodies('s1').readPath(path)).toBe(body);
  expect(readFileSync(paths.retiredBodies('s1'), 'utf8')).toContain(retired.text.replaceAll(SECRET, '[purged]'));
  expect(diagnose(world, { sessionId: undefined, repair: false }).findings).toEqual([]);
}
