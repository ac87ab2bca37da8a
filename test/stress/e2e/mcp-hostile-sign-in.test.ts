import { expect, test } from 'vitest';
import { worldWith } from '../../support/mcp.ts';
import {
  browserIn,
  type HeardRequest,
  listen,
  type Refusal,
  type Reply,
  startHttpServer,
  startSignInServer,
} from '../../support/mcp-http.ts';

const DISCOVERY = '/.well-known/oauth-authorization-server';
const RESOURCE = '/.well-known/oauth-protected-resource/mcp';

/** What a server does to whoever signs in to it; `thief` is the address of another one, which is to hear nothing. */
type Attack = {
  readonly why: RegExp;
  readonly says?: (thief: string) => Record<string, unknown>;
  readonly twist?: (request: HeardRequest, reply: Reply, thief: string) => Reply | Refusal;
  /** What the MCP server itself says of where it has people signed in. */
  readonly resource?: (given: Record<string, unknown>, thief: string) => Reply | Refusal;
  /** Refused before anybody is asked, so that nothing at all was posted. */
  readonly early?: true;
};

const redirected = (reply: Reply, change: (back: URL) => void): Reply => {
  const back = new URL(reply.headers?.location ?? '');
  change(back);
  return { ...reply, headers: { location: back.href } };
};
const at = (path: string, { path: asked }: HeardRequest): boolean => asked.replace(/\?.*/, '') === path;
const answers = (path: string, answer: (reply: Reply, thief: string) => Reply | Refusal): Pick<Attack, 'twist'> => ({
  twist: (request, reply, thief) => (at(path, request) ? answer(reply, thief) : reply),
});
const body = (value: unknown): Reply => ({ status: 200, body: value });
const given = ({ body: value }: Reply): Record<string, unknown> => value as Record<string, unknown>;

const attacks: Readonly<Record<string, Attack>> = {
  'says that it is another one': {
    ...{ early: true, why: /issuer/i },
    says: (thief) => ({ issuer: thief }),
  },
  'is for another resource': {
    ...{ early: true, why: /resource/i },
    resource: (known, thief) => body({ ...known, resource: `${thief}/mcp` }),
  },
  'redirects whoever asks about it in a circle': {
    ...{ early: true, why: /metadata|HTTP 302/ },
    ...answers(DISCOVERY, () => ({ status: 302, headers: { location: DISCOVERY } })),
  },
  'redirects whoever asks about it to another one': {
    ...{ early: true, why: /metadata|HTTP 302/ },
    ...answers(DISCOVERY, (_, thief) => ({ status: 302, headers: { location: `${thief}${DISCOVERY}` } })),
  },
  'never comes to an end with what it says of itself': {
    ...{ early: true, why: /more than|too (?:long|large|much)|MB/i },
    ...answers(DISCOVERY, () => 'endless'),
  },
  'ends the connection': { ...{ early: true, why: /ended|closed|hang up|refused|reset/i }, ...answers(DISCOVERY, () => 'drop') },
  'says what is no JSON': { ...{ early: true, why: /JSON|metadata/ }, ...answers(DISCOVERY, () => body('{{')) },
  'names a page that is none': {
    ...{ early: true, why: /authorization_endpoint|https|javascript|page|URL/ },
    says: () => ({ authorization_endpoint: 'javascript:alert(1)' }),
  },
  'registers another way back': {
    why: /another way back/,
    ...answers('/register', (reply, thief) => ({ ...reply, body: { ...given(reply), redirect_uris: [`${thief}/callback`] } })),
  },
  'redirects a registration': {
    why: /no redirect is followed/,
    ...answers('/register', (_, thief) => ({ status: 307, headers: { location: `${thief}/register` } })),
  },
  'never comes to an end with a registration': { why: /more than|too (?:long|large|much)|MB/i, ...answers('/register', () => 'endless') },
  'leaves out who it is, which it said it would tell': {
    why: /RFC 9207/,
    ...answers('/authorize', (reply) => redirected(reply, (back) => back.searchParams.delete('iss'))),
  },
  'comes back as another one': {
    why: /where nobody was asked/,
    ...answers('/authorize', (reply, thief) => redirected(reply, (back) => back.searchParams.set('iss', thief))),
  },
  'redirects a code to another one': {
    why: /no redirect is followed/,
    ...answers('/token', (_, thief) => ({ status: 308, headers: { location: `${thief}/token` } })),
  },
  'redirects a code in a circle': {
    why: /no redirect is followed/,
    ...answers('/token', () => ({ status: 307, headers: { location: '/token' } })),
  },
  'never comes to an end with a token': { why: /more than|too (?:long|large|much)|MB/i, ...answers('/token', () => 'endless') },
  'gives a token that would be more than one header': {
    why: /no token that can be sent/,
    ...answers('/token', (reply) => ({ ...reply, body: { ...given(reply), access_token: 'a\r\nx-evil: 1' } })),
  },
  'refuses with a page of control characters': {
    why: /refused|nonsense/,
    ...answers('/token', () => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: `nonsense\u001b[2J\n${'x'.repeat(100_000)}` },
    })),
  },
};

test.each(Object.entries(attacks))('a server that %s is refused in one line, and nothing goes elsewhere', async (_, attack) => {
  const thief = await listen(() => ({ status: 200, body: { access_token: 'x', token_type: 'Bearer' } }));
  const says = attack.says?.(thief.url);
  const signIn = await startSignInServer({
    ...(says !== undefined && { says }),
    twist: (request, reply) => attack.twist?.(request, reply, thief.url) ?? reply,
  });
  const page = await startHttpServer({
    guard: (request, url) => {
      const reply = signIn.guard(request, url);
      return at(RESOURCE, request) && typeof reply === 'object' ? (attack.resource?.(given(reply), thief.url) ?? reply) : reply;
    },
  });
  const world = worldWith({ desk: { url: `${page.url}/mcp` } });
  const terminal = await world.runAtTerminal(['mcp', 'login', 'desk', '--yes'], { env: browserIn(world).env, columns: 1_000 });
  const { exitCode } = await terminal.exit;
  const lines = terminal
    .text()
    .split(/\r?\n/)
    .filter((line) => line.startsWith('sanbot: '));
  expect([exitCode, lines]).toEqual([9, [expect.stringMatching(attack.why)]]);
  expect(lines[0]?.length).toBeLessThan(700);
  await terminal.waitForRaw((raw) => !raw.includes('\u001b[2J'));
  expect(thief.heard).toEqual([]);
  if (attack.early === true) expect(signIn.heard.map(({ method }) => method)).not.toContain('POST');
  expect(world.names('mcp').filter((name) => name.endsWith('.token.json'))).toEqual([]);
  expect(page.heard.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([]);
});
