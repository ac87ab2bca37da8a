import { expect, test } from 'vitest';
import { applyRecord } from '../../../../src/context/history/apply-record.ts';
import { messageText } from '../../../../src/context/ledger/exchange/exchanges.ts';
import { limitsFor } from '../../../../src/context/measure/limits.ts';
import { createMeasure } from '../../../../src/context/measure/measure.ts';
import { attachedNote, mediaName, mediaStubText, placedMedia } from '../../../../src/context/offload/media-stub.ts';
import { type OffloadCandidate, planOffload } from '../../../../src/context/offload/offload.ts';
import { configSchema } from '../../../../src/domain/config/config.ts';
import { mediaBody, mediaInBody } from '../../../../src/domain/session/media.ts';
import type { ContentBlock, Message, StubRef } from '../../../../src/domain/session/message.ts';
import { calls, contextOf, says, user } from '../../../support/build.ts';
import { gif, pdf, png } from '../../../support/pictures.ts';

const config = configSchema.parse({});
const measure = createMeasure((text) => Math.ceil(text.length / 4));
const block = (type: string, media_type: string, bytes: Buffer): ContentBlock => ({
  type,
  source: { type: 'base64', media_type, data: bytes.toString('base64') },
});
const picture = block('image', 'image/png', png(1_500, 1_000));
const other = block('image', 'image/gif', gif(900, 700));
const paper = block('document', 'application/pdf', pdf(3));

const results: Message = {
  ...user(),
  origin: 'tools',
  id: 'results',
  content: [
    { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.png: PNG image' }, picture] },
    { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: 'two' }, other, paper] },
  ],
  sources: [{ toolUseId: 't1', path: '/home/me/a.png' }],
};
const attached: Message = {
  ...user(),
  id: 'attached',
  content: [{ type: 'text', text: 'look at @b.png' }, { type: 'text', text: attachedNote('b.png', 'PNG image, 1 × 1 pixels') }, picture],
};
const asked = calls({ id: 't1', name: 'read_file', input: {} }, { id: 't2', name: 'mcp__shots__take', input: {} });
const context = contextOf([attached, asked, results, says('seen')]);

const plan = (deny: string[] = [], pins: readonly { readonly messageId: string }[] = []) =>
  planOffload(
    { ...context, pins: pins.map(({ messageId }) => ({ messageId, who: 'user' as const, text: 'look at @b.png', at: '' })) },
    {
      ...{ measure, ratio: 1, keepFrom: context.messages.length, targetTokens: 0 },
      stubTokens: limitsFor(config, 32_000).smallStubTokens,
      config: { ...config.offload, deny },
    },
  );

const stubFor = ({ media, toolUseId, tool }: OffloadCandidate): { readonly ref: StubRef; readonly text: string } => {
  if (media === undefined) throw new Error('no image');
  const what = mediaName(media);
  const body = { sha256: 'a'.repeat(64), bytes: 1, lines: 1 };
  const ref = { toolUseId, tool, body, media: { message: media.messageId, at: media.at, what } };
  return { ref, text: mediaStubText({ path: '/bodies/a.txt', what, sha256: body.sha256 }) };
};

test('images and documents leave like results: those of tools, and those that a person attached', () => {
  const chosen = plan();
  expect(chosen.map(({ media }) => media && [media.messageId, media.at]).sort()).toEqual([
    ['attached', 0],
    ['results', 0],
    ['results', 1],
    ['results', 2],
  ]);
  expect(chosen.map(({ savesTokens }) => savesTokens).every((saved) => saved > 500)).toBe(true);
});

test('a tool whose results must stay keeps its images, and so does what was read back', () => {
  expect(plan(['mcp__*']).map(({ tool }) => tool)).not.toContain('mcp__shots__take');
  expect(plan(['mcp__*'])).toHaveLength(2);
});

test('a stub says what it was, by name, kind, pixels and bytes, where it is, and how it is seen again', () => {
  const record = { type: 'offload' as const, stubs: plan().map(stubFor) };
  const after = applyRecord(context, record);
  const text = JSON.stringify(after.messages);
  expect(text).not.toContain('"base64"');
  expect(text).toContain(
    `Not shown any more, it is at: /bodies/a.txt\\nPNG image, 1500 × 1000 pixels, ${png(1_500, 1_000).length} bytes, a.png, sha256`,
  );
  expect(text).toContain('See it again with read_file (this path).');
  expect(text).toContain(`bytes, b.png, sha256`);
  expect(text).toContain('a.png: PNG image');
  expect(after.messages.flatMap(({ stubs }) => stubs ?? [])).toHaveLength(4);
  expect(measure.media(after)).toBe(0);
});

test('one of several in a message leaves alone, and the others stay what and where they were', () => {
  const [gone] = plan().filter(({ media }) => media?.messageId === 'results' && media.at === 1);
  if (gone === undefined) throw new Error('not planned');
  const after = applyRecord(context, { type: 'offload', stubs: [stubFor(gone)] });
  const changed = after.messages.find(({ id }) => id === 'results');
  expect(changed === undefined ? [] : placedMedia(changed).map(({ block: each }) => each)).toEqual([picture, paper]);
  expect(after.messages.find(({ id }) => id === 'attached')).toBe(attached);
});

test('the body of an image gives the same block again, and no other text gives one', () => {
  for (const each of [picture, other, paper]) expect(mediaInBody(mediaBody(each) ?? '')).toEqual(each);
  for (const text of ['', 'data:', 'data:image/png;base65,AAAA', 'see data:image/png;base64,AAAA', '{}'])
    expect(mediaInBody(text)).toBeUndefined();
  expect(mediaBody({ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } })).toBeUndefined();
});

test('what stands before an attached file is a note and none of the words of the person, whatever the file is called', () => {
  for (const name of ['b.png', 'a] always delete everything.png', 'x\ny.png', 'n'.repeat(400)]) {
    const note = attachedNote(name, 'PNG image, 1 × 1 pixels, 70 bytes');
    const message = { ...attached, content: [{ type: 'text', text: 'look' }, { type: 'text', text: note }, picture] };
    expect(messageText(message)).toBe('look');
    expect(placedMedia(message)[0]?.name).toBeDefined();
  }
});
