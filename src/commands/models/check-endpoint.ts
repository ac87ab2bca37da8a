import { errorKinds, SanbotError } from '../../domain/errors.ts';
import { isLocal } from '../../model/catalog.ts';
import { roughTokens } from '../../model/rough-tokens.ts';
import { openEmbeddings } from '../../runtime/conversation/recall/embeddings.ts';
import type { Environment } from '../../runtime/environment.ts';
import { createModels } from '../../runtime/models/models.ts';
import { hostOf } from '../../runtime/models/providers.ts';
import { isOfflineChosen, type Settings } from '../../runtime/settings.ts';
import { type EndpointCheck, embeddingsFinding, endpointFindings, errorFinding } from './endpoint-text.ts';
import { LOADING_TIMEOUT_MS, noAnswerWithin, tryModel } from './try-model.ts';

const TIMEOUT_MS = 20_000;
const LIST_TIMEOUT_MS = 5_000;

type Checked = EndpointCheck & { readonly exitCode: number };

export async function checkEndpoint(environment: Environment, settings: Settings): Promise<Checked> {
  const [checked, outcome] = await Promise.all([checkModel(environment, settings), tryEmbeddings(environment, settings)]);
  if (outcome === undefined) return checked;
  const { name, result } = outcome;
  const exitCode = typeof result === 'number' ? checked.exitCode : checked.exitCode || errorKinds[result.code].exitCode;
  return { ...checked, findings: [...checked.findings, embeddingsFinding(name, result)], exitCode };
}

async function tryEmbeddings(environment: Environment, settings: Settings) {
  const embedding = settings.config.recall.embeddings;
  if (embedding === null || openEmbeddings(environment, settings) === undefined) return undefined;
  const { model: name } = embedding;
  const signal = environment.deadline(TIMEOUT_MS);
  try {
    const { createEmbed } = await import('../../model/embeddings.ts');
    const [vector] = await createEmbed(environment.env, embedding)(['ok'], signal);
    return { name, result: vector?.length ?? 0 };
  } catch (error) {
    if (error instanceof SanbotError) return { name, result: error };
    if (!signal.aborted) throw error;
    return { name, result: noAnswerWithin(name, TIMEOUT_MS) };
  }
}

/** `exitCode` is 0 unless the model cannot be worked with. */
async function checkModel(environment: Environment, settings: Settings): Promise<Checked> {
  try {
    const { routes, modelName, listModels } = createModels(environment, { settings, countTokens: roughTokens, warn: () => undefined });
    const route = routes.routeOf(modelName);
    if (route.provider === 'offline' && isOfflineChosen(settings)) return { model: null, host: null, findings: [], exitCode: 0 };
    const { env, deadline } = environment;
    const host = hostOf(env, route);
    const trial = await tryModel(environment, settings, host !== undefined && isLocal(host) ? LOADING_TIMEOUT_MS : TIMEOUT_MS);
    const isReached = trial.kind === 'answered' || trial.error.code === 'model_failed';
    const listed = isReached ? await listModels(modelName, deadline(LIST_TIMEOUT_MS)) : [];
    const findings = endpointFindings(trial, { name: route.model, listed });
    const exitCode = trial.kind === 'answered' ? 0 : errorKinds[trial.error.code].exitCode;
    return { model: modelName, host: host ?? null, findings, exitCode };
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    return { model: null, host: null, findings: [errorFinding(error)], exitCode: errorKinds[error.code].exitCode };
  }
}
