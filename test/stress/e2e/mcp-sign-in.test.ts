import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { englishProse } from '../../support/english-prose.ts';
import { askModel, callsMcp, resultsOf, worldWith } from '../../support/mcp.ts';
import { browserIn, listen, type SignInOptions, type SignInServer, startHttpServer, startSignInServer } from '../../support/mcp-http.ts';
import type { Sandbox } from '../../support/sanbot.ts';
import { textComes } from '../../support/until.ts';

const echo = callsMcp('mcp__desk__echo', { text: 'x' });

type Place = { readonly world: Sandbox; readonly page: Awaited<ReturnType<typeof startHttpServer>>; readonly signIn: SignInServer };

async function placeWith(options: SignInOptions = {}, setting: Readonly<Record<string, unknown>> = {}): Promise<Place> {
  const signIn = await startSignInServer(options);
  const page = await startHttpServer({ guard: signIn.guard });
  return { world: worldWith({ desk: { url: `${page.url}/mcp`, headers: { 'x-desk': '7' }, ...setting } }), page, signIn };
}

/** At a terminal, where the browser opens by itself, until this is said. */
async function logIn(
  { world }: Pick<Place, 'world'>,
  says = 'You are signed in to desk. It answers, and has 1 tool.',
  { language = 'en', answer = 'y' }: { readonly language?: 'en' | 'zh'; readonly answer?: 'y' | 'n' | 'none' } = {},
) {
  const browser = browserIn(world);
  const env = { ...browser.env, SANBOT_LANGUAGE: language };
  const terminal = await world.runAtTerminal(['mcp', 'login', 'desk'], { env, columns: 400 });
  if (answer !== 'none') {
    await terminal.waitFor(/Sign in there\?|在那里登录？/);
    terminal.send(`${answer}\r`);
  }
  await terminal.waitFor(new RegExp(says.replace(/[.*+?()]/g, '\\$&').replaceAll(' ', '\\s+')));
  return { ...(await terminal.exit), browser, shown: terminal.text() };
}

const tokenFiles = (world: Sandbox): readonly string[] => world.names('mcp').filter((name) => name.endsWith('.token.json'));

