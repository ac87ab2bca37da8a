import fc from 'fast-check';

/**
 * What tokens of each kind look like, as those who give them out describe them. `{a36}` stands for 36 random signs of an alphabet: `a` letters
 * and digits, `l` small letters and digits, `u` capitals and digits, `h` hexadecimal digits, `n` digits, `w` letters, digits, _ and -.
 */
export const tokenForms: readonly string[] = `
sk-ant-api03-{w93}AA
sk-proj-{w48}
sk_live_{a24}
rk_test_{a24}
sess-{a40}
ghp_{a36}
gho_{a36}
ghu_{a36}
ghs_{a36}
ghr_{a36}
github_pat_{a22}_{a59}
glpat-{w20}
gldt-{w20}
glrt-{w20}
glcbt-1f_{w20}
glptt-{h40}
glft-{w20}
glagent-{w50}
ATBB{a32}
ATATT3{w80}
AKIA{u16}
ASIA{u16}
AIza{w35}
GOCSPX-{w28}
ya29.{w60}
{a3}8Q~{a34}
LTAI{a20}
xoxb-{n12}-{n12}-{a24}
xoxp-{n12}-{n12}-{n12}-{h32}
xapp-1-{u10}-{n12}-{h64}
https://hooks.slack.com/services/T{u8}/B{u8}/{a24}
https://discord.com/api/webhooks/{n18}/{w68}
mfa.{w84}
MT{a24}.{w6}.{w38}
{n10}:AA{w33}
eyJ{w30}.eyJ{w60}.{w43}
npm_{a36}
hf_{a34}
pypi-AgEIcHlwaS5vcmc{w80}
dop_v1_{h64}
doo_v1_{h64}
lin_api_{a40}
dckr_pat_{w27}
sntryu_{h64}
nvapi-{w64}
gsk_{a52}
csk-{a48}
r8_{a37}
xai-{a80}
shpat_{h32}
shpss_{h32}
SG.{w22}.{w43}
AGE-SECRET-KEY-1{u58}
whsec_{a32}
hvs.{w95}
hvb.{w140}
{a14}.atlasv1.{w64}
dapi{h32}
glsa_{a32}_{h8}
glc_{a60}
sbp_{h40}
sb_secret_{a31}
tvly-{a32}
tvly-dev-{a32}
pplx-{a48}
fc-{h32}
jina_{a60}
pcsk_{a6}_{a60}
phx_{a43}
lsv2_pt_{h32}_{h10}
re_{a8}_{a24}
apify_api_{a36}
pat{a14}.{h64}
figd_{w40}
ntn_{n11}{a35}
pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}
HRKU-AA{w58}
nfp_{a36}
rnd_{a32}
fm2_{a120}
pscale_tkn_{w43}
napi_{l64}
dp.pt.{a43}
dt0c01.{u24}.{u64}
NRAK-{u27}
v1.0-{h24}-{h146}
tskey-auth-{a12}-{a32}
sqp_{h40}
sgp_{h40}
oy2{l43}
rubygems_{h48}
CLOJARS_{l60}
API-{u26}
pul-{h40}
PMAK-{h24}-{h34}
rdme_{l70}
PMAT-{u26}
tgp_v1_{w43}
e2b_{h40}
ctx7sk-{h8}-{h4}-{h4}-{h4}-{h12}
zpka_{l32}_{h8}
CCIPAT_{a22}_{h40}
sl.u.{w130}
mlsn.{h64}
A3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}
sha256~{w43}
CFPAT-{w43}
{a6}_{a29}_mmk
{h32}-us12
key-{h32}
xkeysib-{h64}-{a16}
SK{h32}
access-production-{h8}-{h4}-{h4}-{h4}-{h12}
sq0atp-{w22}
shippo_live_{h40}
EZAK{a54}
duffel_live_{w43}
tk-us-{w48}
sm_aat_{a16}
linode_{h64}
bkua_{h40}
s-s4t2ud-{h64}
sc_{l5}.{l4}.acc-{l10}.{w40}
4b1d{a38}
ak-{a22}
csk-{l48}
pa-{w43}
live_{h35}
pk.{l60}.{l22}
_gitlab_session={h32}
APP_KEY=base64:{a43}=
{h36}NRAL
t1.9euelZ{w80}.{w86}
`
  .trim()
  .split('\n');

const SIGNS: Readonly<Record<string, string>> = {
  a: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  l: 'abcdefghijklmnopqrstuvwxyz0123456789',
  u: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  h: '0123456789abcdef',
  n: '0123456789',
  w: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-',
};

