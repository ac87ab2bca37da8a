import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { provenPaths } from '../../../../src/context/permission/reading-programs.ts';
import { mayRun, ruleTouches } from '../../../../src/context/permission/rules.ts';
import { findShell, shellArgs, shellLanguage } from '../../../../src/tools/command/find-shell.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { afterThisTest } from '../../../support/clean-up.ts';
import { sampleOf, slowRuns } from '../../../support/runs.ts';
import { arbitraryShellText, shellTexts } from '../../../support/shell-texts.ts';

/** Programs that write down how they were called, each in one write, since those of a pipe run at once; those that run others are real. */
function makePrograms(): { readonly root: string; readonly bin: string } {
  const root = mkdtempSync(join(tmpdir(), 'sanbot-parsed-'));
  afterThisTest(() => rmSync(root, { recursive: true, force: true }));
  const bin = join(root, 'bin');
  for (const folder of [bin, join(root, 'cwd'), join(root, 'scripts'), join(root, 'logs')]) mkdirSync(folder);
  for (const name of ['mark', 'a', 'b'])
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nset -- ${name} "$@"; format=; for each; do format="$format%s\\\\0"; done; printf "$format\\\\1" "$@" >>"$LOG"\n`,
      {
        mode: 0o755,
      },
    );
  for (const name of REAL) {
    const real = ['/bin', '/usr/bin'].map((folder) => join(folder, name)).find(existsSync);
    if (real !== undefined) symlinkSync(real, join(bin, name));
  }
  return { root, bin };
}

const REAL =
  `sh bash env xargs find awk sed perl nice timeout nohup setsid stdbuf flock script make git tee cat cp ln chmod base64 split sort
  tar ed chrt taskset setarch prlimit`.split(/\s+/);

/** Runs each of the scripts in $1 by the shell that follows; begun from here each of them would take longer. */
const RUN_EACH = `
root=$1 timeout=$(command -v timeout); shift
ulimit -t 2; cd "$root/cwd"
for script in "$root"/scripts/*; do
  IFS= read -r -d '' text <"$script"
  LOG="$root/logs/\${script##*/}" PATH="$root/bin" "$timeout" -s KILL 5 "$@" "$text" </dev/null >/dev/null 2>&1
done`;

/** How the programs were called, for each text. */
function callsOf(texts: readonly string[], shell: string): readonly (readonly (readonly string[])[])[] {
  const { root } = makePrograms();
  const name = (at: number): string => String(at).padStart(6, '0');
  for (const [at, text] of texts.entries()) writeFileSync(join(root, 'scripts', name(at)), text);
  spawnSync('/bin/bash', ['-c', RUN_EACH, 'bash', root, shell, ...shellArgs(shell)], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
  });
  return texts.map((_, at) => {
    const log = join(root, 'logs', name(at));
    const calls = existsSync(log) ? readFileSync(log, 'utf8').split('\u0001').slice(0, -1) : [];
    return calls.map((call) => call.split('\0').slice(0, -1));
  });
}

const bash = findShell({ cwd: '/nowhere', path: process.env.PATH });
const seed = 20_261_126;
const RULE = { tool: 'run_command', prefix: 'mark' };

test.runIf(process.platform === 'linux' && shellLanguage(bash) === 'bash').each([bash, '/bin/sh'])(
  'whatever %s runs of a command was named beforehand, or the command is unclear [S-09, S-12]',
  async (shell) => {
    const listed = sampleOf(shellTexts);
    const texts = [...listed, ...fc.sample(arbitraryShellText, { numRuns: slowRuns(1_600), seed })];
    const calls = callsOf(texts, shell);
    const passed: string[] = [];
    const differing: unknown[] = [];
    let marked = 0;
    for (const [at, text] of texts.entries()) {
      const parsed = await parseShell(text, shellLanguage(shell));
      const call = { tool: 'run_command', cwd: '/ws', paths: [], command: { text, parsed } };
      const ran = calls[at] ?? [];
      const isMarked = ran.some(([program]) => program === 'mark');
      if (isMarked) marked += 1;
      if (isMarked && !ruleTouches(RULE, call) && !mayRun([RULE], call)) passed.push(text);
      // What is plain is run word for word.
      const named = new Set(parsed.commands.map(({ words }) => JSON.stringify(words)));
      if (parsed.isPlain && ran.some((words) => !named.has(JSON.stringify(words)) && !isIndirect(text))) differing.push([text, ran]);
      expect([text, isMarked && provenPaths(parsed) !== undefined]).toEqual([text, false]);
    }
    expect(passed).toEqual([]);
    expect(differing).toEqual([]);
    expect(marked).toBeGreaterThan(listed.length / 2);
  },
);

/** A program of its own runs what it is told. */
const isIndirect = (text: string): boolean =>
  /\b(?:env|command|exec|builtin|eval|sh|bash|trap|xargs|find|awk|sed|perl|nice|timeout|nohup|setsid|stdbuf|flock|script|make|git|split|sort|tar|ed|chrt|taskset|setarch|prlimit)\b/.test(
    text,
  );
