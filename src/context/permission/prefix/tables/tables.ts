/**
 * What is known to be harmless behind the beginning of a command: text tables by families of programs, read once, when the first is asked
 * for. A table has one line for each subcommand, `PROGRAM WORDS, OTHER WORDS:`, where `*` stands for any characters; an indented line goes
 * on with the one before. Behind the colon stand, parted by blanks,
 *
 * - options that change nothing but how the program does what it does: `-v`; with a value `-n=`, which may also be the next word; with one
 *   that can only be in the same word `--color[=]`; `-#` for a number. The value is a word or a path in the folder, with `=*` any text, with
 *   `=a|b` one of these. `*` at the end of a name stands for more letters. An option that has several letters and one dash makes all
 *   options of its line whole words; elsewhere short ones may be written together.
 * - `@name`: the options of a group, a line that begins so.
 * - what other words may be, by the kinds of `words.ts`, the last one for all that follow; files without any.
 * - `!word` and `!-o` for words and options without a value of which is known that they do harm.
 *
 * What stands on a line holds for the lines of its subcommands too. A line that ends in `--` is for what comes behind these.
 *
 * A line says what is harmless whatever its words are, and promises nothing of what a project's own files do. Options and subcommands that
 * do harm are left out; what is left out asks.
 */

import { lazily } from '../../../../domain/value/word-list.ts';
import { type OptionLine, readOptionTables } from '../option-table.ts';
import { BUILDS } from './builds.ts';
import { GIT } from './git.ts';
import { JAVASCRIPT, LANGUAGES } from './languages.ts';
import { REMOTE } from './remote.ts';

/**
 * From the manual pages of coreutils 9.1, tar 1.34, zip 3, unzip 6, gzip 1.12, procps 4 and jq 1.6. Left out is what runs a program (`--to-command`,
 * `-I`, `-TT`), reads names or words from a file (`-T`, `-f`), or leaves the folder (`-C`, `-P`).
 */
export const EVERYDAY = `
mkdir: -p --parents -v --verbose -m=* files
rmdir: -p --parents -v --verbose --ignore-fail-on-non-empty files
touch: -a -c --no-create -m -d=* --date=* -t=* files
rm: -f --force -r -R --recursive -v --verbose -d --dir -i -I files
mv: -n --no-clobber -v --verbose -f --force -u -i -T files
cp: -r -R --recursive -a --archive -p -v --verbose -n --no-clobber -f --force -u -i -d -T -L -P files
ln: -s --symbolic -v --verbose -n -T -f files
chmod: -R --recursive -v --verbose -c -f text files
truncate: -s= --size= -c files
tar: -c -x -t -z -j -J -v -f= -k -O -p -m -h --create --extract --list --gzip --bzip2 --xz --zstd --verbose --file= --exclude=* --keep-old-files
  --strip-components= --no-same-owner --no-same-permissions --to-stdout --wildcards --sort=name letters files
zip: -# -1 -9 -r -q -v -j -y -x=* files
unzip: -l -q -o -n -t -v -j -p -Z -d= files
gzip, gunzip, zcat, xz, unxz, bzip2, bunzip2, zstd: -# -c -d -k -f -l -t -v -q files
ps: -e -f -A -a -x -l -w -F -L -o=* -p= -u= -C= --forest --sort=* --no-headers --ppid= words
jq: -r -c -n -s -e -S -j -a -M -C --raw-output --compact-output --null-input --slurp --exit-status --sort-keys --join-output --tab --indent= filters files
yq, yq e, yq eval: -r -P -o= -p= -N -M -C -e -j --output-format= --input-format= filters files
sleep: words
convert, magick, mogrify, ffmpeg: none
brew list, brew info, brew search, brew outdated, apt list, apt show, apt search, apt-cache show, dnf list, dnf info: --installed --upgradable --versions -q names`;

/** By the names of programs. */
export const optionTables: () => ReadonlyMap<string, OptionLine> = lazily(() =>
  readOptionTables([GIT, JAVASCRIPT, LANGUAGES, BUILDS, REMOTE, EVERYDAY]),
);

/** What is known of a program by its name. */
export const tableOf = (program: string): OptionLine | undefined => optionTables().get(program);