export type DrawnToken = {
  readonly form: string;
  readonly token: string;
  /** What must not be left of it: every run of eight random signs, and what is shorter where it has none so long. */
  readonly pieces: readonly string[];
};

/** A token that looks like one of a kind and is none: made of a number. */
export function drawToken(form: string, seed: number): DrawnToken {
  const pieces: string[] = [];
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
  const token = form.replace(/\{([a-z])(\d+)\}/g, (_, alphabet: string, length: string) => {
    const signs = SIGNS[alphabet] ?? '';
    // Each has a digit where its alphabet has, as nearly every real one does, and ends with a letter or a digit.
    const drawn = Array.from({ length: Number(length) }, (_each, at) =>
      at === 1 ? String(next() % 10) : signs.charAt(next() % Math.min(signs.length, at + 1 === Number(length) ? 62 : signs.length)),
    ).join('');
    for (let at = 0; at + 8 <= drawn.length; at++) pieces.push(drawn.slice(at, at + 8));
    return drawn;
  });
  return { form, token, pieces };
}

export const anyToken = (): fc.Arbitrary<DrawnToken> =>
  fc.tuple(fc.constantFrom(...tokenForms), fc.integer({ min: 1, max: 2 ** 30 })).map(([form, seed]) => drawToken(form, seed));

/** The token with something put into its middle. */
const parted = (token: string, between: string): string => {
  const at = Math.ceil(token.length / 2);
  return token.slice(0, at) + between + token.slice(at);
};

/** Where a token can stand: what is around it, and what ran over it. */
export const surroundings: Readonly<Record<string, (token: string) => string>> = {
  'a line by itself': (token) => `before\n${token}\nafter`,
  'behind a newline in JSON': (token) => JSON.stringify({ out: `A=1\n${token}\nB=2` }),
  'behind a tab in JSON': (token) => JSON.stringify({ out: `A\t${token}\tB` }),
  'in JSON in JSON': (token) => JSON.stringify(JSON.stringify({ out: `A=1\n${token}\n`, token })),
  'behind an escape of Unicode': (token) => `{"out":"A\\u000a${token}\\u000aB"}`,
  'behind a hexadecimal escape': (token) => `'A\\x0a${token}\\x0a'`,
  'coloured whole': (token) => `file:3:A=\x1b[01;31m\x1b[K${token}\x1b[m\x1b[K rest`,
  'behind a coloured name': (token) => `\x1b[35m\x1b[Kfile\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K${token}`,
  'coloured to its middle': (token) => `A=\x1b[01;31m\x1b[K${parted(token, '\x1b[m\x1b[K')} rest`,
  'coloured in JSON': (token) => JSON.stringify({ out: `A=\x1b[31m${parted(token, '\x1b[0m')}\x1b[0m` }),
  'coloured by one character': (token) => `A=\x9b31m${parted(token, '\x9b0m')}\x9b0m rest`,
  'coloured, as cat -v shows it': (token) => `A=^[[01;31m^[[K${token}^[[m^[[K`,
  'behind a colour that lost its escape': (token) => `word[01;31m[K${token}[m[K`,
  'behind %3D': (token) => `https://example.com/x?q=key%3D${token}%26b%3D1`,
  'behind %253D': (token) => `next=a%253D${token}%2526`,
  'behind %20': (token) => `see%20${token}%20now`,
  'in entities': (token) => `<p title=&quot;${token}&quot;>a&#61;${token}&amp;b</p>`,
  'behind =3D': (token) => `<a href=3D"https://example.com/?k=3D${token}">`,
  'in quotes': (token) => `const it = '${token}';`,
  'behind =': (token) => `A=${token} make`,
  'behind :': (token) => `a:${token}`,
  'in a user of an address': (token) => `git clone https://${token.replace(/^https:\/\//, '')}@example.com/a.git`,
  'in a query': (token) => `https://example.com/?k=${token}&b=1`,
  'in YAML': (token) => `env:\n  - name: A\n    value: ${token}\n`,
  'in an environment file': (token) => `A=1\nB="${token}"\nC=3`,
  'in .netrc': (token) => `machine example.com login me password ${token}\n`,
  'in a header': (token) => `> X-Something: ${token}\r\n`,
  'in the table of a page': (token) => `| a | \`${token}\` |`,
  'in UTF-16': (token) => `A=${token.split('').join('\0')}\0 rest`,
  'with a soft hyphen in it': (token) => `A=${parted(token, '\u00ad')} rest`,
};