describe('an MCP server that wants a sign-in', () => {
  test('says so in one line with the command for it, and the browser opened by that command leads to its tools', async () => {
    const place = await placeWith();
    const before = await askModel(place.world, [echo]);
    expect(resultsOf(before.api)[0]).toContain('it wants you to sign in: sanbot mcp login desk');
    expect(before.ran.err.split('\n').filter((line) => line.includes('MCP server desk'))).toHaveLength(1);
    const { exitCode, browser } = await logIn(place);
    expect(exitCode).toBe(0);
    expect(await textComes(browser.trace, 'SanBot: ')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback 200 SanBot: You are back/);
    expect((await place.world.run(['mcp', 'list'])).out).toContain('not connected, signed in');
    expect(resultsOf((await askModel(place.world, [echo])).api)).toEqual(['echo: x']);
  });

  test('has its token in the home, readable by the owner alone, in no log and sent to no other place', async () => {
    const { world, page, signIn } = await placeWith();
    await logIn({ world });
    const [file = ''] = tokenFiles(world);
    expect(statSync(join(world.home, 'mcp', file)).mode & 0o777).toBe(0o600);
    const { ran, api } = await askModel(world, [echo]);
    const [token = 'none'] = signIn.tokens;
    expect(page.heard.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${token}`, 'x-desk': '7' });
    const logs = [`sessions/${world.names('sessions')[0]}/log.jsonl`, 'context/events.jsonl'].map(world.read);
    expect(`${logs.join('')}${ran.out}${ran.err}${JSON.stringify(api.requests)}`).not.toContain(token);
    // The same name at another address gets nothing of it.
    const other = await startHttpServer({ guard: () => ({ status: 401 }) });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { desk: { url: `${other.url}/mcp` } } }));
    await askModel(world, [echo]);
    expect(other.heard.map(({ headers }) => headers.authorization)).toEqual(other.heard.map(() => undefined));
  });

  test('has an old token renewed without a word, and a sign-in that counts no more told with the command', async () => {
    const { world, signIn } = await placeWith();
    await logIn({ world });
    signIn.expire();
    const renewed = await askModel(world, [echo]);
    expect(resultsOf(renewed.api)).toEqual(['echo: x']);
    expect(renewed.ran.err).not.toContain('MCP server');
    expect(signIn.tokens).toHaveLength(2);
    expect(world.read(`mcp/${tokenFiles(world)[0]}`)).toContain(signIn.tokens[1]);
    signIn.expire('refresh');
    const over = await askModel(world, [echo]);
    expect(resultsOf(over.api)[0]).toMatch(/your sign-in is no longer valid \(.*\): sanbot mcp login desk/);
  });

  test('is signed out of, and a server that is removed leaves no token', async () => {
    const { world } = await placeWith();
    await logIn({ world });
    expect((await world.run(['mcp', 'logout', 'desk'])).out).toContain('You are signed out of desk');
    expect(tokenFiles(world)).toEqual([]);
    expect((await world.run(['mcp', 'logout', 'desk'])).out).toBe('You were not signed in to desk.\n');
    await logIn({ world });
    expect(tokenFiles(world)).toHaveLength(1);
    await world.run(['mcp', 'remove', 'desk']);
    expect(tokenFiles(world)).toEqual([]);
  });

  test('may know its programs beforehand: with an id and a secret of the settings', async () => {
    const client = { id: 'desk-app', secret: 'a-secret-of-the-desk' };
    const place = await placeWith({ client }, { oauth: { clientId: client.id, clientSecret: client.secret } });
    expect(await logIn(place)).toMatchObject({ exitCode: 0 });
    place.signIn.expire();
    expect(resultsOf((await askModel(place.world, [echo])).api)).toEqual(['echo: x']);
  });

  test.each<[string, SignInOptions, string]>([
    ['refuses the person', { denies: true }, 'the sign-in was refused: access_denied'],
    [
      'answers as another one',
      { issuerInAnswer: 'https://other.example' },
      'the browser came back from https://other.example, where nobody was asked',
    ],
    [
      'refuses the person as another one',
      { denies: true, issuerInAnswer: 'https://other.example' },
      'the browser came back from https://other.example',
    ],
    ['takes no program that it does not know', { client: { id: 'a', secret: 'b' } }, 'does not support dynamic client registration'],
  ])('%s: nothing is kept, and the reason is told', async (_, options, why) => {
    const place = await placeWith(options);
    expect(await logIn(place, why)).toMatchObject({ exitCode: 9 });
    expect(tokenFiles(place.world)).toEqual([]);
  });

  test('gets a code sent to no other place than its own', async () => {
    const thief = await listen(() => ({ status: 200, body: {} }));
    const place = await placeWith({ tokenRedirect: `${thief.url}/token` });
    expect(await logIn(place, 'no redirect is followed')).toMatchObject({ exitCode: 9 });
    expect(thief.heard).toEqual([]);
  });
});

describe('where an MCP server has people signed in', () => {
  const client = { id: 'desk-app', secret: 'a-secret-of-the-desk' };
  const oauth = { oauth: { clientId: client.id, clientSecret: client.secret } };
  const noAnswer = { answer: 'none' } as const;

  test('is shown before anything is sent there: with a no nothing is, the secret of the settings least of all', async () => {
    const thief = await listen(() => ({ status: 200, body: { access_token: 'x', token_type: 'Bearer' } }));
    const place = await placeWith({ client, says: { token_endpoint: `${thief.url}/token` } }, oauth);
    const { shown, exitCode } = await logIn(place, 'you have not agreed to where it signs people in', { answer: 'n' });
    expect(exitCode).toBe(9);
    expect(shown).toContain(`where codes and tokens go: ${thief.url}/token`);
    expect(shown).toContain('The client secret of your settings goes to the third of these addresses.');
    expect([thief.heard, place.signIn.heard.map(({ method }) => method).filter((method) => method !== 'GET')]).toEqual([[], []]);
    expect(tokenFiles(place.world)).toEqual([]);
  });

  test('needs a yes that nobody can give in a script without --yes', async () => {
    const { world, signIn } = await placeWith();
    const ran = await world.run(['mcp', 'login', 'desk', '--no-browser']);
    expect([ran.code, ran.err]).toEqual([9, expect.stringContaining('run it at a terminal, or with --yes')]);
    expect(signIn.heard.map(({ method }) => method)).not.toContain('POST');
  });

  test('is asked once, and again when one of the addresses is another', async () => {
    const thief = await listen(() => ({ status: 200, body: { access_token: 'x', token_type: 'Bearer', refresh_token: 'y' } }));
    const says: Record<string, unknown> = {};
    const place = await placeWith({ says });
    await logIn(place);
    place.signIn.expire('refresh');
    expect(await logIn(place, undefined, noAnswer)).toMatchObject({ exitCode: 0 });
    says.token_endpoint = `${thief.url}/token`;
    place.signIn.expire('refresh');
    const { shown } = await logIn(place, 'you have not agreed to where it signs people in', { answer: 'n' });
    expect(shown).toContain('desk has other addresses than those you agreed to');
    expect(shown).toContain(`${thief.url}/token  (was ${place.signIn.url}/token)`);
    expect(thief.heard).toEqual([]);
  });

  test('a token is renewed only at the address that was agreed to, whatever the server says of itself since', async () => {
    const thief = await listen(() => ({ status: 200, body: { access_token: 'x', token_type: 'Bearer' } }));
    const says: Record<string, unknown> = {};
    const place = await placeWith({ says });
    await logIn(place);
    says.token_endpoint = `${thief.url}/token`;
    place.signIn.expire();
    expect(resultsOf((await askModel(place.world, [echo])).api)).toEqual(['echo: x']);
    expect(thief.heard).toEqual([]);
  });

  test('of a sign-in that 0.2.0 kept, a token is renewed at its issuer and nowhere else', async () => {
    const thief = await listen(() => ({ status: 200, body: { access_token: 'x', token_type: 'Bearer' } }));
    const says: Record<string, unknown> = {};
    const { world, signIn } = await placeWith({ says });
    await logIn({ world });
    const asEarlier = (): void => {
      const path = join(world.home, 'mcp', tokenFiles(world)[0] ?? '');
      const { endpoints: _, ...kept } = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify(kept));
      signIn.expire();
    };
    asEarlier();
    expect(resultsOf((await askModel(world, [echo])).api)).toEqual(['echo: x']);
    asEarlier();
    says.token_endpoint = `${thief.url}/token`;
    expect(resultsOf((await askModel(world, [echo])).api)[0]).toContain('where it is renewed was never agreed to');
    expect(thief.heard).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['that names no PKCE', { code_challenge_methods_supported: undefined }, 'does not say that it takes PKCE with S256'],
    ['that takes only plain PKCE', { code_challenge_methods_supported: ['plain'] }, 'does not say that it takes PKCE with S256'],
    ['with a token endpoint that is not encrypted', { token_endpoint: 'http://desk.example/token' }, 'neither https nor on this machine'],
    ['with a page that is not encrypted', { authorization_endpoint: 'http://desk.example/authorize' }, 'neither https nor on this machine'],
    ['that registers programs unencrypted', { registration_endpoint: 'http://desk.example/register' }, 'neither https nor on this machine'],
  ])('a server %s is refused before anybody is asked', async (_, says, why) => {
    const place = await placeWith({ says });
    expect(await logIn(place, why, noAnswer)).toMatchObject({ exitCode: 9 });
    expect(place.signIn.heard.map(({ method }) => method)).not.toContain('POST');
  });
});

describe('in Chinese', () => {
  const inChinese = { env: { SANBOT_LANGUAGE: 'zh' } };

  test.each<[SignInOptions, string]>([
    [{}, '已登录 desk。'],
    [{ denies: true }, 'MCP 服务器 desk 没有响应：登录被拒绝：“access_denied'],
    [{ issuerInAnswer: 'https://other.example' }, '浏览器是从 https://other.example 返回的，而登录并不是在那里进行的'],
    [{ client: { id: 'a', secret: 'b' } }, 'MCP 服务器 desk 没有响应：“'],
    [
      { tokenRedirect: 'https://other.example/token' },
      '它重定向到 https://other.example/token，而带令牌或带你设置的请求头时从不跟随重定向',
    ],
  ])('a sign-in of %j is told at the terminal without an English sentence of its own', async (options, says) => {
    const { shown } = await logIn(await placeWith(options), says, { language: 'zh' });
    expect(englishProse(shown).join('\n')).toBe('');
  });

  test('a server that wants a sign-in, and one that counts no more, are told so with the command, and the model in English', async () => {
    const { world, signIn } = await placeWith();
    const before = await askModel(world, [echo], ['--permission-mode', 'bypass'], inChinese.env);
    expect(resultsOf(before.api)[0]).toContain('it wants you to sign in: sanbot mcp login desk');
    expect(before.ran.err).toContain('MCP 服务器 desk 没有响应：它要求登录：sanbot mcp login desk。');
    const { browser } = await logIn({ world }, '已登录 desk。', { language: 'zh' });
    expect(await textComes(browser.trace, 'SanBot: ')).toContain('SanBot: 已返回。');
    signIn.expire('refresh');
    const over = await askModel(world, [echo], ['--permission-mode', 'bypass'], inChinese.env);
    expect(over.ran.err).toContain('你的登录已失效（');
    expect(englishProse(`${before.ran.err}\n${over.ran.err}`)).toEqual([]);
  });
});

test('signing in to a program, or to a server that asks for none, says that', async () => {
  const page = await startHttpServer();
  const world = worldWith({ desk: { url: `${page.url}/mcp` }, tool: { command: 'true' } });
  expect((await world.run(['mcp', 'login', 'desk'])).out).toBe('desk asks for no sign-in. It answers, and has 1 tool.\n');
  expect(await world.run(['mcp', 'login', 'tool'])).toMatchObject({ code: 2 });
});
