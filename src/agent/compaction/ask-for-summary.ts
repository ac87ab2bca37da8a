import type { ModelAnswer } from '../../domain/session/model-answer.ts';
import type { AgentDeps } from '../deps.ts';
import type { ModelRequest } from '../ports/model.ts';

export type SummaryCall = { readonly tokens: number; readonly windowTokens: number; readonly signal: AbortSignal };

/** Asks without a word on the screen, since a summary is not an answer. Rejects as the model does. */
export function askForSummary(
  request: ModelRequest,
  { tokens, windowTokens, signal }: SummaryCall,
  { model, report }: Pick<AgentDeps, 'model' | 'report'>,
): Promise<ModelAnswer> {
  report.emit({ type: 'request', purpose: 'summary', tokens, windowTokens });
  return model.ask(request, {
    signal,
    onText: silent,
    onThinking: silent,
    onRetry: (retry) => report.emit({ type: 'retrying', ...retry }),
  });
}

const silent = () => undefined;
