import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { McpServerConfig } from '../../../src/domain/config/mcp-server.ts';
import { hooksSchema } from '../../../src/domain/hook/hook.ts';
import { namedFiles } from '../../../src/runtime/conversation/session-tools.ts';

function folder() {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-named-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, 'scripts'));
  writeFileSync(join(cwd, 'scripts', 'check.sh'), '');
  symlinkSync('scripts/check.sh', join(cwd, 'link.sh'));
  return cwd;
}

const hooksOf = (command: string) => ({ hooks: hooksSchema.parse({ Stop: [command] }) });
const serverOf = (config: McpServerConfig) => [{ name: 'a', config, source: 'project' as const, file: 'x' }];

test.each([
  ['./scripts/check.sh --all', ['scripts/check.sh']],
  ['bash "scripts/check.sh" && node tools/later.mjs', ['scripts/check.sh', 'tools/later.mjs']],
  ['"$CLAUDE_PROJECT_DIR"/scripts/check.sh', ['scripts/check.sh']],
  [`\${CLAUDE_PROJECT_DIR}/.claude/hooks/x.py`, ['.claude/hooks/x.py']],
  [`sh 'my checks/a.sh'`, ['checks/a.sh', 'my checks/a.sh']],
  ['./link.sh', ['link.sh', 'scripts/check.sh']],
  ['npm run lint -- scripts', []],
  ['/bin/sh ../other.sh ~/x.sh .', ['~/x.sh']],
])('of the hook %j', (command, files) => {
  const cwd = folder();
  expect(
    namedFiles(hooksOf(command), [], cwd)
      .map((path) => relative(cwd, path))
      .sort(),
  ).toEqual([...files].sort());
});

test('of a server, from the folder that it runs in', () => {
  const cwd = folder();
  const none = { hooks: hooksSchema.parse({}) };
  expect(namedFiles(none, serverOf({ command: 'node', args: ['./check.sh', '-v'], cwd: 'scripts' }), cwd)).toEqual([
    join(cwd, 'scripts', 'check.sh'),
  ]);
  expect(namedFiles(none, serverOf({ url: 'https://example.com/a.js' }), cwd)).toEqual([]);
});
