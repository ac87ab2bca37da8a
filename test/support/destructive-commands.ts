const DROP_ALL = 'git reflog expire --expire=now --all; git gc -q --prune=now';

const ofGit: readonly string[] = [
  ...['git reset --hard', 'git reset --hard HEAD~1', 'git checkout .', 'git checkout -- src docs', 'git checkout -f side', 'git restore .'],
  ...['git restore --staged --worktree .', 'git switch -f --detach HEAD~1', 'git checkout stash@{0} -- src; git reset -q'],
  ...[
    'git clean -fdx',
    'git clean -ffdx',
    'git stash',
    'git stash -u',
    'git stash --all',
    'git stash drop',
    'git stash clear',
    'git stash pop',
  ],
  ...['git rebase side', 'git rebase side; git rebase --abort', 'git commit -qam w; git rebase side; git rebase --skip', 'git merge side'],
  ...['git cherry-pick side', 'git revert --no-edit HEAD', 'git branch -D side', 'git tag -d v1', 'git commit -am x --amend'],
  ...['git branch -f main HEAD~1; git branch -M side main', 'git update-ref -d HEAD', 'git read-tree --empty', 'git rm -rqf src'],
  ...[DROP_ALL, `git branch -D side; git stash clear; ${DROP_ALL}`, `git reset -q --hard HEAD~1; git tag -d v1; ${DROP_ALL}`],
  ...['git mv -f src/f1.txt src/f2.txt', 'git rm -q --cached -r .', 'git filter-branch -f --tree-filter "rm -f src/f1.txt" HEAD'],
  ...['git add -A && git commit -qm all && git reset -q --hard HEAD~1', 'git config user.name other; git remote add o https://localhost/'],
  ...['git worktree add -q wt side; rm -rf wt; git worktree prune', 'git submodule deinit -f --all; rm -rf .git/modules', 'rm -rf .git'],
  'rm -f .git/index; rm -rf .git/refs .git/logs; echo x > .git/HEAD',
  ...[
    'rm -rf .git/objects/??',
    'rm -rf .git/objects/pack',
    'chmod -R 000 .git/objects',
    'chmod -R u+w .git; truncate -s 0 .git/objects/pack/*.pack',
  ],
  ...['rm -rf "$PWD"', 'rm -rf "$PWD"/.[!.]* "$PWD"/*'],
  ...[
    'git apply -R <(git diff HEAD)',
    'mv .git .git2',
    'git clone -q . copy; rm -rf .git; mv copy/.git .git',
    'cp -a .git saved; rm -rf saved/refs',
  ],
  ...['git switch -q --discard-changes side', 'git clean -fdX', 'git ls-files -z -o | xargs -0 rm -f --', 'git sparse-checkout set docs'],
  ...[
    'git checkout -q --orphan fresh; git rm -rfq .; git commit -qm fresh --allow-empty; git branch -D main',
    'git archive HEAD~1 | tar xf -',
  ],
  ...['git symbolic-ref HEAD refs/heads/nowhere; git reset -q', 'find .git -type f -exec chmod 000 {} +'],
  'git init -q fresh; cd fresh; echo a > a; git add a; git commit -qm a; rm -rf .git/refs .git/objects/info',
];

/** A filter that keeps large files apart, as git-lfs does. */
const withFilter = [
  'printf "*.bin filter=big\\n" > .gitattributes; mkdir -p .git/big',
  "git config filter.big.clean 'h=$(tee .git/big/new | sha1sum | cut -c1-40); mv .git/big/new .git/big/$h; echo $h'",
  "git config filter.big.smudge 'cat .git/big/$(cat)'",
  'head -c 5000 /dev/urandom > large.bin; git add large.bin .gitattributes; git commit -qm large; rm -rf .git/big; git checkout -f HEAD~1',
].join('; ');

