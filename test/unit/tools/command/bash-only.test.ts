import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../world.ts';

const withoutBash = () => createWorld({ shell: '/bin/sh' });

test.each([
  ['sh -c "exit 7" &> log && echo BUILD-OK', '&>', 'write > log 2>&1'],
  ['a &>> log', '&>>', 'write >> log 2>&1'],
  ['a >& log', '>&', 'write > log 2>&1'],
  ['a |& b', '|&', 'write 2>&1 |'],
  ['[[ 1 -lt 2 ]] && a', '[[', 'write [ "$a" = "$b" ], or case'],
  ['[ a == b ]', '==', 'write [ "$a" = "$b" ]'],
  ['((touch x))', '((', 'write i=$((i + 1)), or [ "$a" -lt "$b" ]'],
  ['echo $((i++))', 'i++', 'write i=$((i + 1)), or [ "$a" -lt "$b" ]'],
  ['for ((i=0;i<3;i++)); do a; done', 'for ((', 'write while [ "$i" -lt 9 ]; do …; i=$((i + 1)); done'],
  ['mkdir src/{a,b}', '{a,b}', 'write each word out'],
  ['ls !(a)', '@(…)', 'write each word out'],
  ["echo hi $'\\'; touch x #'", "$'…'", `write "$(printf '…')"`],
  ['echo $"a"', '$"…"', 'write "…"'],
  ['echo -e a', 'echo -e', "write printf '…\\n'"],
  ['cat <<< a', '<<<', "write printf '%s\\n' … |"],
  ['diff <(a) b', '<(…)', 'use a pipe, or a file'],
  ['x=(a b)', 'x=(…)', 'write set -- a b, and use "$@"'],
  ['x[1]=a', 'x=(…)', 'write set -- a b, and use "$@"'],
  [`echo \${x[1]}`, 'x=(…)', 'write set -- a b, and use "$@"'],
  ['x+=a', '+=', 'write x="$x…"'],
  ['function f { a; }', 'function', 'write name() { …; }'],
  ['source f', 'source', 'write . ./file'],
  ['declare x=1', 'declare', 'write x=…'],
  [`echo \${x//a/b}`, `\${x/a/b}`, 'sed s/a/b/'],
  [`echo \${x:0:2}`, `\${x:0:1}`, 'cut -c1-1'],
  [`echo \${!x}`, `\${!x}`, 'eval'],
  [`echo \${x^^}`, `\${x^}`, 'words of a POSIX sh'],
  [`echo "\${x:-'}"; touch x #'}"`, `"\${x-'…'}"`, 'words of a POSIX sh'],
  ['echo $RANDOM', '$RANDOM', 'words of a POSIX sh'],
  ['case a in a) b;;& esac', ';;&', 'words of a POSIX sh'],
  ['coproc a', 'coproc', 'words of a POSIX sh'],
  ['select x in a; do b; done', 'select', 'words of a POSIX sh'],
  ['time a', 'time', 'words of a POSIX sh'],
  ['a {n}>f', '{n}>', 'words of a POSIX sh'],
  ['a 12>&1', '{n}>', 'words of a POSIX sh'],
  ["cat <<$'E'\nE", "$'…'", 'printf'],
  ['echo "$(a &> b)"', '&>', 'write > log 2>&1'],
])('without bash %j is refused before it runs, with what to write instead', async (command, word, instead) => {
  const world = withoutBash();
  const message = await world.refusal('run_command', { command });
  expect(message).toContain(`there is no bash here, and a POSIX sh does not know ${word}: `);
  expect(message).toContain(instead);
  expect(await world.refusal('run_command', { command, background: true })).toBe(message);
  expect((await createWorld({ shell: '/bin/bash' }).plan('run_command', { command })).kind).toBe('ready');
});

test('without bash what a POSIX sh understands runs', async () => {
  const world = withoutBash();
  const command = `x=a; f() { echo "\${x:-y} \${x#a} $((1 + 2)) $(echo 'b{c,d}')" 2>&1; }; f >out 2>&1; [ -f out ] && grep -c b out; for i in 1 2; do echo "$i"; done; case $x in a|b) echo '[[ &> $'"'x'";; esac; cat <<E
it's \${x} {a,b}
E`;
  const { content } = await world.call('run_command', { command });
  expect(content).toContain("1\n1\n2\n[[ &> $'x'\nit's a {a,b}\n");
  expect(existsSync(join(world.cwd, 'out'))).toBe(true);
});
