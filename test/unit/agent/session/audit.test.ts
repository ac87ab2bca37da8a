import { expect, test } from 'vitest';
import { auditRecord } from '../../../../src/agent/session/audit.ts';
import type { SanbotEvent } from '../../../../src/domain/event.ts';

const key = `ghp_${'a1B2'.repeat(9)}`;
const about = { at: '2026-03-04T05:06:07.000Z', sessionId: 's1' };

const events: readonly SanbotEvent[] = [
  { type: 'tool_started', toolUseId: 't1', tool: 'run_command', title: `run_command curl -H ${key}` },
  { type: 'warning', message: { en: `it said ${key}`, zh: `它说 ${key}` } },
  { type: 'jobs_ended', jobs: [{ name: 'job-1', command: `curl -H ${key}` }] },
  { type: 'instructions_read', files: [{ path: `notes/${key}.md`, chars: 1, cut: false }] },
];

test.each(events)('no key reaches the audit log, however deep in $type it stands [S-30]', (event) => {
  const written = JSON.stringify(auditRecord(event, about));
  expect(written).toContain('[redacted GitHub token]');
  expect(written).not.toContain('a1B2');
});

test.each(['mysql -pHeron-4711 shop', 'curl -u me:Heron-4711 https://example.com', 'PGPASSWORD=Heron-4711 psql shop'])(
  'nor does what a command is given as a password: %s',
  (command) => {
    const told: readonly SanbotEvent[] = [
      { type: 'tool_started', toolUseId: 't1', tool: 'run_command', title: `run_command ${command}` },
      { type: 'jobs_ended', jobs: [{ name: 'job-1', command }] },
    ];
    for (const event of told) expect(JSON.stringify(auditRecord(event, about))).not.toContain('4711');
  },
);
