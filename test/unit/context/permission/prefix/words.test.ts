import { expect, test } from 'vitest';
import { isInside, isOfKind } from '../../../../../src/context/permission/prefix/covers.ts';

test.each([
  'a',
  'src/a.ts',
  './a',
  '.',
  './...',
  'a b',
  '文件/说明.md',
  'app/(x)/[id].tsx',
  '**/*.ts',
  '.gitignore',
  '.github/x',
  'a..b',
  'v1+2',
  'node@20',
  'a~',
])('%s stays in the folder', (word) => {
  expect(isInside(word)).toBe(true);
});

test.each([
  ...['', '/etc', '~', '~/x', '..', '../x', 'a/../../b', 'a/..', '-x', '+x', '@x', '//host/x', 'a,/etc', 'a,../b', 'a /etc', 'a ~/b'],
  ...[
    '.git',
    '.git/hooks',
    'a/.GIT/config',
    'x=y',
    'a:b',
    'http://x',
    'C:\\x',
    'a\\b',
    '$HOME',
    '`id`',
    'a;b',
    'a|b',
    'a&b',
    '{a,b}',
    'a?',
    '!x',
    '%x%',
  ],
  ...['.*/x', 'a/.*/x', '[.]./x', '.[.]', 'a\nb', 'a\u202eb', "a'b", 'a"b', '<x', '>x'],
])('%s does not', (word) => {
  expect(isInside(word)).toBe(false);
});

test.each([
  ['refs', 'HEAD~2 main..x stash@{0} v1^{} ^main @{u} @ - feature/x', 'a:b :x +x /x ../x @{/x} --x'],
  ['revs', 'HEAD:src/a HEAD main...x', 'HEAD:../x HEAD:/x :/x'],
  ['names', 'origin @scope/a a.b/c', 'a:b x@y:z ../x http://x ./x'],
  ['ids', 'a.py::B::test_c[x-1] a_spec.rb:12 m::n', '/x ../x http://x a.py::../x'],
  ['tasks', ':app:test a', 'a/b CC=x /x'],
  ['resources', 'pods svc,deploy pod/x', 'secrets secret/x pods,secrets a=b'],
  ['routes', 'repos/a/b /user a?b=c&d=1 repos/{owner}/x', '//x http://x a/../b ../x'],
  ['letters', 'czf src tf', 'Ixf xPf F /x'],
  ['filters', '.a[]|.b map({id})', 'env $ENV.x input_filename'],
  ['a|b', 'a b', 'c a|b'],
])('the kind %s', (kind, good, bad) => {
  expect(good.split(' ').filter((word) => !isOfKind(word, kind))).toEqual([]);
  expect(bad.split(' ').filter((word) => isOfKind(word, kind))).toEqual([]);
});
