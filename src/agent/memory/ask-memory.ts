import { fillRequest, type PromptValues } from '../../context/summary/summary-request.ts';
import { AbortedError, errorReason } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { isToolUse, textOf, type Usage } from '../../domain/session/message.ts';
import type { Model } from '../ports/model.ts';
import { buildRequest } from '../request.ts';

export type MemoryRequest = {
  readonly model: Model;
  readonly name: string;
  /** The prompt's text, with the line that parts its system prompt from its user message. */
  readonly prompt: string;
  readonly signal: AbortSignal;
};

export type MemoryAnswer =
  | { readonly kind: 'answer'; readonly text: string; readonly usage: Usage | undefined; readonly costUsd: number | undefined }
  | { readonly kind: 'none'; readonly why: Bilingual; readonly usage?: Usage | undefined; readonly costUsd?: number | undefined };

/** One request without tools. Never rejects: a model that fails is a reason to go by rule. */
export async function askMemory({ model, name, prompt, signal }: MemoryRequest, values: PromptValues): Promise<MemoryAnswer> {
  try {
    const facts = model.facts(name);
    const silent = () => undefined;
    const answer = await model.ask(buildRequest({ purpose: 'memory', model: name, facts, prompt: fillRequest(prompt, values) }), {
      signal,
      onText: silent,
      onThinking: silent,
      onRetry: silent,
    });
    if (answer.kind !== 'reply') return { kind: 'none', why: { en: 'it refused the request', zh: '它拒绝了请求' } };
    const cost = { usage: answer.usage, costUsd: answer.usage === undefined ? undefined : facts.costUsd(answer.usage) };
    if (answer.content.some(isToolUse)) return { kind: 'none', why: { en: 'it called a tool', zh: '它调用了工具' }, ...cost };
    return { kind: 'answer', text: textOf(answer.content), ...cost };
  } catch (error) {
    return { kind: 'none', why: error instanceof AbortedError ? { en: 'its time was over', zh: '已超时' } : errorReason(error) };
  }
}
