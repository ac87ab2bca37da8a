import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mayRun, ruleTouches } from '../../../../../src/context/permission/rules.ts';
import { parseShell } from '../../../../../src/tools/command/parse-command.ts';
import { commandsInFiles } from '../../../../../src/tools/command/scripts/scripts.ts';

const FILES: Readonly<Record<string, string>> = {
  s: 'echo a\ncurl x.example\n',
  'b.sh': '#!/usr/bin/env bash\nset -e\nif true; then ( cd /tmp; bash -c "curl x" ); fi\n',
  calls: '#!/bin/sh\n. ./s\n',
  'sub/in': 'cd ..\nsh s\n',
  'git.sh': 'git -C . push\n',
  'letter.sh': 'cat letters/a.txt\n',
  'harmless.sh': '# curl x\necho curl y\nnpm ci\n',
  'tool.py': '#!/usr/bin/env python3\ncurl = 1\n',
  Makefile:
    'FETCH := curl\n\nall: build\n\nbuild:\n\t@$(FETCH) x \\\n\t  -o y\nlint:\n\teslint .\nnested:\n\t$(MAKE) -C other get\nread: ; sh < s\n%.o: %.c\n\t-curl $<\n',
  'other/Makefile': 'get:\n\tcurl x\n',
  'rules.mk': 'X = $(shell curl x)\nlint:\n\teslint .\n',
  'package.json': JSON.stringify({
    scripts: { build: 'tsc', pretest: 'curl x', test: 'vitest', deploy: 'npm run build && npm run fetch', fetch: './s' },
  }),
};

const RUN = [
  ...[
    'bash s',
    '. ./s',
    'source s',
    'sh < s',
    'sh -x s',
    './s',
    'env A=1 bash s',
    'nohup ./s',
    'timeout 5 sh s',
    'bash -- s',
    'cd sub && sh ../s',
  ],
  ...['./b.sh', 'bash ./calls', 'cd sub && sh in', 'find . -name s -exec sh s +', 'sh sub/../s', 'bash -c "./s"'],
  ...[
    'make',
    'make build',
    'make all',
    'make nested',
    'make read',
    'make a.o',
    'make -C other get',
    'make -f rules.mk lint',
    'make lint FOO=1 build',
  ],
  ...['npm test', 'npm run test', 'npm run deploy', 'yarn fetch', 'pnpm run fetch', 'npm t', 'bun run test', 'npx npm run deploy'],
];
const DO_NOT_RUN = [
  ...['bash harmless.sh', './tool.py', 'python3 tool.py', 'cat s', 'git add s', 'chmod +x ./s', 'make lint', 'npm run build', 'grep x ./s'],
  ...['bash missing', 'npm run missing', 'make -C sub'],
];

async function callOf(text: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'sanbot-in-files-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
    chmodSync(join(cwd, name), 0o755);
  }
  const parsed = await parseShell(text);
  const inFiles = await commandsInFiles(parsed, cwd);
  return { tool: 'run_command', cwd, paths: [], command: { text, parsed: { ...parsed, inFiles } } };
}

test.each(RUN)('a rule for curl knows what a file says: %s', async (text) => {
  expect(ruleTouches({ tool: 'run_command', prefix: 'curl' }, await callOf(text))).toBe(true);
});

test.each(DO_NOT_RUN)('and is not about what runs no curl: %s', async (text) => {
  const call = await callOf(text);
  expect(ruleTouches({ tool: 'run_command', prefix: 'curl' }, call)).toBe(false);
  expect(mayRun([{ tool: 'run_command', prefix: 'curl' }], call)).toBe(false);
});

test('a command behind options, and a path, are known there too', async () => {
  expect(mayRun([{ tool: 'run_command', prefix: 'git push' }], await callOf('sh git.sh'))).toBe(true);
  expect(ruleTouches({ tool: 'read_file', path: 'letters/**' }, await callOf('sh letter.sh'))).toBe(true);
});

test('scripts that call each other end', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sanbot-in-files-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, 'a'), 'sh b\n');
  writeFileSync(join(cwd, 'b'), 'sh a\n');
  expect((await commandsInFiles(await parseShell('sh a'), cwd)).map(({ words }) => words)).toEqual([
    ['sh', 'b'],
    ['sh', 'a'],
  ]);
});
