import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source.ts';

/** A command that a list of harmless beginnings would let through. `$M` is a marker that must not appear, `$D` a folder with scripts. */
export type BypassCase = { readonly command: string; readonly acts: boolean };

const shared = join(process.env.SANBOT_TEST_SHARED ?? join(root, '..', 'shared'), 'bypass-corpus.json');

/** The collection beside the project when it is there. */
export const collectedCases: readonly BypassCase[] | undefined = existsSync(shared)
  ? JSON.parse(readFileSync(shared, 'utf8')).cases
  : undefined;

/** Ways to have a payload done by a command that looks as if it did nothing. */
export function generatedCases(): readonly BypassCase[] {
  const payload = 'touch $M';
  const harmless = ['ls', 'cat f', 'git log', 'echo x', 'grep a f', 'find .', 'npm test'];
  const joined = [
    '; P',
    ' && P',
    ' || P',
    '\nP',
    ' & P',
    ' | P',
    ' #\nP',
    ' $(P)',
    ' `P`',
    ' "$(P)"',
    ' <(P)',
    ' "$' + '{x:-$(P)}"',
    ' >$M',
    ' >>$M',
    ' 1<>$M',
    ' >|$M',
    ' <<E\n$(P)\nE\n',
  ];
  const wrappers = [
    'env P',
    'env -i PATH=$PATH P',
    'nice P',
    'timeout 5 P',
    'nohup P',
    'setsid P',
    'stdbuf -o0 P',
    'command P',
    'exec P',
    'eval P',
    "sh -c 'P'",
    "bash -c 'P'",
    'echo | xargs P',
    "find f -exec P ';'",
    "find f -execdir P ';'",
    'awk \'BEGIN{system("P")}\'',
    'A=1 P',
    '(P)',
    '{ P; }',
    'if P; then ls; fi',
    'f() { P; }; f',
    'time P',
    '! P',
    "trap 'P' EXIT",
    'coproc P; wait',
    "printf 'P' | sh",
    "echo 'P' > s; . ./s",
  ];
  const written = [
    'sed -i s/a/b/ f && touch $M',
    "sed -n 'w $M' f",
    "sed --quiet 'w $M' f",
    'sort -o $M f',
    'sort -o$M f',
    'sort --outp=$M f',
    'tee $M <f',
    'dd if=f of=$M',
    'cp f $M',
    'uniq f $M',
    'git log --output=$M',
    'git log --outpu=$M',
    'git diff --no-index --output=$M f /dev/null',
    'git -c alias.x=!P x',
    'git config alias.x !P; git x',
    'tar cf /dev/null f --checkpoint=1 --checkpoint-action=exec=P',
    'xxd f $M',
    'split f $M',
    'curl -so$M file:///etc/hostname',
    'node -e \'require("fs").writeFileSync("$M","")\'',
    'python3 -c \'open("$M","w")\'',
    'perl -e \'open F,">$M"\'',
    'make -f $D/Makefile',
    'make --eval=x:=$(shell\\ P) -n',
    'bash $D/pre.sh',
    '$D/pre.sh',
    'truncate -s0 $M',
    'install f $M',
    'ln f $M',
    'mkdir $M',
  ];
  const spelled = [
    "t''ouch $M",
    'to\\uch $M',
    '"touch" $M',
    "$'touch' $M",
    '/usr/bin/touch $M',
    '/bin/../bin/touch $M',
    'x=touch; $x $M',
    'tou?h $M',
    '{touch,$M}',
    'IFS=,; x=touch,$M; $x',
  ];
  const commands = [...harmless.flatMap((start) => joined.map((end) => start + end)), ...wrappers, ...written, ...spelled];
  return commands.map((command) => ({ command: command.replaceAll(/\bP\b/g, payload), acts: true }));
}

/** What people do all day, with the rule that they would write for it. */
export const controlCases: readonly { readonly command: string; readonly prefix: string }[] = [
  ...[
    'ls',
    'ls -la',
    'ls -1 src',
    'cat f',
    'head -n 3 f',
    'tail -2 f',
    'wc -l f',
    'grep -n a f',
    'find . -name f',
    'sort f',
    'sort -u f',
    'uniq -c f',
    'cut -c 1-2 f',
    'echo done',
    'pwd',
    'stat f',
    'diff f f',
    'sed -n 1,2p f',
    'test -f f',
    'basename a/f',
    "grep -n 'a b' f | wc -l",
    'cat f | sort | uniq -c | head -3',
    'ls 2>/dev/null && echo yes',
  ].map((command) => ({ command, prefix: '' })),
  { command: 'git log --oneline -1', prefix: 'git log' },
  { command: 'git status --short', prefix: 'git status' },
  { command: 'git diff HEAD', prefix: 'git diff' },
  { command: 'make all', prefix: 'make all' },
  { command: 'node scripts/ok.js', prefix: 'node scripts/ok.js' },
];
