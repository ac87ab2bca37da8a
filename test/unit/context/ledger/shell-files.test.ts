import { expect, test } from 'vitest';
import { filesWrittenBy } from '../../../../src/context/ledger/files/shell-files.ts';

const cases: readonly (readonly [command: string, files: readonly string[]])[] = [
  ['echo hi > out/a.txt', ['out/a.txt']],
  ['echo hi >> "my file.txt" && ls', ['my file.txt']],
  ['npm test > /dev/null 2>&1', []],
  ['npm test 2> err.log', ['err.log']],
  ['npm test > /tmp/scratch.log', []],
  ["cat > src/a.ts <<'EOF'\nif (a > b) { c > d }\nEOF\ntouch b.ts", ['src/a.ts', 'b.ts']],
  ['cat <<A <<B > x.txt\n> no\nA\n> no2\nB\nrm y.txt', ['x.txt', 'y.txt']],
  ["sed -i '' 's/a/b/' lib/c.go", ['lib/c.go']],
  ["sed 's/a/b/' lib/c.go", []],
  ['git mv old.ts new.ts', ['old.ts', 'new.ts']],
  ['sudo cp a.conf /etc/a.conf', ['/etc/a.conf']],
  ['FOO=1 tee -a notes.md < in.txt', ['notes.md']],
  ['rm -rf build/*.js "$HOME/x"', []],
  ['grep "a > b" file.txt', []],
  ['if [ 1 -gt 0 ]; then echo a; fi', []],
  ['apply_patch <<P\n*** Begin Patch\n*** Update File: q/r.py\n*** End Patch\nP', ['q/r.py']],
  ['echo 中文 > 文档/说明.md', ['文档/说明.md']],
  ['', []],
];

for (const [command, files] of cases) {
  test(`${JSON.stringify(command)} writes ${files.length === 0 ? 'no file that can be named' : files.join(' and ')}`, () => {
    expect(filesWrittenBy(command)).toEqual(files);
  });
}
