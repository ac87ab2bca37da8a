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
