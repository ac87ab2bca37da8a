import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { cutOutsideSecrets, redact, redactPart } from '../../../src/domain/value/redact.ts';
import { visibleLine } from '../../../src/tools/place/visible.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { stride } from '../../support/runs.ts';
import { secretPieces, secretShapes } from '../../support/secrets.ts';
import { createWorld } from './world.ts';

const leaked = (text: string): readonly string[] => secretPieces.filter((piece) => text.includes(piece));
const keyLines = Array.from({ length: 12 }, (_, at) => `${'MIIEpAIBAAKCAQEA'.repeat(3)}${String(at).padStart(16, 'q')}`);
const privateKey = `-----BEGIN RSA PRIVATE KEY-----\n${keyLines.join('\n')}\n-----END RSA PRIVATE KEY-----`;
/** What a session does with a result before anybody sees it. */
const kept = (content: string): string => redact(content);

describe('half of a secret is in no part of a text [S-31]', () => {
  test.each(secretShapes)('wherever it is parted: %s', (shape) => {
    const text = `before it ${shape} and after it`;
    for (let at = 0; at <= text.length; at += stride) {
      expect(leaked(redactPart(text, 0, at) + redactPart(text, at, text.length))).toEqual([]);
      expect(leaked(redactPart(text, at, Math.min(text.length, at + 20)))).toEqual([]);
      expect(leaked(kept(text.slice(0, cutOutsideSecrets(text, at))))).toEqual([]);
      expect(leaked(kept(visibleLine(text, Math.max(2, at))))).toEqual([]);
    }
    expect(redactPart(text, 0, text.length)).toBe(redact(text));
  });

  test('and a part without secrets is that part', () => {
    const text = `one two ghp_${'a1B2'.repeat(9)} three`;
    expect(redactPart(text, 0, 7)).toBe('one two');
    expect(redactPart(text, text.length - 5, text.length)).toBe('three');
    expect(cutOutsideSecrets(text, 7)).toBe(7);
  });
});

describe('a page of a file', () => {
  test.each(secretShapes.filter((shape) => !shape.includes('\n')))('begins and ends in no half of %s', async (shape) => {
    const world = createWorld({ pageChars: 40 });
    const lead = 'x '.repeat(30);
    world.put('a.txt', `${lead}${shape} ${'y '.repeat(40)}`);
    for (let at = lead.length; at < lead.length + shape.length; at += 5 * stride) {
      for (const from of [at, at - 35]) {
        const { content } = await world.call('read_file', { path: 'a.txt', char_offset: from });
        expect(leaked(kept(content)), String(from)).toEqual([]);
      }
    }
  });

  test('that begins in a private key shows nothing of it, and goes on behind it', async () => {
    const world = createWorld();
    world.put('key.txt', `one\n${privateKey}\nlast\n`);
    const { content } = await world.call('read_file', { path: 'key.txt', offset: 5 });
    expect(kept(content)).toContain('[redacted private key]\nlast');
    expect(kept(content)).not.toContain('MIIE');
  });

  test('of a file too large for memory has no half either, at its start and at its end', async () => {
    const world = createWorld();
    const [shape = ''] = secretShapes;
    const [lead, page] = [11_000_000, 1_000_000];
    world.put('large.txt', `${'x '.repeat(lead / 2)}${shape} ${'y'.repeat(page - 10)} ${shape} ${'z '.repeat(200_000)}`);
    for (const from of [lead + 30, lead + shape.length - 20, lead + shape.length + 20]) {
      const { content } = await world.call('read_file', { path: 'large.txt', char_offset: from });
      expect(leaked(kept(content))).toEqual([]);
    }
  });
});

describe('a line that a search finds', () => {
  test('is cut in no half of a secret', async () => {
    const world = createWorld();
    for (const [at, shape] of secretShapes.entries()) {
      world.put(`long-${at}.txt`, `${'w '.repeat(300)}needle ${'v '.repeat(140 + at)}${shape} ${'u '.repeat(300)}\n`);
      world.put(`left-${at}.txt`, `${'w '.repeat(300)}${shape} ${'v '.repeat(20 + at)}needle ${'u '.repeat(300)}\n`);
    }
    const { content } = await world.call('search', { pattern: 'needle' });
    expect(content).toContain('needle');
    expect(leaked(kept(content))).toEqual([]);
  });

  test('is not shown where it is one of a private key', async () => {
    const world = createWorld();
    world.put('notes.txt', `head\n${privateKey}\ntail MIIEpAIBAAKCAQEAMIIEpAIBAAKCAQEA\n`);
    const found = kept((await world.call('search', { pattern: 'MIIE', context: 1 })).content);
    expect(found.match(/MIIE/g)).toHaveLength(2);
    expect(found).toContain('tail MIIE');
    expect(found).toContain('3: [redacted private key]');
  });
});

test('a page of the web has no half of a secret where it is cut, nor one in Markdown', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const pages: Readonly<Record<string, readonly [string, string]>> = {
    '/long': ['text/plain', `${'x '.repeat(200_000 - 10)}${token} rest`],
    '/page': [
      'text/html',
      `<html><body><article><p>${'It is a sentence of words. '.repeat(40)} token_x ${token}</p></article></body></html>`,
    ],
  };
  const server = createServer((request, response) => {
    const [type, body] = pages[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const dial = () => ({ addresses: ['127.0.0.1'], port });
  const web = { resolve: async () => ['93.184.215.14'], dial, proxyFor: () => undefined, allowsLocal: () => false };
  const world = createWorld({ web });
  for (const path of Object.keys(pages)) {
    const { content, ok } = await world.call('fetch_url', { url: `http://pages.test${path}` });
    expect(ok).toBe(true);
    expect(kept(content)).not.toContain('a1B2');
  }
});
