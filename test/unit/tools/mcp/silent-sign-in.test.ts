import { expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { NO_RULES } from '../../../../src/tools/command/scrub-env.ts';
import { connectTo, type Login } from '../../../../src/tools/mcp/connection/connect.ts';
import type { SavedSignIn, SignInQuestion } from '../../../../src/tools/mcp/types.ts';
import {
  type HeardRequest,
  type Refusal,
  type Reply,
  type SignInOptions,
  startHttpServer,
  startSignInServer,
} from '../../../support/mcp-http.ts';

type Place = {
  /** Which request gets no answer. */
  readonly silent?: (path: string) => boolean;
  /** What stands on the page where the person would sign in. */
  readonly visit?: (address: URL) => void;
  readonly id?: string;
  readonly options?: SignInOptions;
  /** What the MCP server answers in place of what it ought to. */
  readonly guard?: (request: HeardRequest, reply: Reply | Refusal | undefined) => Reply | Refusal | undefined;
  readonly agree?: boolean;
};

/** A person who signs in where time passes only when somebody is silent. */
async function place({ silent = () => false, visit = (address) => void fetch(address), ...more }: Place = {}) {
  const { id = '0123456789abcdef', options = {}, guard = (_, reply) => reply, agree = true } = more;
  const limits: AbortController[] = [];
  const kept: SavedSignIn[] = [];
  const stop = new AbortController();
  let passes = (): void => limits.at(-1)?.abort(new Error('time'));
  const orSilence = ({ path }: HeardRequest, reply: Reply | Refusal | undefined) => {
    if (!silent(path.replace(/\?.*/, ''))) return reply;
    setImmediate(() => passes());
    return 'hang' as const;
  };
  const signIn = await startSignInServer({ twist: (request, reply) => orSilence(request, reply) ?? reply, ...options });
  const page = await startHttpServer({ guard: (request, url) => orSilence(request, guard(request, signIn.guard(request, url))) });
  const shown: URL[] = [];
  const asked: SignInQuestion[] = [];
  const login: Login = {
    show: (address) => {
      shown.push(address);
      visit(address);
    },
    agree: async (question) => {
      asked.push(question);
      return agree;
    },
  };
  const context = {
    ...{ env: {}, environmentRules: NO_RULES, cwd: '/', kill: () => undefined, platform: process.platform, version: '1' },
    ...{ newId: () => id, resolve: async () => [], proxyFor: () => undefined, tell: () => undefined },
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
    ...{ kept, signIn, page, shown, asked, stop },
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

/** Where the page would send the browser, without going there. */
const wayBack = async (address: URL | undefined): Promise<URL> => {
  const answer = await fetch(address ?? '', { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
};

test('of two sign-ins that are open at once, the answer of one counts nothing for the other', async () => {
  const ids = ['1111111111111111', '2222222222222222'];
  let ready = (): void => undefined;
  const bothShown = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const visit = (): void => void (places.every(({ shown }) => shown.length > 0) && ready());
  const places = await Promise.all(ids.map((id) => place({ id, visit })));
  const [one, two] = places;
  if (one === undefined || two === undefined) throw new Error('two');
  const runs = places.map(({ run }) => run());
  void Promise.allSettled(runs);
  await bothShown;
  const backs = await Promise.all([wayBack(one.shown[0]), wayBack(two.shown[0])]);
  const statusOf = async (at: URL, query: URLSearchParams) => (await fetch(Object.assign(new URL(at), { search: String(query) }))).status;
  const [a, b] = backs;
  const mixed = new URLSearchParams(b.searchParams);
  mixed.set('state', a.searchParams.get('state') ?? '');
  expect([await statusOf(a, b.searchParams), await statusOf(b, a.searchParams)]).toEqual([400, 400]);
  expect(places.map(({ kept }) => kept)).toEqual([[], []]);
  // With the right state, the answer still names who gave it.
  expect(await statusOf(a, mixed)).toBe(200);
  await expect(runs[0]).rejects.toThrow(/came back from .*, where nobody was asked/);
  expect(await statusOf(b, b.searchParams)).toBe(200);
  await (await runs[1])?.close();
  expect([one.kept, two.kept.map(({ tokens }) => tokens.access_token)]).toEqual([[], two.signIn.tokens]);
  expect(one.signIn.heard.filter(({ path }) => path === '/token')).toEqual([]);
});

test('an answer that does not say who gave it, from a server that says that it always does, is refused', async () => {
  const without = async (address: URL): Promise<void> => {
    const back = await wayBack(address);
    back.searchParams.delete('iss');
    await fetch(back);
  };
  const { run, kept, signIn } = await place({ visit: (address) => void without(address) });
  await expect(run()).rejects.toThrow();
  expect([kept, signIn.heard.filter(({ path }) => path === '/token')]).toEqual([[], []]);
});

test('a server that never says who gave the answer is signed in to without', async () => {
  const without = async (address: URL): Promise<void> => {
    const back = await wayBack(address);
    back.searchParams.delete('iss');
    await fetch(back);
  };
  const options = { says: { authorization_response_iss_parameter_supported: undefined } };
  const { run, kept, signIn } = await place({ options, visit: (address) => void without(address) });
  await (await run()).close();
  expect(kept.map(({ tokens }) => tokens.access_token)).toEqual(signIn.tokens);
});

test.each<[string, Record<string, unknown>]>([
  ['of another issuer', { issuer: 'https://other.example' }],
  ['of an issuer with another path', { issuer: undefined }],
])('what a server says of itself as one %s is refused before anybody is asked', async (_, says) => {
  const { run, kept, asked, signIn } = await place({ options: { says } });
  await expect(run()).rejects.toThrow();
  expect([kept, asked, signIn.heard.filter(({ method }) => method === 'POST')]).toEqual([[], [], []]);
});

test.each([
  [false, true, 'you have not agreed'],
  [true, true, 'after re-authentication'],
  [true, false, 'does not match'],
])(
  'of a server that keeps at another origin who signs people in, all addresses are asked about (yes: %j, for it: %j)',
  async (agree, isFor, why) => {
    const elsewhere = await startSignInServer();
    const keeper = await startHttpServer({
      guard: (_, url) => ({
        status: 200,
        body: { resource: `${isFor ? at.page.url : url}/mcp`, authorization_servers: [elsewhere.url], scopes_supported: ['mcp:tools'] },
      }),
    });
    const guard: Place['guard'] = ({ path }, reply) =>
      path === '/mcp' && typeof reply === 'object' && reply.status === 401
        ? { ...reply, headers: { 'www-authenticate': `Bearer resource_metadata="${keeper.url}/.well-known/oauth-protected-resource/mcp"` } }
        : reply;
    const at = await place({ agree, guard });
    // The server itself takes no token of there.
    await expect(at.run()).rejects.toThrow(why);
    expect(at.asked).toMatchObject([{ endpoints: { issuer: elsewhere.url, token: `${elsewhere.url}/token` } }]);
    const posted = elsewhere.heard.filter(({ method }) => method === 'POST').map(({ path }) => path);
    expect([at.kept.length, posted]).toEqual(agree && isFor ? [1, ['/register', '/token']] : [0, []]);
    expect([keeper.heard, at.signIn.heard].flat().filter(({ method }) => method === 'POST')).toEqual([]);
  },
);
