import { hostMatches } from '../../context/permission/rules.ts';
import { resolveName } from '../../net/addresses.ts';
import { proxyFor } from '../../net/proxy.ts';
import type { Web } from '../../tools/web/download.ts';
import type { Runtime } from '../runtime.ts';

/** How the tools of a session reach the web. */
export const sessionWeb = ({ environment, permissions }: Pick<Runtime, 'environment' | 'permissions'>): Web => ({
  resolve: resolveName,
  dial: (target) => target,
  // Nothing goes round the proxy unchecked, whatever NO_PROXY says.
  proxyFor: (url) => proxyFor(url, { ...environment.env, NO_PROXY: '', no_proxy: '' }),
  allowsLocal: (host) =>
    permissions
      .current()
      .allow.some(
        (rule) => rule.tool === 'fetch_url' && rule.host !== undefined && !rule.host.includes('*') && hostMatches(rule.host, host),
      ),
});
