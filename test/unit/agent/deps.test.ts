import { expect, test } from 'vitest';
import { reportInstructions } from '../../../src/agent/deps.ts';
import type { SanbotEvent } from '../../../src/domain/event.ts';

test('of an instruction file that is too long the person is warned [B-48]', () => {
  const told: SanbotEvent[] = [];
  const emit = (event: SanbotEvent): void => void told.push(event);
  const files = [
    { path: 'AGENTS.md', chars: 32_768, cut: true },
    { path: 'sub/AGENTS.md', chars: 10, cut: false },
  ];
  reportInstructions(emit, files);
  reportInstructions(emit, []);
  expect(told).toEqual([
    { type: 'instructions_read', files },
    {
      type: 'warning',
      message: expect.objectContaining({ en: expect.stringMatching(/^AGENTS\.md is too long: .* first 32768 characters/) }),
    },
  ]);
});
