import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { run } from '../support/destructive.ts';

const must = (cwd: string, command: string): void => {
  const { status, stdout, stderr } = run(cwd, `set -e; ${command}`);
  if (status !== 0) throw new Error(`${command}\n${stdout}${stderr}`);
};

const HISTORY = [
  'git init -q -b main; mkdir src; echo one > a.txt; echo b > "src/文 b.txt"; printf "*.tmp\\n" > .gitignore; git add -A; git commit -qm one',
  'git checkout -qb side; echo side > a.txt; git commit -qam side; git checkout -q main; echo main > a.txt; git commit -qam two; git tag v1',
].join('; ');
const IN_HAND = 'echo edit >> a.txt; echo staged > s.txt; git add s.txt; echo new > new.txt; echo x > x.tmp';

/** A program that a repository's settings name: whoever asks git there runs it. */
const TRAP = 'printf "#!/bin/sh\\ntouch \\"$PWD.ran\\"\\n" > ../trap; chmod 755 ../trap';

/** States in which people leave repositories, each made below an empty folder `w`; what stands beside it is the repository's too. */
const situations: Readonly<Record<string, (root: string) => void>> = {
  'on a branch': (root) => must(root, `${HISTORY}; ${IN_HAND}`),
  'with a detached head': (root) => must(root, `${HISTORY}; git checkout -q --detach v1; ${IN_HAND}`),
  'on a branch that is not born': (root) => must(root, `git init -q -b main; ${IN_HAND}`),
  'on a branch with slashes in its name': (root) =>
    must(root, `${HISTORY}; git checkout -qb 'fix/名 a#1' 2>/dev/null || git checkout -qb fix/a#1; ${IN_HAND}`),
  bare: (root) =>
    must(
      root,
      `git init -q --bare -b main; cd ..; git clone -q w seed 2>/dev/null; cd seed; echo one > a.txt; git add -A; git commit -qm one; git push -q origin HEAD`,
    ),
  'of a linked work tree': (root) =>
    must(root, `cd ..; rmdir w; mkdir main; cd main; ${HISTORY}; git worktree add -q ../w -b linked; cd ../w; ${IN_HAND}`),
  'with a submodule': (root) =>
    must(
      root,
      `mkdir ../sub; cd ../sub; ${HISTORY}; cd ../w; ${HISTORY}; git -c protocol.file.allow=always submodule add -q ../sub mod 2>/dev/null; git commit -qm sub; echo in >> mod/a.txt; ${IN_HAND}`,
    ),
  'in a merge': (root) => must(root, `${HISTORY}; git merge side >/dev/null 2>&1 || true; echo new > new.txt`),
  'in a rebase': (root) => must(root, `${HISTORY}; git checkout -q side; git rebase main >/dev/null 2>&1 || true; echo new > new.txt`),
  'in a cherry-pick': (root) => must(root, `${HISTORY}; git cherry-pick side >/dev/null 2>&1 || true; echo new > new.txt`),
  shallow: (root) =>
    must(root, `mkdir ../far; cd ../far; ${HISTORY}; cd ..; rmdir w; git clone -q --depth 1 "file://$PWD/far" w; cd w; ${IN_HAND}`),
  sparse: (root) => must(root, `${HISTORY}; git sparse-checkout set --no-cone '/*' '!src/' >/dev/null 2>&1; echo new > new.txt`),
  'with settings that run programs': (root) =>
    must(
      root,
      `${HISTORY}; ${TRAP}; for key in core.fsmonitor core.sshCommand filter.x.clean filter.x.smudge diff.external core.pager core.hooksPath; do git config $key "$PWD/../trap"; done; echo new > new.txt`,
    ),
  'with an index that is cut': (root) => must(root, `${HISTORY}; ${IN_HAND}; head -c 100 .git/index > i; mv i .git/index`),
  'with an index of another version': (root) =>
    must(root, `${HISTORY}; git update-index --index-version 4; git update-index --split-index; ${IN_HAND}`),
  'with objects that are missing': (root) => must(root, `${HISTORY}; ${IN_HAND}; rm -r .git/objects/[0-7]?`),
  'with objects that are garbage': (root) =>
    must(root, `${HISTORY}; ${IN_HAND}; for f in .git/objects/[0-7]?/*; do chmod u+w $f; echo x > $f; done`),
  'without a head': (root) => must(root, `${HISTORY}; echo new > new.txt; rm .git/HEAD`),
  'with a head that is garbage': (root) => must(root, `${HISTORY}; echo new > new.txt; head -c 300 /dev/urandom > .git/HEAD`),
  'with a file .git that leads nowhere': (root) => writeFileSync(join(root, '.git'), 'gitdir: ../none\n'),
  'with a link for .git': (root) => must(root, `${HISTORY}; mv .git ../real; ln -s ../real .git; echo new > new.txt`),
  'with a lock that was left': (root) => must(root, `${HISTORY}; ${IN_HAND}; touch .git/index.lock .git/HEAD.lock`),
  'with packed references and objects': (root) => must(root, `${HISTORY}; git gc -q; git pack-refs --all; ${IN_HAND}`),
};

/** What a command may do there; each may fail as it likes. */
const commands = [
  'echo more >> a.txt',
  'rm -rf src new.txt',
  'git add -A',
  'git commit -qam work --no-verify',
  'git checkout -q -f main',
  'git reset -q --hard',
  'git clean -qfdx',
  'git stash -q -u',
  'git merge --abort',
  'git rebase --abort',
  'git branch -D side',
  'git tag -d v1',
  'rm -f .git/index .git/HEAD',
  'mv a.txt b.txt; chmod 755 b.txt',
  'git config user.name Other',
  'mkdir -p deep/er; cp a.txt deep/er/',
  'git update-ref -d refs/heads/main',
] as const;

export const repositoryCases = fc.record({
  situation: fc.constantFrom(...Object.keys(situations)),
  steps: fc.uniqueArray(fc.constantFrom(...commands), { minLength: 1, maxLength: 3 }),
});

export const situationNames = Object.keys(situations);

/** The folder in that state. Each is made once below `templates`, and copied with all that stands beside it. */
export function inSituation(name: string, { templates, base }: { readonly templates: string; readonly base: string }): string {
  const template = join(templates, String(situationNames.indexOf(name)), 'base');
  if (!existsSync(template)) {
    mkdirSync(join(template, 'w'), { recursive: true });
    situations[name]?.(join(template, 'w'));
  }
  rmSync(base, { recursive: true, force: true });
  cpSync(template, base, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  // What names its place says the copy's.
  run(base, `grep -rlIF '${template}' . 2>/dev/null | xargs -r -d '\\n' sed -i 's|${template}|${base}|g'`);
  return realpathSync(join(base, 'w'));
}
