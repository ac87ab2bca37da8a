import { openaiEndpoint } from '../../model/openai/endpoint.ts';
import { listServerModels } from '../../model/openai/server-facts.ts';
import { isLoopback } from '../../net/proxy.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { EndpointChoice } from './model-choice.ts';

export type LocalServer = { readonly name: string; readonly title: string; readonly port: number };
export type FoundServer = LocalServer & { readonly endpoint: EndpointChoice; readonly models: readonly string[] };

/** Where these servers listen unless they are told otherwise. */
const localServers: readonly LocalServer[] = [
  { name: 'ollama', title: 'Ollama', port: 11434 },
  { name: 'lmstudio', title: 'LM Studio', port: 1234 },
  { name: 'llamacpp', title: 'llama.cpp', port: 8080 },
  { name: 'vllm', title: 'vLLM', port: 8000 },
];

/** The same, with Ollama where its own variable says that it listens on this machine. */
export function localServersOf(env: Environment['env']): readonly LocalServer[] {
  const [, host = '', port] = /^(?:https?:\/\/)?([^:/]*|\[[^\]]*\])(?::(\d{1,5}))?\/?$/.exec(env.OLLAMA_HOST?.trim() ?? '') ?? [];
  const isHere = host === '' || host === '0.0.0.0' || isLoopback(host);
  return localServers.map((server) =>
    server.name === 'ollama' && isHere && port !== undefined ? { ...server, port: Number(port) } : server,
  );
}

/** On this machine an answer takes milliseconds; nobody waits longer to see a list. */
const TIMEOUT_MS = 1_000;

/** The servers on this machine that list models, all asked at once, without a key. Never rejects. */
export async function findLocalServers(environment: Environment): Promise<readonly FoundServer[]> {
  const signal = environment.deadline(TIMEOUT_MS);
  const found = await Promise.all(
    localServersOf(environment.env).map(async (server) => {
      const baseUrl = `http://127.0.0.1:${server.port}/v1`;
      const endpoint = { name: server.name, provider: 'openai-chat', baseUrl, apiKey: null, apiKeyEnv: null } as const;
      return { ...server, endpoint, models: await listModelsAt(environment, endpoint, signal) };
    }),
  );
  return found.filter(({ models }) => models.length > 0);
}

/** The models that an endpoint lists; none when it lists none, or cannot be reached. Never rejects. */
export const listModelsAt = (environment: Environment, endpoint: EndpointChoice, signal: AbortSignal): Promise<readonly string[]> => {
  const { env, deadline } = environment;
  const settings = { ...endpoint, headers: {}, at: `model.endpoints.${endpoint.name}` };
  return listServerModels({ endpoint: () => openaiEndpoint(env, settings, 'list of models'), env, deadline }, signal);
};