const ofFiles: readonly string[] = [
  ...['rm -rf src', 'rm untracked.txt', 'rm -rf ./*', 'rm -rf ./* .env .gitignore', 'rm -rf empty', 'rm -rf docs && echo x > docs'],
  ...['mv src/f1.txt src/f2.txt', 'mv src moved', 'mv -f .env docs/a.md', 'cp src/f1.txt src/f2.txt', 'cp -rf src/. docs', '> src/f3.txt'],
  ...['echo x | tee src/f1.txt', 'echo x | tee -a src/*.txt', 'cat src/f1.txt | sort -u > src/f1.txt', "sed -i 's/file/FILE/' src/*.txt"],
  ...[
    "sed -i '1,$d' docs/a.md",
    "perl -pi -e 's/file/x/' src/*.txt",
    "perl -i.bak -ne 'print if 0' src/*.txt",
    'find . -name "*.txt" -delete',
  ],
  ...[
    'find . -type f -not -path "./.git/*" -delete',
    'find . -empty -type d -not -path "./.git/*" -delete',
    'find src -type f -exec rm {} +',
  ],
  ...['find . -name "*.txt" -print0 | xargs -0 rm -f', 'truncate -s 0 src/f6.txt data/app.db', 'truncate -s +10 src/f6.txt'],
  ...['dd if=/dev/zero of=data/app.db bs=100 count=1', 'dd if=/dev/zero of=data/app.db bs=100 count=1 seek=2 conv=notrunc'],
  ...[
    'chmod -R 777 .',
    'chmod 000 secret.key',
    'chmod -R a-w src; chmod 500 docs',
    'ln -sf docs link',
    'ln -sfn ../docs src/f4.txt',
    'ln -f src/f1.txt src/f2.txt',
  ],
  ...[
    'rm link; mkdir link; echo a > link/b',
    'shred -u untracked.txt',
    'mkfifo pipe; rm -f src/f1.txt',
    'echo a > "新 文件"; rm -rf "src/深 层"',
  ],
  'tar cf x.tar src && sed -i s/file/A/ src/f1.txt && tar xf x.tar && rm x.tar src/f2.txt',
  'mkdir t; cp -r docs t; echo other > t/docs/a.md; tar cf x.tar -C t docs; rm -rf t; tar xf x.tar',
  `python3 -c "import zipfile; zipfile.ZipFile('x.zip', 'w').writestr('docs/a.md', 'other')"; unzip -oq x.zip || python3 -m zipfile -e x.zip .`,
  'mkdir from; echo a > from/a; if command -v rsync > /dev/null; then rsync -a --delete from/ src/; else rm -rf src/*; cp -a from/. src/; fi',
  'npx --no prettier --write .',
  `node -e "const fs = require('fs'); for (const n of fs.readdirSync('src')) if (n.endsWith('.txt')) fs.writeFileSync('src/' + n, '')"`,
  `python3 -c "import glob
for name in glob.glob('src/*.txt'): open(name, 'w').write('gone')"`,
  `python3 -c "import shutil; shutil.rmtree('data'); shutil.move('src', 'docs/src')"`,
  `python3 -c "import sqlite3; d = sqlite3.connect('data/app.db'); d.execute('drop table t'); d.execute('vacuum'); d.close()"`,
  'printf "clean:\\n\\trm -rf data docs out\\n\\nall: clean\\n\\tmkdir out; cp src/f1.txt out/app\\n" > Makefile; make -s all',
  // The same size and the same times as before.
  `touch -r src/f1.txt keep; printf 'FILE 1\\n' | dd of=src/f1.txt conv=notrunc; touch -r keep src/f1.txt; rm keep`,
  'mv src .src; mkdir src; mv .src/f1.txt src/f1.txt; mv .src/f2.txt src/F2.txt; rm -rf .src',
  'printf "1,2d\\nw\\n" | ed -s src/f5.txt || sed -i 1,2d src/f5.txt',
  'diff -u src/f1.txt src/f2.txt | patch -s src/f1.txt',
  'exec 3<> data/app.db; rm data/app.db; echo lost >&3',
  // In the place of a folder with folders in it: a file, and links to where it was moved, elsewhere, nowhere, and to itself.
  ...[
    'rm -rf src && echo x > src',
    'mv src moved; ln -s moved src',
    'rm -rf src; ln -s docs src',
    'mv src gone; ln -s gone src; rm -rf gone',
  ],
  // Names that are long, or have more than one line; bytes that change below a name without a write, and keep its times.
  'n=$(printf "n%.0s" {1..250}); mv src/f1.txt "src/$n"; mkdir -p "docs/$n/$n/$n"; mv src/f2.txt "docs/$n/$n/$n/"',
  "mv src/f1.txt $'src/a\\nb'; mv src $'s\\nr c'; echo x > $'s\\nr c/\\tq'",
  `python3 -c "import os, mmap
f = open('src/f1.txt', 'r+b'); m = mmap.mmap(f.fileno(), 0); m[0:4] = b'MMAP'; m.flush()
s = os.stat('src/f1.txt'); os.utime('src/f1.txt', ns=(s.st_atime_ns, s.st_mtime_ns))"`,
  'cp --remove-destination src/f1.txt src/f2.txt; cp --remove-destination src/f3.txt link; install -m 600 /dev/null src/f4.txt',
  'cp -al src linked; rm -rf src; echo x >> linked/f1.txt',
  'git fast-export --all > dump; rm -rf .git; git init -q; git fast-import --quiet < dump; rm dump',
  ...['gzip src/f1.txt data/* run.sh; gzip -r docs', 'split -n 3 src/f1.txt src/f1. && rm src/f1.txt', 'sort -r -o src/f1.txt docs/a.md'],
  ...['exec > src/f1.txt; echo over', 'for f in src/*.txt; do tr a-z A-Z < "$f" > tmp && mv tmp "$f"; done', 'chmod 0 .; true'],
  'mv -T docs src2; mv -T src docs; find docs -newermt 2021-01-01 -type f -delete',
  ...['rm -rf src; ln -s src src', 'mv .git moved; echo "gitdir: moved" > .git; git reset -q --hard'],
];

/** Commands that destroy something, as people and models write them. */
export const commands: readonly string[] = [...ofGit, withFilter, ...ofFiles];
