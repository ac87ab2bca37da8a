import { expect, test } from 'vitest';
import type { AskModel, ModelStream } from '../../../../src/agent/ports/model.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { createMeasure } from '../../../../src/context/measure/measure.ts';
import { AbortedError, SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { createAgentWorld, replies, roughCount } from '../../../support/agent-world.ts';

const go = { signal: new AbortController().signal, maxSteps: 5, tools: [] };

/** Turns with a model that does this with its stream before it answers. Notes what was counted and told, in order. */
function talk(meanwhile: (stream: ModelStream, note: (what: string) => void) => void, count = roughCount) {
  const noted: string[] = [];
  const note = (what: string): void => void noted.push(what);
  let isFirstCount = true;
  const measure = createMeasure((text) => {
    if (isFirstCount) note('counted');
    isFirstCount = false;
    return count(text);
  });
  const ask: AskModel = async (_request, stream) => {
    note('asked');
    meanwhile(stream, note);
    note('answered');
    return replies('Done.');
  };
  const world = createAgentWorld({ window: 200_000, deps: { measure, model: { ask } } });
  const emit: typeof world.deps.report.emit = (event) => {
    if (['request', 'text', 'thinking', 'retrying'].includes(event.type)) note(event.type);
    world.deps.report.emit(event);
  };
  const deps = { ...world.deps, report: { ...world.deps.report, emit } };
  return { noted, events: world.events, say: () => runTurn('hello', world.session, deps, go) };
}

test.each<readonly [string, (stream: ModelStream) => void, readonly string[]]>([
  ['while the model is waited for', ({ onWait }) => [onWait?.(), onWait?.()], []],
  ['before the first word', ({ onText }) => onText('Done.'), ['text']],
  ['before the first thought', ({ onThinking }) => onThinking('Hm.'), ['thinking']],
  ['before a retry', ({ onRetry }) => onRetry({ why: sameInBoth('down'), attempt: 1, waitMs: 0 }), ['retrying']],
])('in a new session a request is counted and told once, %s', async (_when, meanwhile, after) => {
  const { noted, say } = talk(meanwhile);
  await say();
  expect(noted).toEqual(['asked', 'counted', 'request', ...after, 'answered']);
});

test('it is told after the answer where nothing came before, and from the second on before it leaves', async () => {
  const { noted, say } = talk(() => undefined);
  await say();
  await say();
  expect(noted).toEqual(['asked', 'answered', 'counted', 'request', 'request', 'asked', 'answered']);
});

test('it is told with what it had in it where it was aborted or failed, before what is kept of the answer', async () => {
  const aborted = talk(({ onText }) => {
    onText('It begins');
    throw new AbortedError();
  });
  await aborted.say();
  const told = talk(() => {
    throw new SanbotError('model_failed', sameInBoth('down'));
  });
  await expect(told.say()).rejects.toThrow('down');
  const whole = talk(() => undefined);
  await whole.say();
  const requestOf = ({ events }: typeof told) => events.filter(({ type }) => type === 'request');
  expect(requestOf(aborted)).toEqual(requestOf(whole));
  expect(requestOf(told)).toEqual(requestOf(whole));
  expect(requestOf(whole)).toHaveLength(1);
});

test('a tokenizer that cannot be loaded fails the turn, and nothing that waits for the model', async () => {
  let tellsOfFailure = false;
  const { say } = talk(
    ({ onWait }) => {
      onWait?.();
      tellsOfFailure = true;
    },
    () => {
      throw new SanbotError('internal', sameInBoth('no vocabulary'));
    },
  );
  await expect(say()).rejects.toThrow('no vocabulary');
  expect(tellsOfFailure).toBe(true);
});
