import { expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { NO_RULES } from '../../../../src/tools/command/scrub-env.ts';
import { connectTo, type Login } from '../../../../src/tools/mcp/connection/connect.ts';
import type { SavedSignIn } from '../../../../src/tools/mcp/types.ts';
import { type HeardRequest, type Refusal, type Reply, startHttpServer, startSignInServer } from '../../../support/mcp-http.ts';

type Place = {
  /** Which request gets no answer. */
  readonly silent?: (path: string) => boolean;
  /** What stands on the page where the person would sign in. */
  readonly visit?: (address: URL) => void;
};

/** A person who signs in where time passes only when somebody is silent. */
async function place({ silent = () => false, visit = (address) => void fetch(address) }: Place = {}) {
  const limits: AbortController[] = [];
  const kept: SavedSignIn[] = [];
  const stop = new AbortController();
  let passes = (): void => limits.at(-1)?.abort(new Error('time'));
  const orSilence = ({ path }: HeardRequest, reply: Reply | Refusal | undefined) => {
    if (!silent(path.replace(/\?.*/, ''))) return reply;
    setImmediate(() => passes());
    return 'hang' as const;
  };
  const signIn = await startSignInServer({ twist: (request, reply) => orSilence(request, reply) ?? reply });
  const page = await startHttpServer({ guard: (request, url) => orSilence(request, signIn.guard(request, url)) });
  const shown: URL[] = [];
  const login: Login = {
    show: (address) => {
      shown.push(address);
      visit(address);
    },
    agree: async () => true,
  };
  const context = {
    ...{ env: {}, environmentRules: NO_RULES, cwd: '/', kill: () => undefined, platform: process.platform, version: '1' },
    ...{ newId: () => '0123456789abcdef', resolve: async () => [], proxyFor: () => undefined, tell: () => undefined },
    deadline: () => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    },
  };
  const signIns = { read: () => kept.at(-1), write: (given: SavedSignIn) => void kept.push(given), remove: () => false };
  const setting = { name: 'desk', source: 'user', file: 'config.json', config: { url: `${page.url}/mcp` } } as const;
  const connect = connectTo(setting, context, { signIns, login });
  return {
    ...{ kept, signIn, page, shown, stop },
    passing: (then: () => void) => {
      passes = then;
    },
    limit: () => limits.at(-1),
    run: () => connect({ onToolsChanged: () => undefined, onLost: () => undefined }, stop.signal),
  };
}

const STEPS = [
  '/mcp',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/register',
  '/token',
] as const;

test.each(STEPS)(
  'a server that is silent at %s of a sign-in is told in one line, is asked nothing more, and nothing is kept',
  async (step) => {
    const { run, kept, page, signIn } = await place({ silent: (path) => path === step });
    await expect(run()).rejects.toThrow(/^http:\/\/127\.0\.0\.1:\d+ gave no answer within 30 s$/);
    const asked = [...page.heard, ...signIn.heard].filter(({ path }) => path === step);
    expect([asked.length, kept]).toEqual([1, []]);
  },
);

test('nobody who comes back from the browser is told when the time is over', async () => {
  const at = await place({ visit: () => void setImmediate(() => at.limit()?.abort(new Error('time'))) });
  await expect(at.run()).rejects.toThrow('nobody signed in within 5 minutes');
  expect(at.kept).toEqual([]);
});

test('who stops while a token is asked for keeps nothing', async () => {
  const at = await place({ silent: (path) => path === '/token' });
  at.passing(() => at.stop.abort());
  await expect(at.run()).rejects.toThrow(AbortedError);
  expect(at.kept).toEqual([]);
});

test('an answer for another sign-in changes nothing, and the own one still counts', async () => {
  const statuses: number[] = [];
  const strange = async (address: URL): Promise<void> => {
    const back = new URL(address.searchParams.get('redirect_uri') ?? '');
    back.search = String(new URLSearchParams({ state: 'of another sign-in', code: 'stolen', iss: address.origin }));
    statuses.push((await fetch(back)).status);
    statuses.push((await fetch(address)).status);
  };
  const { run, kept, signIn } = await place({ visit: (address) => void strange(address) });
  const connection = await run();
  await connection.close();
  expect(statuses).toEqual([400, 200]);
  expect(kept.map(({ tokens }) => tokens.access_token)).toEqual(signIn.tokens);
  expect(signIn.heard.filter(({ body }) => body.includes('stolen'))).toEqual([]);
});
