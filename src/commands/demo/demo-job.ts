export type DemoJob = { readonly files: readonly DemoFile[]; readonly prompts: readonly string[] };
type DemoFile = { readonly path: string; readonly text: string };

export function demoJob(): DemoJob {
  return {
    files: [
      { path: 'logs/server.log', text: serverLog() },
      { path: 'src/orders.ts', text: source('Order', 60) },
      { path: 'src/payments.ts', text: source('Payment', 60) },
      { path: 'src/stock.ts', text: source('Stock', 60) },
      { path: 'notes/plan.md', text: '# Plan\n\n1. Find out why payments time out at night.\n2. Fix it.\n3. Tell the shop.\n' },
    ],
    prompts: [
      'read notes/plan.md',
      'read logs/server.log',
      'search timeout in logs',
      'We decided to keep the retries in src/payments.ts, because the gateway answers late at night.',
      'You must never change anything below vendor/.',
      'read src/payments.ts',
      'read src/orders.ts',
      'edit src/payments.ts: const TIMEOUT_MS = 3000; => const TIMEOUT_MS = 8000;',
      'I prefer small commits with a test each.',
      'read src/stock.ts',
      'search compute in src',
      'write notes/done.md: The timeout is 8 seconds now; the gateway answers within 6 at night.',
      'read src/orders.ts lines 1-60',
      'search PaymentLine in src',
      'read src/payments.ts lines 1-60',
      'list src',
      '我们决定周五上线',
      'search gateway in logs',
      'read src/stock.ts lines 1-60',
      'status',
    ],
  };
}

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
    `// ${name}s of the shop`,
    'const TIMEOUT_MS = 3000;',
    ...Array.from(
      { length: functions },
      (_, i) => `export function compute${name}Line${i}(price: number): number {\n  return price * ${i + 1} + TIMEOUT_MS / ${i + 2};\n}\n`,
    ),
  ].join('\n');

const pad = (n: number): string => n.toString().padStart(2, '0');
