import type { ModelFacts } from '../../agent/ports/model.ts';
import { configError, resolveConfig } from '../../domain/config/config-layers.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { roughTokens } from '../../model/rough-tokens.ts';
import type { Environment } from '../../runtime/environment.ts';
import { createModels } from '../../runtime/models/models.ts';
import type { Settings } from '../../runtime/settings.ts';
import { configPaths } from '../../store/config-file.ts';

export type Trial = { readonly model: string; readonly aboutWindow: readonly Bilingual[]; readonly aboutTools: readonly Bilingual[] } & (
  | { readonly kind: 'answered'; readonly facts: ModelFacts }
  | { readonly kind: 'failed'; readonly error: SanbotError }
);

export const LOADING_TIMEOUT_MS = 120_000;

/** With a tool, so that a model that takes none says so here. */
const request = {
  system: ['Answer with one word.'],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Say ok.' }] }],
  tools: [{ name: 'noop', description: 'Does nothing. Never call it.', inputSchema: { type: 'object', properties: {} } }],
  maxOutputTokens: 1_024,
  purpose: 'turn',
  retryCount: 0,
} as const;

export async function tryModel(environment: Environment, settings: Settings, timeoutMs = LOADING_TIMEOUT_MS): Promise<Trial> {
  const warnings: Bilingual[] = [];
  const { model, modelName } = createModels(environment, { settings, countTokens: roughTokens, warn: (line) => warnings.push(line) });
  const signal = environment.deadline(timeoutMs);
  await model.fetchFacts?.(modelName, signal);
  const about = { model: modelName, aboutWindow: warnings.splice(0), aboutTools: warnings };
  const failed = (error: SanbotError): Trial => ({ kind: 'failed', error, ...about });
  try {
    const silent = { onText: () => undefined, onThinking: () => undefined, onRetry: () => undefined };
    const answer = await model.ask({ ...request, model: modelName }, { signal, ...silent });
    if (answer.kind !== 'reply')
      return failed(
        new SanbotError('model_failed', {
          en: `${modelName} has no room even for a small request.`,
          zh: `${modelName} 连小请求也放不下。`,
        }),
      );
    return { kind: 'answered', facts: model.facts(modelName), ...about };
  } catch (error) {
    if (signal.aborted) return failed(noAnswerWithin(modelName, timeoutMs));
    if (error instanceof SanbotError) return failed(error);
    throw error;
  }
}

export const noAnswerWithin = (name: string, ms: number): SanbotError =>
  new SanbotError('model_unreachable', {
    en: `${name} did not answer within ${ms / 1_000} s.`,
    zh: `${name} 在 ${ms / 1_000} 秒内没有回答。`,
  });

export const overridingVariables = ['SANBOT_PROVIDER', 'SANBOT_MODEL', 'SANBOT_CONTEXT_WINDOW'] as const;

/** The settings as a settings file with this text would make them, without the project. Throws config_invalid. */
export function settingsWith(text: string, environment: Environment, current: Settings): Settings {
  const env = { ...environment.env, ...Object.fromEntries(overridingVariables.map((name) => [name, undefined])) };
  const path = configPaths(current.home, current.home).user;
  const resolved = resolveConfig([
    { kind: 'file', path, trust: 'user', text },
    { kind: 'env', env },
  ]);
  if (resolved.kind === 'bad') throw configError(resolved.problems);
  return { ...current, ...resolved };
}
