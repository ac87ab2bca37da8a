/** Homes as long use leaves them behind: sessions with messages, in numbers and sizes that are asked for. The same in each run. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeRecord } from '../../dist/store/files/record-line.js';

const AT = '2026-01-02T03:04:05.000Z';

/** Words of a language of some thousands. */
export const text = (i) => `Message ${i}: ${Array.from({ length: 30 }, (_, n) => `w${((i * 30 + n) * 2_654_435_761) % 4_093}`).join(' ')}.`;

/** What was asked, then calls and their results. */
function messageOf(i) {
  const base = { id: `m${i}`, at: AT };
  if (i === 0) return { ...base, role: 'user', origin: 'user', content: [{ type: 'text', text: text(i) }] };
  const id = `t${Math.ceil(i / 2)}`;
  if (i % 2 === 0) return { ...base, role: 'user', origin: 'tools', content: [{ type: 'tool_result', tool_use_id: id, content: text(i) }] };
  const content = [
    { type: 'text', text: `Now ${i}.` },
    { type: 'tool_use', id, name: 'read_file', input: { path: `src/p${i}.ts` } },
  ];
  return { ...base, role: 'assistant', origin: 'model', model: 'bench', stopReason: 'tool_use', content };
}

const idOf = (n) => `20260102-030405-${n.toString(16).padStart(6, '0')}`;

/** Writes a session of an odd number of messages, since the last is a result. Returns its id. */
export function writeSession(home, cwd, { n = 0, messages = 3 }) {
  const folder = join(home, 'sessions', idOf(n));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const context = { system: 'You are SanBot.', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 };
  const records = [{ type: 'header', n: 0, at: AT, v: 1, sessionId: idOf(n), group: 'main', cwd, model: 'bench', context }];
  for (let i = 0; i < messages - 1 + (messages % 2); i++) records.push({ type: 'message', n: i + 1, at: AT, message: messageOf(i) });
  writeFileSync(join(folder, 'log.jsonl'), Buffer.concat(records.map(encodeRecord)), { mode: 0o600 });
  return idOf(n);
}

/** Writes so many sessions, each with a body of so many bytes. The bodies have holes in the place of bytes: nothing here reads them. */
export function writeSessions(home, cwd, count, bodyBytes = 0) {
  for (let n = 0; n < count; n++) {
    const id = writeSession(home, cwd, { n });
    if (bodyBytes === 0) continue;
    const folder = join(home, 'sessions', id, 'offloaded');
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, `${'0'.repeat(64)}.txt`);
    writeFileSync(path, 'a body', { mode: 0o600 });
    truncateSync(path, bodyBytes);
  }
}

export function writeConfig(home, config) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
}
