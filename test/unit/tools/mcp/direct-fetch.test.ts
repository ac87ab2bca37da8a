import { describe, expect, test } from 'vitest';
import { createDirectFetch } from '../../../../src/tools/mcp/direct-fetch.ts';

describe('a server that a project names is reached at a public address only', () => {
  const fetchPublic = createDirectFetch({ named: [] });

  test.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://0177.0.0.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://[::7f00:1]:1/',
    'http://[64:ff9b::7f00:1]:1/',
    'http://[fe80::1]:1/',
    'http://[fd00::1]:1/',
    'http://[2002:7f00:1::]:1/',
    'http://[2001:0:7f00:1::]:1/',
    'http://[2001:20::1]:1/',
    'http://[3fff::1]:1/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:1/',
  ])('not %s', async (url) => {
    await expect(fetchPublic(url)).rejects.toThrow('no public address');
  });

  test('nothing but http and https is asked', async () => {
    await expect(fetchPublic('file:///etc/passwd')).rejects.toThrow('no address of a server');
  });
});
