import { describe, expect, test } from 'vitest';
import { says, user } from '../../../support/build.ts';
import { storeOf } from '../files/world.ts';
import { recallIn, session } from './recall-world.ts';

const chatter = (count: number) =>
  Array.from({ length: count }, (_, i) => (i % 2 === 0 ? user(`Anna: what did you do on day ${i}?`) : says(`Ben: nothing much, ${i}`)));

describe('a question in words', () => {
  test('is answered by what follows the same question, though it has none of its words', async () => {
    const made = storeOf();
    session(made, 's1', [...chatter(6), user('Anna: Where will you go camping?'), says('Ben: Up at Heron Lake.'), ...chatter(6)]);
    const { refs } = recallIn(made);
    expect((await refs('Where did Ben go camping?')).slice(0, 2).toSorted()).toEqual(['s1:7', 's1:8']);
    expect(await refs('camping')).toEqual(['s1:7']);
  });

  test('is not answered by the small words that it shares with everything', async () => {
    const made = storeOf();
    session(made, 's1', [...chatter(20), says('Ben: the ferry got a name, she is the Ada')]);
    expect((await recallIn(made).refs('What did you do about the name of the ferry?'))[0]).toBe('s1:21');
  });

  test('about when prefers what has a time, and about what I said what the user said', async () => {
    const made = storeOf();
    session(made, 's1', [
      user('the launch went well, what a launch'),
      says('a launch needs a plan for the launch, and a launch needs care'),
      user('I moved the launch to the 3rd of March'),
      says('noted'),
    ]);
    const { refs } = recallIn(made);
    expect((await refs('When is the launch?'))[0]).toBe('s1:3');
    expect((await refs('What did I say about the launch?')).slice(0, 2).toSorted()).toEqual(['s1:1', 's1:3']);
  });

  test('finds a short remark of the user among long replies that repeat its words', async () => {
    const made = storeOf();
    const reply = 'To pick a deadline for the deployment of a platform, plan the deployment and its deadline. '.repeat(30);
    const talk = Array.from({ length: 60 }, (_, i) => [user(`and what about step ${i}?`), says(`${i} ${reply}`)]).flat();
    session(made, 's1', [...talk.slice(0, 60), user('my deadline for the deployment is the 1st of March'), ...talk.slice(60)]);
    expect(await recallIn(made).refs('What deadline did I set for the deployment of the platform?', { limit: 5 })).toContain('s1:61');
  });

  test('brings no neighbour that a filter leaves out, that stands in the context, or that is of another session or group', async () => {
    const made = storeOf();
    session(made, 's1', [user('Where is the heron?'), says('On the lake.')]).close();
    session(made, 's2', [says('something else'), user('the heron once more')], { group: 'other' }).close();
    const { refs } = recallIn(made);
    const question = 'Where did I see the heron?';
    expect((await refs(question)).toSorted()).toEqual(['s1:1', 's1:2']);
    expect(await refs(question, { role: 'user' })).toEqual(['s1:1']);
    expect(await refs(question, { until: new Date('2100-01-01T00:00:00Z') })).toEqual(['s1:1']);
    expect(await refs(question, { beside: { sessionId: 's1', texts: new Set(['On the lake.']) } })).toEqual(['s1:1']);
    expect((await recallIn(made, 'other').refs(question)).toSorted()).toEqual(['s2:1', 's2:2']);
  });
});
