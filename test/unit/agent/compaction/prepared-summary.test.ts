import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createFit } from '../../../../src/agent/fit/fit.ts';
import type { ModelRequest } from '../../../../src/agent/ports/model.ts';
import type { RunHooks } from '../../../../src/agent/ports/tools.ts';
import { SanbotError } from '../../../../src/domain/errors.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import type { ModelAnswer } from '../../../../src/domain/session/model-answer.ts';
import { user } from '../../../support/build.ts';
import { longSession } from '../../../support/long-session.ts';
import { bytesOf, config, firstText, fitted, growTo, made, typesOf, usage, worldAtSoft } from '../../../support/prepared-summary.ts';

import { goodSummary } from '../../../support/summary.ts';

const AHEAD = goodSummary.replace('key decisions', 'what was prepared ahead');
const LATER = goodSummary.replace('key decisions', 'what came later');
const summaries = (requests: readonly ModelRequest[]): number => requests.filter(({ purpose }) => purpose === 'summary').length;

describe('a summary prepared beside the turn', () => {
  test('begins at the soft limit, changes nothing, and is told in one quiet event [B6]', async () => {
    const world = worldAtSoft(() => made(AHEAD));
    const before = bytesOf(world);
    const fit = createFit();
    await fitted(fit, world);
    await world.session.summariser.prepared?.result;
    await fitted(fit, world);
    await fitted(fit, world);
    expect(bytesOf(world)).toBe(before);
    expect(summaries(world.requests)).toBe(1);
    expect(typesOf(world)).toEqual(['context_high', 'summary_prepared']);
    expect(world.session.usage.total.compactionUsage).toEqual(usage);
  });

  test('is what the hard limit takes when nothing else has to leave: no request more, and what came later stays as it is', async () => {
    const world = worldAtSoft(() => made(`${AHEAD}\n\n## Memories\n- facts: the lab is shut on Mondays`), {
      messages: [user('The lab is shut on Mondays.'), ...longSession(4)],
    });
    const fit = createFit();
    await fitted(fit, world);
    const { signal } = new AbortController();
    const later = world.session.context.messages.slice(-6);
    growTo(world, world.limits.hardTokens);
    const newest = world.session.context.messages.at(-1);
    await fit.makeFit(world.session, world.deps, signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(summaries(world.requests)).toBe(1);
    expect(firstText(world)).toContain('what was prepared ahead');
    expect(world.session.context.messages).toEqual(expect.arrayContaining([...later, newest]));
    expect(typesOf(world)).toContain('compacted');
    expect(typesOf(world)).not.toContain('summary_dropped');
    expect(world.store.memories.entries.map(({ text }) => text)).toContain('The lab is shut on Mondays.');
    expect(world.reopened().context).toEqual(world.session.context);
  });

  test.each([{ text: 'Keep the colours.' }, { summary: LATER }])(
    'is not used when a PreCompact hook answers %j, which is asked once, and not for what is made ahead',
    async (answer) => {
      const asked: string[] = [];
      const runHooks: RunHooks = async (event) => {
        asked.push(event);
        return event === 'PreCompact' ? answer : {};
      };
      const world = worldAtSoft((_, n) => made(n === 1 ? AHEAD : LATER), { deps: { person: { runHooks } } });
      await fitted(createFit(), world);
      await world.session.summariser.prepared?.result;
      expect(asked).toEqual([]);
      growTo(world, world.limits.hardTokens);
      await fitted(createFit(), world);
      expect(asked).toEqual(['PreCompact', 'PostCompact', 'SessionStart']);
      expect(firstText(world)).toContain('what came later');
      expect(firstText(world)).not.toContain('what was prepared ahead');
      expect(world.session.summariser.prepared).toBe(undefined);
    },
  );

  test('that is not ready at the hard limit is waited for, and asked for once', async () => {
    let answer = (_: ModelAnswer): void => undefined;
    const world = worldAtSoft(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const fit = createFit();
    await fitted(fit, world);
    growTo(world, world.limits.hardTokens);
    const fitting = fitted(fit, world);
    answer(made(AHEAD));
    await fitting;
    expect(summaries(world.requests)).toBe(1);
    expect(firstText(world)).toContain('what was prepared ahead');
  });

  test('that fails is quiet and changes nothing; the hard limit does what it always does [P8, C85]', async () => {
    const world = worldAtSoft((_, n) =>
      n === 1 ? Promise.reject(new SanbotError('model_failed', sameInBoth('overloaded'))) : made(LATER),
    );
    const before = bytesOf(world);
    const fit = createFit();
    await fitted(fit, world);
    await world.session.summariser.prepared?.result;
    await fitted(fit, world);
    expect(bytesOf(world)).toBe(before);
    expect(typesOf(world)).toEqual(['context_high', 'summary_dropped']);
    growTo(world, world.limits.hardTokens);
    await fitted(fit, world);
    expect(firstText(world)).toContain('what came later');
  });

  test('is not made unless it is wanted, nor where rules would make it', async () => {
    for (const more of [{ config: config(false) }, { canSummarise: false }]) {
      const world = worldAtSoft(() => made(AHEAD), more);
      await fitted(createFit(), world);
      expect(world.requests).toEqual([]);
    }
  });
});
