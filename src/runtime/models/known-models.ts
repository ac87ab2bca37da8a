import { modelNameText, parseModelName } from '../../domain/config/endpoint-settings.ts';
import { listingsAt } from '../../model/catalog.ts';
import type { Routes } from '../../model/routes.ts';
import type { ProcessState, TimeAndChance } from '../environment.ts';
import type { Settings } from '../settings.ts';
import { hostOf, type Providers } from './providers.ts';

/** The models of an endpoint by the names that they have here. */
export type KnownModels = { readonly endpoint: string; readonly names: readonly string[] };

type Known = { readonly routes: Routes; readonly providers: Pick<Providers, 'listModels'>; readonly modelName: string };

/** Nobody waits longer to see a list. */
const TIMEOUT_MS = 5_000;

/**
 * What can be named here, endpoint by endpoint: the models that the settings name, then those that the endpoint itself lists, then those
 * that the table knows of its host. All endpoints are asked at once. Rejects never; what does not answer in time lists nothing.
 */
export function knownModels(
  environment: Pick<ProcessState & TimeAndChance, 'env' | 'deadline'>,
  { config: { model: settings } }: Settings,
  { routes, providers, modelName }: Known,
  signal: AbortSignal,
): Promise<readonly KnownModels[]> {
  const bounded = AbortSignal.any([signal, environment.deadline(TIMEOUT_MS)]);
  const named = parseModelName(modelName, settings.endpoints);
  const own = settings.provider === 'offline' ? [] : [{ endpoint: undefined, model: null }];
  const others = Object.entries(settings.endpoints).map(([endpoint, { model }]) => ({ endpoint, model }));
  return Promise.all(
    [...own, ...others].map(async ({ endpoint, model }) => {
      // Any name leads to the endpoint; which one makes no difference to its list.
      const route = routes.routeOf(modelNameText({ endpoint, model: model ?? named.model }));
      const listed = await providers.listModels(route, bounded);
      const host = hostOf(environment.env, route);
      const table = host === undefined ? [] : listingsAt(host).map(({ name }) => name);
      const set = [...(named.endpoint === endpoint ? [named.model] : []), ...(model === null ? [] : [model])];
      const names = [...new Set([...set, ...listed, ...table])].map((name) => modelNameText({ endpoint, model: name }));
      return { endpoint: endpoint ?? route.provider, names };
    }),
  );
}
