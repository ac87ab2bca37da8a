import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

const said = ({ names, records }: ReturnType<typeof createSandbox>) =>
  records(`sessions/${names('sessions')[0]}/log.jsonl`).find((record) => record.type === 'message');

test('what is piped in is asked with the prompt of --print, after a blank line', async () => {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const { code, err } = await sandbox.run(['-p', '审查这个'], { stdin: '+添加\n-remove\n' });
  expect({ code, told: err.includes('stdin') }).toEqual({ code: 0, told: false });
  expect(JSON.stringify(said(sandbox))).toContain(JSON.stringify('审查这个\n\n+添加\n-remove').slice(1, -1));
});

test('a stdin that is empty leaves the prompt of --print as it is', async () => {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const { code, err } = await sandbox.run(['-p', 'status']);
  expect({ code, told: err.includes('stdin') }).toEqual({ code: 0, told: false });
  expect(said(sandbox)).toMatchObject({ message: { content: [{ type: 'text', text: 'status' }] } });
});
