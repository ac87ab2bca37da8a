import { ReasonError } from '../../../domain/errors.ts';
import { isLoopback } from '../../../net/proxy.ts';
import { visibleLine } from '../../place/visible.ts';
import type { SignInEndpoints } from '../types.ts';
import { library } from './client.ts';
import type { DirectFetch } from './direct-fetch.ts';
import { signInReasons } from './sign-in-text.ts';

/** A server that signs people in, as it was found: where it asks them, and where it takes codes and secrets. */
export type AuthorizationServer = {
  readonly discovery: library.OAuthDiscoveryState & { readonly authorizationServerMetadata: library.AuthorizationServerMetadata };
  readonly endpoints: SignInEndpoints;
};

type Discovery = { readonly url: URL; readonly resourceMetadataUrl: URL | undefined; readonly fetchFn: DirectFetch };

/**
 * Finds out who signs people in to an MCP server. Nothing secret is sent for it. Refuses, with the reason, a server that says nothing of
 * itself, that does not say that it takes PKCE with S256 (as the MCP specification demands of a client), and one with an endpoint that is
 * neither https nor on this machine.
 */
export async function discoverAuthorizationServer({ url, resourceMetadataUrl, fetchFn }: Discovery): Promise<AuthorizationServer> {
  const options = { fetchFn, ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
  const found = await library.discoverOAuthServerInfo(url, options);
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  const shown = visibleLine(authorizationServerUrl, 200);
  if (metadata === undefined) throw new ReasonError(signInReasons.noMetadata(shown));
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) throw new ReasonError(signInReasons.noPkce(shown));
  const endpoints = endpointsIn(metadata);
  const open = addressesOf(endpoints).find(({ address }) => !isConfidential(address));
  if (open !== undefined) throw new ReasonError(signInReasons.notSealed(visibleLine(open.address, 200)));
  const discovery = {
    ...{ authorizationServerUrl, authorizationServerMetadata: metadata },
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: resourceMetadataUrl.href }),
    ...(resourceMetadata !== undefined && { resourceMetadata }),
  };
  return { discovery, endpoints };
}

/**
 * Of a sign-in that 0.2.0 or before kept, only the issuer was agreed to: what it names there and nowhere else is taken. Undefined when it
 * names another place.
 */
export async function endpointsAtIssuer(issuer: string, fetchFn: DirectFetch): Promise<SignInEndpoints | undefined> {
  const metadata = await library.discoverAuthorizationServerMetadata(issuer, { fetchFn });
  return metadata !== undefined && new URL(metadata.token_endpoint).origin === new URL(issuer).origin ? endpointsIn(metadata) : undefined;
}

const endpointsIn = (metadata: library.AuthorizationServerMetadata): SignInEndpoints => ({
  issuer: metadata.issuer,
  authorization: metadata.authorization_endpoint,
  token: metadata.token_endpoint,
  ...(metadata.registration_endpoint !== undefined && { registration: metadata.registration_endpoint }),
  ...(metadata.token_endpoint_auth_methods_supported !== undefined && { authMethods: metadata.token_endpoint_auth_methods_supported }),
});

/** What a person agrees to, in the order in which it is shown. */
const addressesOf = ({ issuer, authorization, token, registration }: SignInEndpoints) =>
  [
    { what: 'issuer', address: issuer },
    { what: 'authorization', address: authorization },
    { what: 'token', address: token },
    ...(registration === undefined ? [] : [{ what: 'registration' as const, address: registration }]),
  ] as const;

/** The same addresses, as they were agreed to. */
export const areSame = (a: SignInEndpoints, b: SignInEndpoints): boolean =>
  a.issuer === b.issuer && a.authorization === b.authorization && a.token === b.token && a.registration === b.registration;

/** What the library needs to renew a token at the place that was agreed to, whatever the server says of itself now. */
export const metadataOf = ({ issuer, authorization, token, authMethods }: SignInEndpoints): library.AuthorizationServerMetadata => ({
  ...{ issuer, authorization_endpoint: authorization, token_endpoint: token, response_types_supported: ['code'] },
  ...(authMethods !== undefined && { token_endpoint_auth_methods_supported: [...authMethods] }),
});

/** What goes there is read by nobody on the way: encrypted, or on this machine. */
export function isConfidential(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}
