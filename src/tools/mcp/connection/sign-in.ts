import type { Deadline, NewId } from '../../../agent/ports/effects.ts';
import type { McpServerConfig } from '../../../domain/config/mcp-server.ts';
import { AbortedError, errorReason, ReasonError } from '../../../domain/errors.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { visibleLine, visibleText } from '../../place/visible.ts';
import type { SavedSignIn, SignInEndpoints, SignInQuestion, SignIns } from '../types.ts';
import {
  type AuthorizationServer,
  areSame,
  discoverAuthorizationServer,
  endpointsAtIssuer,
  isConfidential,
  metadataOf,
} from './authorization-server.ts';
import { type CallbackServer, openCallbackServer } from './callback-server.ts';
import { library } from './client.ts';
import { type DirectFetch, refusingRedirects } from './direct-fetch.ts';
import { signInReasons } from './sign-in-text.ts';

/** How long a person may take in the browser. */
export const SIGN_IN_MS = 300_000;

export type SignInParts = {
  readonly name: string;
  readonly url: URL;
  /** Reaches what the server may name: the same places as the server itself. */
  readonly fetch: DirectFetch;
  readonly signIns: SignIns;
};

/** A file is for one address: another one that has the same name in the settings gets nothing of it. */
const savedFor = ({ signIns, url }: SignInParts): SavedSignIn | undefined => {
  const saved = signIns.read();
  return saved?.url === url.href ? saved : undefined;
};

/** The token that is kept, renewed when the server no longer takes it. Nobody is asked: where that is needed, the error names the command. */
export function savedSignIn(parts: SignInParts): library.AuthProvider {
  let used: string | undefined;
  return {
    token: async () => {
      used = savedFor(parts)?.tokens.access_token;
      return used;
    },
    onUnauthorized: async () => {
      const saved = savedFor(parts);
      if (saved === undefined) throw new ReasonError(signInReasons.wanted(parts.name));
      // Another process may have renewed it meanwhile, and what it renewed it with counts no more.
      if (saved.tokens.access_token !== used) return;
      await renew(saved, parts).catch((error: unknown) => {
        if (savedFor(parts)?.tokens.access_token !== used) return;
        throw new ReasonError(signInReasons.over(parts.name, inWords(error)));
      });
    },
  };
}

async function renew(saved: SavedSignIn, { fetch, signIns }: SignInParts): Promise<void> {
  const { resource, tokens: old } = saved;
  const { refresh_token: refreshToken } = old;
  if (refreshToken === undefined) throw new ReasonError(signInReasons.notRenewable);
  const fetchFn = sealed(fetch);
  const endpoints = saved.endpoints ?? (await endpointsAtIssuer(saved.issuer, fetchFn));
  if (endpoints === undefined || !isConfidential(endpoints.token)) throw new ReasonError(signInReasons.moved);
  const tokens = sendable(
    await library.refreshAuthorization(saved.issuer, {
      ...{ clientInformation: saved.client, refreshToken, fetchFn, metadata: metadataOf(endpoints) },
      ...(resource !== undefined && { resource }),
    }),
  );
  signIns.write({ ...saved, endpoints, tokens });
}

/** A token is one word of a header. */
function sendable(tokens: SavedSignIn['tokens']): SavedSignIn['tokens'] {
  if (/^[\x21-\x7e]+$/.test(tokens.access_token)) return tokens;
  throw new ReasonError(signInReasons.noToken);
}

/** A code, a secret or a token that is posted stays where it was sent to. */
const sealed = (fetch: DirectFetch): DirectFetch => refusingRedirects(fetch, ({ method = 'GET' }) => method !== 'GET');

export type LoginParts = SignInParts & {
  readonly oauth: NonNullable<McpServerConfig['oauth']>;
  /** Gives the person the address of the page where they sign in. */
  readonly show: (address: URL) => void;
  /** Asks the person; rejects where nobody can be asked. */
  readonly agree: (question: SignInQuestion) => Promise<boolean>;
  readonly newId: NewId;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
};

