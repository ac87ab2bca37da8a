import { expect, test } from 'vitest';
import { ruleTouches } from '../../../../src/context/permission/rules.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';

const covered = async (texts: readonly string[], rule: { readonly tool: string; readonly path?: string; readonly file?: string }) => {
  const found: string[] = [];
  for (const text of texts) {
    const call = { tool: 'run_command', cwd: '/ws', paths: [], command: { text, parsed: await parseShell(text) } };
    if (ruleTouches(rule, call)) found.push(text);
  }
  return found;
};

const naming = `
  cat letters/a | cat ./letters/a | cat src/../letters/a | cat /ws/letters/a | cat Letters/A | cat letters | cat letters/ | cat "letters/a"
  cat l*/a | cat letters/* | cat letter?/a | cat lett[e]rs/a | cat */a | cat {letters,x}/a | cd letters && cat a | cd src; cat ../letters/a
  cat < letters/a | echo x > letters/a | echo x >> letters/b/c | sh -c 'cat letters/a' | sh -c "cd letters; cat a" | cp -r letters x
  tar -cf x.tar letters | tar -cf x.tar -Cletters . | dd if=letters/a | curl -d @letters/a x | git show HEAD:letters/a | grep -r x letters
  python -c "print(open('letters/a').read())" | awk '{print}' letters/a | find letters -type f | env X=1 cat letters/a | x --file=letters/a
  xargs cat <<< letters/a | sed -n 1p letters/a | ln letters/a b | mv letters x | cat -- letters/a
`;
const other = `
  cat a | echo letters/a | git commit -m "about letters" | cat letter/a | cat xletters/a | cat src/letters/a | cd src && cat letters/a | npm run build
  cat lette*.txt | cat /other/letters/a | cat ../letters/a
`;
const listOf = (text: string): readonly string[] =>
  text
    .split(/ \| |\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

test('a rule about a path holds for a command that names it in any spelling, and for no other', async () => {
  for (const tool of ['*', 'run_command', 'read_file']) {
    expect(await covered(listOf(naming), { tool, path: 'letters/**' })).toEqual(listOf(naming));
    expect(await covered(listOf(other), { tool, path: 'letters/**' })).toEqual([]);
  }
});

test('a rule about a file, names with a star, and folders of the home are found too', async () => {
  expect(await covered(['cat a.txt', 'cat ./a.txt', 'cat b.txt'], { tool: '*', file: '/ws/a.txt' })).toEqual(['cat a.txt', 'cat ./a.txt']);
  expect(await covered(['cat k/x.pem', 'cat *.pem', 'cat k/*', 'cat x.txt'], { tool: '*', path: '**/*.pem' })).toEqual([
    'cat k/x.pem',
    'cat *.pem',
    'cat k/*',
  ]);
  expect(await covered(['cat ~/letters/a', 'cat ~/other/a'], { tool: '*', path: '/home/x/letters/**' })).toEqual(['cat ~/letters/a']);
  const home = { tool: '*', path: '/home/x/./**' };
  expect(await covered(['cat ~/letters/a', 'ls ~', 'cat /etc/a'], home)).toEqual(['cat ~/letters/a', 'ls ~']);
});

test('a rule that forbids writing leaves alone what is proven to only read', async () => {
  expect(await covered(['cat letters/a', 'rm letters/a'], { tool: 'write_file', path: 'letters/**' })).toEqual(['rm letters/a']);
});

test('a path that may not be read may not be searched, and edit and write are one', () => {
  const call = { cwd: '/ws', paths: ['/ws/letters/a'], command: undefined };
  const touches = (tool: string, by: string) => ruleTouches({ tool: by, path: 'letters/**' }, { ...call, tool });
  expect([touches('search', 'read_file'), touches('write_file', 'edit_file'), touches('edit_file', 'write_file')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([touches('list_files', 'read_file'), touches('read_file', 'write_file'), touches('fetch_url', 'read_file')]).toEqual([
    false,
    false,
    false,
  ]);
});
