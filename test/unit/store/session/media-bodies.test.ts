import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stubRefSchema } from '../../../../src/domain/session/message.ts';
import { diagnose } from '../../../../src/store/doctor/doctor.ts';
import { planPurge, purge } from '../../../../src/store/purge/purge.ts';
import { answers, calls, contextOf, user } from '../../../support/build.ts';
import { gif, pdf, png } from '../../../support/pictures.ts';
import { headerOf, namesOf, storeOf } from '../files/world.ts';

const jpeg = Buffer.from('ffd8ffe000104a46494600ffd9', 'hex');
const webp = Buffer.concat([Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1')]);
const uri = (mediaType: string, bytes: Buffer): string => `data:${mediaType};base64,${bytes.toString('base64')}`;

const kinds: readonly (readonly [string, string, Buffer])[] = [
  ['png', 'image/png', png(6, 4)],
  ['jpg', 'image/jpeg', jpeg],
  ['gif', 'image/gif', gif(6, 4)],
  ['webp', 'image/webp', webp],
  ['pdf', 'application/pdf', pdf(2)],
];

function bodiesOf() {
  const world = storeOf();
  const bodies = world.store.bodies('s1');
  const folder = world.paths.offloaded('s1');
  const save = (text: string) => {
    const saved = bodies.save(text);
    if (saved === undefined) throw new Error('no room');
    return saved;
  };
  return { ...world, bodies, folder, save };
}

/** A session whose log refers to an image in a file. */
function sessionWithImage() {
  const world = bodiesOf();
  const text = uri('image/png', png(6, 4));
  const { log } = world.store.sessions.create(headerOf('s1'));
  const { ref, path } = world.save(text);
  const stub = { toolUseId: 't1', tool: 'read_file', body: ref };
  const result = { ...answers({ id: 't1', content: `Not shown any more, it is at: ${path}` }), stubs: [stub] };
  const messages = [calls({ id: 't1', name: 'read_file', input: { path: 'a.png' } }), result];
  for (const message of messages) log.append({ type: 'message', message });
  return { ...world, text, ref, path, log, messages };
}

describe('a body that is an image or a PDF', () => {
  test.each(kinds)('is a .%s file with its own bytes, and comes back as the text that it was', (extension, mediaType, bytes) => {
    const { bodies, save } = bodiesOf();
    const text = uri(mediaType, bytes);
    const { ref, path } = save(text);
    expect(path.endsWith(`/${ref.sha256.slice(0, 32)}.${extension}`)).toBe(true);
    expect(readFileSync(path)).toEqual(bytes);
    expect([bodies.path(ref), bodies.refOf(text)]).toEqual([path, ref]);
    expect(bodies.read(ref)).toBe(text);
    expect(bodies.readPath(path)).toBe(text);
    expect(stubRefSchema.parse({ toolUseId: 't', tool: 'x', body: ref }).body).toEqual(ref);
  });

  test.each([
    ['of a kind that nobody knows', 'data:image/heic;base64,AAAA'],
    ['of another kind than it says', uri('image/png', jpeg)],
    ['whose base64 could not be told from its bytes', `${uri('image/png', png(6, 4))}\n`],
    ['with a letter that is no base64', uri('image/png', png(6, 4)).replace(/.$/, '!')],
  ])('%s stays text', (_, text) => {
    const { bodies, save } = bodiesOf();
    const { ref, path } = save(text);
    expect(path).toMatch(/\.txt$/);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(bodies.read(ref)).toBe(text);
  });

  test('that was changed on disk is not taken for it [D-44]', () => {
    const { bodies, save } = bodiesOf();
    const { ref, path } = save(uri('image/png', png(6, 4)));
    writeFileSync(path, png(7, 4));
    expect(bodies.read(ref)).toBeUndefined();
    expect(bodies.readPath(path)).toBeUndefined();
  });

  test('is read by the path of its stub after it was retired, and is a file again when it is restored', () => {
    const { bodies, save, folder } = bodiesOf();
    const text = uri('application/pdf', pdf(2));
    const { ref, path } = save(text);
    expect(bodies.retire(new Set())).toEqual({ retired: 1, failed: [] });
    expect(namesOf(folder)).toEqual([]);
    expect([bodies.read(ref), bodies.readPath(path)]).toEqual([text, text]);
    bodies.restore([{ ref, text }]);
    expect(readFileSync(path)).toEqual(pdf(2));
  });

  test('is read where an older SanBot wrote it as text, under the name that its stubs say, and retired once', () => {
    const { bodies, save, folder, paths, store } = bodiesOf();
    const text = uri('image/png', png(6, 4));
    const { ref, path } = save(text);
    const { extension: _, ...oldRef } = ref;
    const oldPath = paths.body('s1', oldRef);
    writeFileSync(oldPath, text, { mode: 0o600 });
    expect(bodies.path(oldRef)).toBe(oldPath);
    writeFileSync(path, 'changed');
    expect([bodies.read(oldRef), bodies.readPath(oldPath), bodies.readPath(path)]).toEqual([text, text, text]);
    save(text);
    expect(namesOf(folder)).toHaveLength(2);
    expect(bodies.retire(new Set())).toEqual({ retired: 2, failed: [] });
    expect(readFileSync(paths.retiredBodies('s1'), 'utf8').split('\n')).toHaveLength(2);
    expect(store.bodies('s1').readPath(oldPath)).toBe(text);
  });

  test('takes of the limit of a session what it takes on disk', () => {
    const bytes = png(60, 40);
    const text = uri('image/png', bytes);
    expect(storeOf({ maxSessionBytes: bytes.length }).store.bodies('s1').save(text)).toBeDefined();
    expect(
      storeOf({ maxSessionBytes: bytes.length - 1 })
        .store.bodies('s1')
        .save(text),
    ).toBeUndefined();
  });

  test('is checked by the doctor, and set aside and written again where it was changed', () => {
    const { log, world, store, path, text, ref, messages } = sessionWithImage();
    store.snapshots.write({
      ...{ sessionId: 's1', group: 'main', reason: 'compaction', model: 'm', tokens: 5 },
      ...{ context: contextOf(messages), bodies: [{ ref, text }] },
    });
    log.close();
    expect(diagnose(world, { sessionId: undefined, repair: false }).findings).toEqual([]);
    writeFileSync(path, 'changed');
    expect(diagnose(world, { sessionId: undefined, repair: false }).findings.map(({ kind }) => kind)).toEqual([
      'body_changed',
      'body_missing',
    ]);
    expect(diagnose(world, { sessionId: undefined, repair: true }).findings).toEqual([]);
    expect(readFileSync(path)).toEqual(png(6, 4));
  });

  test('is purged like the text that it stands for', () => {
    const { log, world, disk, paths, path, folder, store, text } = sessionWithImage();
    log.close();
    const secret = text.slice(40, 70);
    expect(planPurge(paths, secret).findings).toEqual([{ name: expect.stringContaining('.png'), count: 1 }]);
    purge(disk, paths, secret);
    expect(existsSync(path)).toBe(false);
    const [name = ''] = namesOf(folder);
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text.replace(secret, '[purged]'));
    const stubs = store.sessions.open('s1').records.flatMap((each) => (each.type === 'message' ? (each.message.stubs ?? []) : []));
    expect(stubs.map(({ body }) => store.bodies('s1').read(body))).toEqual([text.replace(secret, '[purged]')]);
    expect(diagnose(world, { sessionId: undefined, repair: false }).findings).toEqual([]);
  });
});

test('a purge lists every file with an image or a PDF, in whose pictures and packed texts it finds nothing', () => {
  const { paths, path, log, save } = sessionWithImage();
  save('a long text without any');
  log.close();
  const shown = (file: string): boolean => planPurge(paths, 'secret-9zqx7d6c').unseen.some((name) => file.endsWith(name));
  expect([shown(path), shown(paths.log('s1'))]).toEqual([true, false]);
  const pdfFile = save(uri('application/pdf', pdf(2))).path;
  expect(shown(pdfFile)).toBe(true);
  const other = storeOf();
  const inline = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(6, 4).toString('base64') } };
  const second = other.store.sessions.create(headerOf('s1'));
  second.log.append({ type: 'message', message: { ...user('see'), content: [inline] } });
  second.log.close();
  expect(planPurge(other.paths, 'secret-9zqx7d6c').unseen).toEqual(['sessions/s1/log.jsonl']);
});
