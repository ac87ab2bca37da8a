import { lazily } from '../word-list.ts';
import { isKey, namesSecret, standsForPassword } from './assignments.ts';
import { type Finder, NONE, type Secret } from './secret.ts';

/**
 * `programs: [needed word] rule options`, rules parted by semicolons: `next` takes a secret in the next word, behind = or right behind itself;
 * `glued` only right behind itself; `word` only in the next word; `login` takes `user:secret`; `part` `user%secret` or `user,secret`; `pair` `name=secret`; `pass`
 * `pass:secret`; `cookie` `name=secret`, if it is no file; `set` a name that tells a secret, and the secret; `arg` has it as a word by itself, `key` one that was generated.
 */
const PROGRAMS = `
mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mariadb mariadb-dump mariadb-admin: glued -p
curl: login -u --user -U --proxy-user; next --oauth2-bearer --pass --proxy-pass --aws-sigv4-secret; cookie -b --cookie
http https xh: login -a --auth
sshpass: next -p
redis-cli valkey-cli: next -a --pass
docker podman nerdctl skopeo buildah oras crane helm: [login] next -p --password
skopeo podman buildah: login --creds --src-creds --dest-creds
mongo mongosh mongodump mongorestore mongoexport mongoimport: next -p --password
sqlcmd bcp: next -P
ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami: next -w
smbclient rpcclient smbmap: part -U --user
lftp: part -u --user
7z 7za 7zz 7zr rar unrar: glued -p
zip unzip: next -P
openssl: pass -pass -passin -passout; word -k
gpg gpg2: next --passphrase
az: [login] next -p --password
oc kubectl: [login] next -p --password
kubectl oc: [secret] pair --from-literal
twine: next -p --password
ssh-keygen: next -N -P
keytool jarsigner: next -storepass -keypass -srcstorepass -deststorepass
doctl: [auth] next -t
gh: [secret] next -b --body
snyk cargo vault sentry-cli wrangler netlify railway: [auth login] key
aws: [configure] set set
npm pnpm yarn git poetry pip composer: [config] set set
heroku fly flyctl vercel: [config:set secrets] pair set
htpasswd: [-b -nb -bn -nbB -nbm -cb -bc -Bb -bB -cbB] arg
sudo su: next --password
psql pg_dump createdb: next --password
wget: next --password --http-password --ftp-password --proxy-password
svn hg: next --password
ansible-playbook: next --vault-password
nmcli: set wifi-sec.psk
mosquitto_pub mosquitto_sub: next -P --pw
wpa_passphrase: arg
expect: next --password
`;

type Rule = { readonly how: string; readonly options: readonly string[]; readonly needs: readonly string[] };
type Word = { readonly start: number; readonly end: number; readonly text: string };

const programs = lazily((): ReadonlyMap<string, readonly Rule[]> => {
  const rules = new Map<string, Rule[]>();
  for (const line of PROGRAMS.trim().split('\n')) {
    const [names = '', rest = ''] = line.split(': ');
    const [, needed = '', stated = ''] = /^(?:\[([^\]]*)\] )?(.*)$/.exec(rest) ?? [];
    const needs = needed === '' ? [] : needed.split(' ');
    for (const name of names.split(' ')) {
      const own = stated.split('; ').map((rule) => ({ how: rule.split(' ')[0] ?? '', options: rule.split(' ').slice(1), needs }));
      rules.set(name, [...(rules.get(name) ?? []), ...own]);
    }
  }
  return rules;
});

/** The names of programs, and what finds a secret in the words behind one. */
export const commandFinders = (): readonly (readonly [words: readonly string[], find: Finder])[] => [
  ...[...programs()].map(([name, rules]): readonly [readonly string[], Finder] => [
    [name],
    ({ text }, at) => (isCommand(text, at, name) ? secretsOf(wordsFrom(text, at + name.length), rules) : NONE),
  ]),
  [[' --'], ({ text }, at) => longOption(text, at + 1)],
  [['sudo -S', '--password-stdin', 'chpasswd'], ({ text }, at) => pipedInto(text, at)],
];

