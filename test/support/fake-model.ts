import type { AskModel, Model, ModelFacts, ModelRequest, ModelStream } from '../../src/agent/ports/model.ts';
import { AbortedError, SanbotError } from '../../src/domain/errors.ts';
import { sameInBoth } from '../../src/domain/language.ts';
import { isText, isThinking, type Usage, usageTotal } from '../../src/domain/session/message.ts';
import type { ModelAnswer } from '../../src/domain/session/model-answer.ts';
import { type CheckOptions, createRequestChecker, type SentRequest } from './check-request.ts';
import { createFakeUsage } from './fake-usage.ts';
import { type FakeAnswer, outline, type Script, type Step, unmet } from './scenario.ts';

export * from './scenario.ts';

export type FakeModelOptions = CheckOptions & { readonly facts?: Partial<ModelFacts> };

export type FakeModel = Model & {
  readonly ask: AskModel;
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[];
  /** Throws when a request was wrong or unexpected, also if somebody caught that error, or when a step was not used. */
  readonly done: () => void;
};

/**
 * A model of a scenario: the steps in order, or a script that decides each. Strict: each request is checked before it is
 * answered, and one that is malformed, unexpected or not as expected fails with its outline.
 */
export function fakeModel(scenario: readonly Step[] | Script, options: FakeModelOptions = {}): FakeModel {
  const checker = createRequestChecker(options);
  const usageFor = createFakeUsage(options.countTokens);
  const requests: ModelRequest[] = [];
  const problems: string[] = [];
  const fail = (why: string, request: ModelRequest): never => {
    problems.push(why);
    throw new Error(`fake model: ${why}\n${outline(request)}`);
  };
  const ask: AskModel = async (request, stream) => {
    if (stream.signal.aborted) throw new AbortedError();
    const n = requests.push(request) - 1;
    const sent = sentRequest(request);
    const wrong = checker.check(sent);
    if (wrong.length > 0) return fail(wrong.join('; '), request);
    const step = typeof scenario === 'function' ? scenario(request, n) : scenario[n];
    if (step === undefined) return fail(`request ${n} was not expected`, request);
    const why = unmet(step.expect, request);
    if (why !== undefined) return fail(`request ${n}: ${why}`, request);
    const answer = await perform(step, { request, stream, usage: (reply) => usageFor(sent, reply) });
    if (answer.kind === 'reply') checker.answered(sent, answer.content);
    return answer;
  };
  const done = (): void => {
    const unused = typeof scenario === 'function' ? 0 : Math.max(0, scenario.length - requests.length);
    if (unused > 0) problems.push(`${unused} of the scenario's steps were not used`);
    if (problems.length > 0) throw new Error(`fake model: ${problems.join('; ')}`);
  };
  return { ask, facts: () => ({ ...defaultFacts(options), ...options.facts }), requests, done };
}

const defaultFacts = ({ windowTokens = 200_000 }: CheckOptions): ModelFacts => ({
  windowTokens,
  assumed: false,
  maxOutputTokens: 8_192,
  costUsd: (usage) => usageTotal(usage) / 1_000_000,
});

const sentRequest = ({ system, tools, messages, maxOutputTokens }: ModelRequest): SentRequest => ({
  system,
  tools,
  messages,
  maxTokens: maxOutputTokens,
});

type Asked = {
  readonly request: ModelRequest;
  readonly stream: ModelStream;
  readonly usage: (content: readonly unknown[]) => Usage;
};

async function perform(step: Step, { request, stream, usage }: Asked): Promise<ModelAnswer> {
  const { answer } = step;
  if (answer.kind === 'reply' && request.purpose === 'turn') show(answer, stream);
  await step.during?.(stream);
  if (answer.kind === 'hangs') await untilAborted(stream.signal);
  if (stream.signal.aborted) throw new AbortedError();
  switch (answer.kind) {
    case 'reply':
      return {
        kind: 'reply',
        content: answer.content,
        stopReason: answer.stopReason,
        model: request.model,
        usage: answer.usage === null ? undefined : (answer.usage ?? usage(answer.content)),
      };
    case 'overflow':
    case 'stale_thinking':
      return answer;
    case 'fails':
      throw new SanbotError(answer.code, sameInBoth(answer.message));
    case 'hangs':
      throw new AbortedError();
    case 'mischief':
      throw new Error(`fake model: only a server can misbehave by ${answer.mischief.how}; use the fake API`);
  }
}

/** In two pieces, so that nobody takes a piece for the whole; nothing after an abort. */
const show = (reply: Extract<FakeAnswer, { kind: 'reply' }>, stream: ModelStream): void => {
  for (const block of reply.content) {
    const text = isText(block) ? block.text : isThinking(block) && typeof block.thinking === 'string' ? block.thinking : '';
    const chars = [...text];
    const half = Math.ceil(chars.length / 2);
    for (const piece of [chars.slice(0, half), chars.slice(half)]) {
      if (piece.length === 0 || stream.signal.aborted) continue;
      (isText(block) ? stream.onText : stream.onThinking)(piece.join(''));
    }
  }
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Listens to nobody: for asking a model where only the answer matters. */
export const quietStream = (signal: AbortSignal = new AbortController().signal): ModelStream => ({
  signal,
  onText: () => undefined,
  onThinking: () => undefined,
  onRetry: () => undefined,
});
