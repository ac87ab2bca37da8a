import { describe, expect, test } from 'vitest';
import { createWorld } from './world.ts';

describe('todo', () => {
  test('notes the whole list and says how far it is; the line names what is being done', async () => {
    const world = createWorld();
    const items = [{ text: 'measure 冷启动', status: 'done' }, { text: 'remove the cache', status: 'in_progress' }, { text: 'say so' }];
    expect(await world.ready('todo', { items })).toMatchObject({
      access: 'read',
      place: 'none',
      title: 'todo remove the cache',
      preview: '',
    });
    expect(await world.call('todo', { items })).toMatchObject({
      ok: true,
      content: 'Noted: 1 of 3 items done.',
      note: { en: '1 of 3 items done' },
      todo: [items[0], items[1], { text: 'say so', status: 'pending' }],
    });
    expect(await world.call('todo', { items: [] })).toMatchObject({ ok: true, content: 'The list is empty now.' });
  });

  test('refuses a list that could not be carried word for word in a small window, and says what would do', async () => {
    const world = createWorld();
    expect(await world.refusal('todo', { items: Array.from({ length: 20 }, () => ({ text: 'x'.repeat(150) })) })).toMatch(
      /3000 characters, at most 2000/,
    );
    expect(await world.refusal('todo', { items: Array.from({ length: 31 }, () => ({ text: 'x' })) })).toMatch(
      /"items" must be at most 30 items long/,
    );
    expect(await world.refusal('todo', { items: [{ text: 'x', status: 'maybe' }] })).toMatch(/pending.*in_progress.*done/);
  });
});
