import { lookup } from 'node:dns/promises';
import { hostMatches } from '../../context/permission/rules.ts';
import { fetchFor } from '../../model/http/send/proxied-fetch.ts';
import type { Web } from '../../tools/web/download.ts';
import type { Runtime } from '../runtime.ts';

/** How the tools of a session reach the web. */
export const sessionWeb = ({ environment, permissions }: Pick<Runtime, 'environment' | 'permissions'>): Web => ({
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  dial: (address, port) => ({ address, port }),
  // Nothing goes round the proxy unchecked, whatever NO_PROXY says.
  proxied: (url) => fetchFor(url, { ...environment.env, NO_PROXY: '', no_proxy: '' }),
  allowsLocal: (host) =>
    permissions
      .current()
      .allow.some(
        (rule) => rule.tool === 'fetch_url' && rule.host !== undefined && !rule.host.includes('*') && hostMatches(rule.host, host),
      ),
});
