import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { firstOf, sampleOf } from '../../../support/runs.ts';

const words = async (text: string) => (await parseShell(text)).commands.map((command) => command.words);

describe('a command line', () => {
  test.each([
    ['ls -la', [['ls', '-la']]],
    [`t''ouch "a b"'c' d\\ e`, [['touch', 'a bc', 'd e']]],
    ['a | b && c; d || e\nf', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['a 2>&1 >/dev/null # b', [['a']]],
    ['! a', [['a']]],
    ['a \\\n b', [['a', 'b']]],
  ])('%j is plain, word for word', async (text, expected) => {
    expect(await parseShell(text)).toEqual({ commands: expected.map((each) => ({ words: each })), isPlain: true, hasUnknown: false });
  });

  test.each([
    'echo $x',
    'echo $(b)',
    'echo `b`',
    'echo "$(b)"',
    'echo <(b)',
    'echo $((1))',
    'a > f',
    'a >> f',
    'a < f',
    'a 1<> f',
    'a >| f',
    'a &> f',
    'a >& f',
    'a 12>&1',
    'a <<< f',
    'a << E\nE',
    'A=1',
    'A=1 a',
    'a &',
    '(a)',
    '{ a; }',
    'time a',
    'a |& b',
    'if a; then b; fi',
    'for a in b; do c; done',
    'f() { a; }',
    'echo *',
    'echo a?',
    'echo [ab]',
    'echo {a,b}',
    'echo ~',
    'echo a=~',
    "echo $'a'",
    'echo $"a"',
    '[[ a ]]',
    '((a))',
    'coproc a',
    'declare a=1',
    '',
    '>f',
  ])('%j is not plain', async (text) => {
    const { commands, isPlain } = await parseShell(text);
    expect(isPlain && commands.length > 0).toBe(false);
  });

  test.each([
    ['a $(b c) `d`', ['a', 'b', 'd']],
    [`a "\${x:-$(b)}" <(c)`, ['a', 'b', 'c']],
    ['if a; then b; else c; fi; while d; do e; done', ['a', 'b', 'c', 'd', 'e']],
    ["sh -c 'a; b'", ['sh', 'a', 'b']],
    [`bash -lc "sh -c 'a'"`, ['bash', 'sh', 'a']],
    ['env X=1 sh -ec a', ['env', 'a']],
    ['eval a b', ['eval', 'a']],
    ['su -c a', ['su', 'a']],
    ['a <<E\n$(b)\nE', ['a', 'b']],
    ['f() { a; }', ['a']],
    ['x=$(a) y=(b $(c))', ['a', 'c']],
    ['case $(a) in $(b)) c;; esac', ['a', 'b', 'c']],
    ["bash -c -e 'a'", ['bash', 'a']],
    ['bash -ce a', ['bash', 'a']],
    ['bash -ec -o pipefail -- a', ['bash', 'a']],
    ['ash -c a', ['ash', 'a']],
    ['su --command=a', ['su', 'a']],
    ["watch -n 1 'a; b'", ['watch', 'a', 'b']],
    ["trap 'a; b' EXIT", ['trap', 'a', 'b']],
    ['((a);(b))', ['a', 'b']],
  ])('%j has every program in it found', async (text, programs) => {
    expect((await words(text)).map(([first]) => first).filter((first) => first !== undefined)).toEqual(expect.arrayContaining(programs));
  });

  test.each([
    '$(',
    'a "',
    'if a',
    'a )',
    'eval $x',
    'sh -c $x',
    `\${!x}`,
    `\${x@P}`,
    '$((a[$x]))',
    '[[ -v a ]]',
    '[[ a -lt 2 ]]',
    '((a))',
    'echo $((a + 1))',
    'a[b]=1',
    'a=([b]=1)',
    `echo \${a:b}`,
    `echo \${a[b]}`,
    ...[
      "test -v 'a[$(b)]'",
      "printf -v 'a[$(b)]' c",
      "read 'a[$(b)]'",
      "let 'a[$(b)]'",
      'declare -n a=b',
      'declare -i a=b',
      'compgen -W a',
    ],
    ...[
      'declare "$a"',
      'builtin declare "$a"',
      'unset "$a"',
      'read $a',
      '[ "$a" "$b" ]',
      'test -v "$a"',
      'printf -v "$a" b',
      'getopts a "$b"',
    ],
    ...["x='a[$(b)]'; test -v $x", "PS4='$(a)'", 'for PS4 in a; do b; done', 'printf -v PS4 a', "env 'BASH_FUNC_a%%=() { b; }' c"],
    ...['alias a=b', 'shopt -s expand_aliases', 'set -H', 'set -o history'],
    ...['echo a | sh', 'bash -s <<E\na\nE', '. /dev/stdin <<<a', 'source <(a)', 'bash $x a', 'bash -i -c a', "zsh -c 'a'"],
    // What a POSIX sh runs, and reads in another way.
    ...['sh -c "((a))"', `sh -c "echo $'\\\\'; a #'"`, `dash -c 'echo "\${x:-'\\''}"; a'`, "sh -c 'a &> b'"],
    ...['a\u00a0b', 'a\u3000b', 'a "b"\u2028c'],
    `a ${'b '.repeat(20_000)}`,
  ])('%j is said to hold what is not known', async (text) => {
    expect(await parseShell(text)).toMatchObject({ isPlain: false, hasUnknown: true });
  });

  test.each([
    '[[ -f a && $b == c* ]]',
    '[[ 1 -lt 2 ]]',
    '[[ $# -gt 1 ]]',
    `echo $((1 + 2)) \${a[@]} \${#a[0]} \${!a[@]} \${a:1:2}`,
    'a[0]=1',
    'declare -r a=$b; local c=$(d); export "$e"',
    '[ "$a" = "$b" ] && test -n "$c" && read -r d && wait $! && printf "$e" x',
    'while getopts ab: o "$@"; do f; done',
    'bash --version',
  ])('%j is known, though not plain', async (text) => {
    expect(await parseShell(text)).toMatchObject({ hasUnknown: false });
  });

  test('for a POSIX sh is unknown where only bash understands it', async () => {
    for (const text of ["echo hi $'\\'; touch x #'", '((touch x))', 'a &> b', 'eval "((a))"'])
      expect([text, (await parseShell(text, 'sh')).hasUnknown]).toEqual([text, true]);
    expect(await parseShell('a "$b" && c', 'sh')).toMatchObject({ hasUnknown: false });
  });

  test('of any text whatever is answered, and plain words come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(...'a $(){}[]|&;<>`"\'\\\n#~*?!=-') }), async (text) => {
        const { commands, isPlain, hasUnknown } = await parseShell(text);
        expect(isPlain && hasUnknown).toBe(false);
        if (isPlain) expect(commands.flatMap((command) => command.words)).not.toContain(undefined);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), async (given) => {
        // `bind` of bash runs what it is given at a key, so it is never plain.
        fc.pre(given[0] !== 'bind' && given.every((word) => !word.includes('\0') && word.isWellFormed()));
        const text = given.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(await parseShell(text)).toEqual({ commands: [{ words: given }], isPlain: true, hasUnknown: false });
      }),
    );
  });

  test('of the largest size takes little time, however it is nested', async () => {
    const parts = ['$(', '`', '"', '$((', '<(', '(', '{a,', 'a;', 'sh -c ', 'eval ', `sh -c "`, `\${x:-`, 'case x in ', 'a=1 '];
    for (const part of sampleOf(parts))
      expect((await parseShell(part.repeat(19_000 / part.length))).commands.length).toBeGreaterThanOrEqual(0);
    for (const part of firstOf(['$(', 'sh -c ', 'a;']))
      expect((await parseShell(part.repeat(120_000 / part.length))).hasUnknown).toBe(true);
  });
});

describe('what a command line says of the disk', () => {
  const parts = async (text: string) => {
    const { commands, emptied = [] } = await parseShell(text);
    return { patterns: commands.flatMap(({ patterns }) => [...(patterns?.values() ?? [])]), emptied };
  };

  test.each([
    ['rm *.log', [['*.log']]],
    ['rm "a*"/b?.[ch]', [['a\\*/b?.[ch]']]],
    ['rm data/{a,b*}.txt', [['data/a.txt', 'data/b*.txt']]],
    ['rm ~ ~/x ~/*.y', [['~'], ['~/x'], ['~/*.y']]],
    ['rm $HOME/x "$' + '{HOME}/y z" `pwd`/a "$(pwd)/b" $PWD', [['~/x'], ['~/y z'], ['./a'], ['./b'], ['.']]],
    ['rm $x ~other/y a$HOME {1..3} $(ls)', []],
  ])('the words of %j may stand for these paths', async (text, expected) => {
    expect((await parts(text)).patterns).toEqual(expected);
  });

  test.each([
    ['a > x 2> y >| z &> "w w" >& v', ['x', 'y', 'z', 'w w', 'v']],
    ['{ a; } > x; (b) > y', ['x', 'y']],
    ['a >> x < y <> z 2>&1 >&- > /dev/null', []],
    ['docker exec c sh -c "a > x"', []],
    ["sh -c 'a > x'", ['x']],
  ])('%j empties these files', async (text, expected) => {
    expect((await parts(text)).emptied.map(({ pattern }) => pattern)).toEqual(expected);
  });

  test.each([
    ['cd a && b', ['a']],
    ['cd a; cd ./b; c', ['a/./b']],
    ['cd a || exit; b', ['a']],
    ['(cd a; b); c', ['a', undefined]],
    ['cd a | b; c', [undefined, undefined]],
    ['cd a & b', [undefined]],
    ['if x; then cd a; fi; b', [undefined, null]],
    ['cd $x; b', [null]],
    ['cd - ; b', [null]],
    ['pushd a; b; popd; c', ['a', 'a', null]],
    ['cd; b', ['~']],
    ["cd a; sh -c 'cd b; c'", ['a', 'a/b']],
  ])('%j runs its commands in these folders', async (text, expected) => {
    const ran = (await parseShell(text)).commands.filter(({ words }) => !/^(?:cd|pushd|exit)$/.test(words[0] ?? ''));
    expect(ran.map(({ folder }) => folder)).toEqual(expected);
  });

  test('a text that stands in it is known to the command that reads it', async () => {
    const inputs = async (text: string) => (await parseShell(text)).commands.map(({ input }) => input);
    expect(await inputs('psql <<SQL\ndrop table x;\nSQL')).toEqual(['drop table x;\n']);
    expect(await inputs("psql <<'SQL'\ndrop $x\nSQL")).toEqual(['drop $x\n']);
    expect(await inputs('psql <<< "drop table x"')).toEqual(['drop table x']);
    expect(await inputs('psql <<SQL\ndrop $x\nSQL')).toEqual([undefined]);
  });
});
