import { describe, expect, test } from 'vitest';
import { isKeepable } from '../../../../src/context/memory/check-proposal.ts';

describe('an entry that a model proposes', () => {
  test.each([
    ['The user works from Graz.', 'By the way, Graz is my town: I work from there.'],
    ['The user prefers tabs.', 'I prefer tabs. Can you format the file?'],
    ['The staging server is at 10.0.0.5.', 'Staging server: 10.0.0.5, as always.'],
    ['Never deploy on Fridays.', 'We had trouble last week. Never deploy on Fridays.'],
    ['数据库端口是 5433。', '嗯 数据库端口是 5433，你记一下。'],
    ['用户偏好两格缩进。', '我偏好两格缩进。'],
  ])('counts: %s', (entry, message) => {
    expect(isKeepable(entry, message)).toBe(true);
  });

  test.each([
    ['asked', 'The team uses Kafka for events.', 'Does the team use Kafka for events?'],
    ['left open', 'The team goes with Kafka for events.', 'Maybe the team goes with Kafka for events, not sure.'],
    ['denied', 'We use Kafka.', 'We do not use Kafka.'],
    ['only reported', 'The build fails on Windows.', 'The build fails on Windows.'],
    ['only wanted now', 'Fix the failing parser test.', 'Fix the failing parser test.'],
    ['not said', 'The port is 9999.', 'The port is 8080.'],
    ['还没定', '用 Kafka 做队列。', '还没想好要不要用 Kafka 做队列。'],
  ])('does not count when it was %s: %s', (_, entry, message) => {
    expect(isKeepable(entry, message)).toBe(false);
  });
});