/** A name stands where a command can begin, alone or behind a path, and its words follow it. */
const isCommand = (text: string, at: number, name: string): boolean =>
  /[ \t]/.test(text.charAt(at + name.length)) &&
  (at === 0 || /[\s/"'`(|;&$!>:\\]/.test(text.charAt(at - 1)) || /\\[nt]$/.test(text.slice(at - 2, at)));

const MOST_WORDS = 40;
const MOST_CHARS = 4_000;
const WORD_PARTS = [/"(?:[^"\\\n]|\\.){0,2000}"/, /'[^'\n]{0,2000}'/, /\\[^\n]/, /[^\s"'\\|;&()<>`]/].map(({ source }) => source);
const WORD = new RegExp(String.raw`[ \t]*(?:\\+\r?\n[ \t]*)?((?:${WORD_PARTS.join('|')})+)`, 'y');

function wordsFrom(text: string, at: number): readonly Word[] {
  const words: Word[] = [];
  WORD.lastIndex = at;
  for (
    let found = WORD.exec(text);
    found !== null && words.length < MOST_WORDS && WORD.lastIndex < at + MOST_CHARS;
    found = WORD.exec(text)
  ) {
    const word = found[1] ?? '';
    words.push({ start: WORD.lastIndex - word.length, end: WORD.lastIndex, text: word });
  }
  return words;
}

function secretsOf(words: readonly Word[], rules: readonly Rule[]): readonly Secret[] {
  if (words.length === 0) return NONE;
  return rules
    .filter(({ needs }) => needs.length === 0 || words.slice(0, 6).some(({ text }) => needs.includes(text)))
    .flatMap((rule) =>
      rule.how === 'arg' || rule.how === 'key'
        ? lastWord(words, rule)
        : words.flatMap((word, at) => optionSecret(words, { word, at }, rule)),
    );
}

/** The last word, where it is neither an option nor what the rule needs. */
function lastWord(words: readonly Word[], { needs, how }: Rule): readonly Secret[] {
  const last = words.at(-1);
  return last === undefined ||
    words.length < 2 ||
    last.text.startsWith('-') ||
    needs.includes(last.text) ||
    (how === 'key' && !isKey(last.text))
    ? NONE
    : masked(last, 0);
}

type Place = { readonly word: Word; readonly at: number };

function optionSecret(words: readonly Word[], { word, at }: Place, { how, options }: Rule): readonly Secret[] {
  const next = words[at + 1];
  if (how === 'set') return setSecret(words, at, options);
  const option =
    options.find((each) => word.text === each) ?? options.find((each) => word.text.startsWith(each.startsWith('--') ? `${each}=` : each));
  if (option === undefined) return NONE;
  if (how === 'word' && word.text !== option) return NONE;
  if (how === 'glued') return word.text === option ? NONE : masked(word, option.length);
  if (word.text === option) return next === undefined || /^-./.test(next.text) ? NONE : partOf(next, 0, how);
  if (!option.startsWith('--') && option.length > 2) return NONE;
  return partOf(word, option.length + (word.text.charAt(option.length) === '=' ? 1 : 0), how);
}

/** `set NAME SECRET`, where the name tells it. */
function setSecret(words: readonly Word[], at: number, options: readonly string[]): readonly Secret[] {
  if (!options.includes(words[at]?.text ?? '')) return NONE;
  const name = words.slice(at + 1).findIndex(({ text }) => !text.startsWith('-'));
  const [named, value] = name === -1 ? [] : words.slice(at + 1 + name);
  const isTold = options.includes('wifi-sec.psk') || namesSecret(named?.text.replace(/^.*[:.]/, '') ?? '');
  return named === undefined || value === undefined || !isTold ? NONE : masked(value, 0);
}

/** Which sign parts the secret from what stands before it in a word. */
const PARTS: Readonly<Record<string, RegExp>> = { login: /:/, part: /[%,]/, pair: /=/, pass: /pass:/, cookie: /=/ };

function partOf(word: Word, from: number, how: string): readonly Secret[] {
  const sign = PARTS[how];
  if (sign === undefined) return masked(word, from);
  const found = sign.exec(word.text.slice(from));
  return found === null ? NONE : masked(word, from + found.index + found[0].length);
}

/** What a variable holds is not in the text. */
const VARIABLE = /^["']?(?:\$|<|\{|%\w+%|%[sdv]|\*{3}|\[redacted)/;

function masked({ start, end, text }: Word, from: number): readonly Secret[] {
  const value = text.slice(from);
  if (/^(?:-|[\\"']*)$/.test(value) || VARIABLE.test(value)) return NONE;
  if (standsForPassword(value.replace(/^["']|["']$/g, ''))) return NONE;
  const open = /^["']/.test(value) ? 1 : 0;
  const close = /["']$/.test(value) && value.length > 1 ? 1 : 0;
  return start + from + open >= end - close ? NONE : [{ start: start + from + open, end: end - close, kind: 'password' }];
}

const LONG_OPTION = /--([a-z][\w-]{2,40})[ \t]{1,4}(["']?[^\s"'`<>|;&$[\](){}\\-][^\s"'`<>|;&$[\](){}\\]{5,400})/y;

/** `--password SECRET` of any program; without a digit it may be a word of a sentence. */
function longOption(text: string, at: number): readonly Secret[] {
  LONG_OPTION.lastIndex = at;
  const [, name = '', value = ''] = LONG_OPTION.exec(text) ?? [];
  if (!namesSecret(name) || !/\d/.test(value)) return NONE;
  return masked({ start: LONG_OPTION.lastIndex - value.length, end: LONG_OPTION.lastIndex, text: value }, 0);
}

const ECHO = /(?:-\w+[ \t]+|["']%s(?:\\n)?["'][ \t]+)?((?:"[^"\n]*"|'[^'\n]*'|[^\s|;&"'])+)[ \t]*$/y;
const MOST_BEFORE = 300;

/** `echo SECRET | sudo -S …`. */
function pipedInto(text: string, at: number): readonly Secret[] {
  const from = Math.max(0, at - MOST_BEFORE);
  const before = text.slice(from, at);
  const said = before.slice(0, Math.max(0, before.lastIndexOf('|')));
  const [echo, print] = [said.lastIndexOf('echo '), said.lastIndexOf('printf ')];
  ECHO.lastIndex = echo > print ? echo + 'echo '.length : print + 'printf '.length;
  const word = echo === print || said.includes('\n', ECHO.lastIndex) ? undefined : ECHO.exec(said)?.[1];
  if (word === undefined) return NONE;
  const start = from + said.lastIndexOf(word);
  return masked({ start, end: start + word.length, text: word }, 0);
}
