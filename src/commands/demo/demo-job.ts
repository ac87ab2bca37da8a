import { localize } from '../../domain/language.ts';

/** One reply of the made-up model: what it says, then the tools that it calls. */
export type DemoReply = { readonly text: string; readonly calls?: readonly DemoCall[] };
type DemoCall = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** What is typed, and what the model answers to it; a command is answered by the program. */
export type DemoStep = { readonly typed: string; readonly replies?: readonly DemoReply[] };

export type DemoJob = { readonly files: Readonly<Record<string, string>>; readonly steps: readonly DemoStep[] };

/** So small that a few files fill it. */
export const DEMO_WINDOW = 16_000;

export const demoJob = (): DemoJob => ({
  files: {
    'src/cart.js': 'export const total = (items) =>\n  items.reduce((sum, item) => sum + item.price);\n',
    'src/orders.js': source('Order', 70),
    'src/payments.js': source('Payment', 70),
    'src/stock.js': source('Stock', 70),
    'src/mail.js': source('Mail', 70),
    'logs/server.log': serverLog(),
  },
  steps: [
    {
      typed: localize({ en: 'total([]) throws. Fix it.', zh: 'total([]) 会抛出异常，请修复。' }),
      replies: [
        {
          text: localize({ en: "I'll look at how `total` adds up.", zh: '先看看 `total` 是怎样求和的。' }),
          calls: [{ name: 'search', input: { pattern: 'total', path: 'src' } }, read('src/cart.js')],
        },
        {
          text: localize({
            en: '`reduce` has no start value, so an empty cart throws.',
            zh: '`reduce` 没有初始值，所以购物车为空时会抛出异常。',
          }),
          calls: [{ name: 'edit_file', input: { path: 'src/cart.js', old_string: 'item.price)', new_string: 'item.price, 0)' } }],
        },
        { text: localize({ en: 'Fixed: an empty cart now totals 0.', zh: '已修复：空购物车的总额现在是 0。' }) },
      ],
    },
    {
      typed: localize({ en: 'Payments fail at night. What does the log say?', zh: '付款在夜间失败，日志里怎么说？' }),
      replies: [
        { text: '', calls: [read('logs/server.log')] },
        {
          text: localize({
            en: 'The gateway times out after 3,000 ms, on every 37th order, around the clock.',
            zh: '网关在 3,000 毫秒后超时，每 37 个订单一次，全天都有。',
          }),
        },
      ],
    },
    {
      typed: localize({
        en: 'Never change anything in vendor/. Which files use the timeout?',
        zh: '不要更改 vendor/ 中的任何内容。哪些文件用到了这个超时？',
      }),
      replies: [
        { text: '', calls: ['orders', 'payments', 'stock', 'mail'].map((name) => read(`src/${name}.js`, 130)) },
        { text: localize({ en: 'All four, each with a constant of its own.', zh: '四个文件都用到了，各有一个常量。' }) },
      ],
    },
    { typed: '/context' },
    { typed: '/compact' },
    { typed: '/undo' },
    { typed: '/exit' },
  ],
});

const read = (path: string, limit?: number): DemoCall => ({ name: 'read_file', input: { path, ...(limit !== undefined && { limit }) } });

const serverLog = (): string =>
  Array.from({ length: 2_400 }, (_, i) => {
    const clock = `${pad(Math.floor(i / 100))}:${pad(Math.floor((i % 100) * 0.6))}`;
    const timedOut = i % 37 === 0;
    return timedOut
      ? `${clock} WARN  gateway timeout after 3000 ms, order ${10_000 + i}, retry 1 of 3`
      : `${clock} INFO  order ${10_000 + i} paid in ${120 + (i % 90)} ms`;
  }).join('\n');

const source = (name: string, functions: number): string =>
  [
    'const TIMEOUT_MS = 3000;',
    ...Array.from(
      { length: functions },
      (_, i) => `export function compute${name}Line${i}(price) {\n  return price * ${i + 1} + TIMEOUT_MS / ${i + 2};\n}\n`,
    ),
  ].join('\n');

const pad = (n: number): string => n.toString().padStart(2, '0');