/** A person signs in anew when the server wants it, in a browser on this machine; what that gives is kept. */
export function signInByBrowser(parts: LoginParts): library.AuthProvider {
  let token: string | undefined;
  return {
    token: async () => token,
    onUnauthorized: async ({ response }) => {
      const state = `${parts.newId()}${parts.newId()}`;
      const callback = await openCallbackServer(state, parts.oauth.callbackPort).catch((error: unknown) => {
        throw new ReasonError(signInReasons.noWayBack(inWords(error)));
      });
      try {
        const saved = await signIn(response, { ...parts, state, callback });
        parts.signIns.write(saved);
        token = saved.tokens.access_token;
      } finally {
        callback.close();
      }
    },
  };
}

type BrowserParts = LoginParts & { readonly state: string; readonly callback: CallbackServer };

async function signIn(challenge: Response, parts: BrowserParts): Promise<SavedSignIn> {
  const { url, callback, signal, deadline } = parts;
  const { resourceMetadataUrl, scope: wanted } = library.extractWWWAuthenticateParams(challenge);
  const scope = parts.oauth.scope ?? wanted;
  const fetchFn = sealed(parts.fetch);
  const server = await discoverAuthorizationServer({ url, resourceMetadataUrl, fetchFn });
  await requireAgreement(server.endpoints, parts);
  const { provider, found } = createProvider(parts, server);
  await library.auth(provider, { ...{ serverUrl: url, fetchFn }, ...(scope !== undefined && { scope }) });
  const limit = deadline(SIGN_IN_MS);
  const answer = await callback.answer(AbortSignal.any([signal, limit])).catch((error: unknown) => {
    if (signal.aborted || !limit.aborted) throw error;
    throw new ReasonError(signInReasons.nobodyCame(SIGN_IN_MS / 60_000));
  });
  if (answer.issuer !== undefined && answer.issuer !== server.endpoints.issuer)
    throw new ReasonError(signInReasons.otherIssuer(visibleLine(answer.issuer, 200)));
  if ('error' in answer) throw new ReasonError(signInReasons.refused(visibleLine(answer.error, 300)));
  const { resource, client } = found();
  if (client === undefined) throw new ReasonError(signInReasons.noServer);
  const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata } = server.discovery;
  const tokens = sendable(
    await library.fetchToken(provider, issuer, {
      ...{ authorizationCode: answer.code, fetchFn, metadata },
      ...(answer.issuer !== undefined && { iss: answer.issuer }),
      ...(resource !== undefined && { resource }),
    }),
  );
  return { url: url.href, issuer, endpoints: server.endpoints, resource, client, tokens };
}

/** A yes is for these addresses; what was agreed to when the person signed in last is not asked again. */
async function requireAgreement(endpoints: SignInEndpoints, parts: BrowserParts): Promise<void> {
  const before = savedFor(parts)?.endpoints;
  if (before !== undefined && areSame(before, endpoints)) return;
  const sendsSecret = parts.oauth.clientSecret !== undefined;
  if (!(await parts.agree({ endpoints, before, sendsSecret }))) throw new ReasonError(signInReasons.notAgreed);
}

/** What the library asks and tells on its way. */
function createProvider({ oauth, callback, state, show }: BrowserParts, { discovery }: AuthorizationServer) {
  let client: SavedSignIn['client'] | undefined;
  let verifier = '';
  let resource: string | undefined;
  const { clientId, clientSecret } = oauth;
  if (clientId !== undefined) client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
  const provider: library.OAuthClientProvider = {
    redirectUrl: callback.address,
    clientMetadata: {
      client_name: 'SanBot',
      redirect_uris: [callback.address],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: (context) => client && { ...client, ...(context !== undefined && { issuer: context.issuer }) },
    saveClientInformation: (given) => {
      if ('redirect_uris' in given && !given.redirect_uris.includes(callback.address)) throw new ReasonError(signInReasons.otherWayBack);
      client = given;
    },
    // Whatever there was, the person is here to sign in anew.
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: (address) => {
      if (!isConfidential(address.href)) throw new ReasonError(signInReasons.noPage(visibleLine(address.href, 200)));
      show(address);
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    // Found and agreed to; the library finds nothing else.
    discoveryState: () => discovery,
    saveDiscoveryState: () => undefined,
    saveResourceUrl: (given) => {
      resource = given;
    },
  };
  return { provider, found: () => ({ client, resource }) };
}

function inWords(error: unknown): Bilingual {
  if (error instanceof AbortedError) throw error;
  return visibleText(errorReason(error), 300);
}
