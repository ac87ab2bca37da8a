import { expect, test } from 'vitest';
import { menuLines } from '../../../../src/terminal/prompt/prompt-view.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

const item = (name: string, hint: string, detail: string) => ({ insert: name, label: `${name}${hint}`, shortLabel: name, detail });
const items = [
  item('/compact', ' [--preview] [what to keep]', 'summarise older messages now'),
  item('/context', '', 'what fills the window'),
];
const rows = (columns: number) => menuLines({ items, selected: 0 }, { paint: createPaint(false), columns });

test('a menu shows what stands behind a command where there is room for that beside what it does', () => {
  expect(rows(80)).toEqual([
    '❯ /compact [--preview] [what to keep]  summarise older messages now',
    '  /context                             what fills the window',
  ]);
  expect(rows(40)).toEqual(['❯ /compact  summarise older messages now', '  /context  what fills the window']);
  expect(rows(30)).toEqual(['❯ /compact  summarise older m…', '  /context  what fills the wi…']);
});
