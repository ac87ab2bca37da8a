import { lazily } from '../word-list.ts';

/** A kind of token: what it is called, what it begins with, and the form of what follows. */
export type TokenKind = {
  readonly kind: string;
  readonly prefix: string;
  readonly value: RegExp;
  /** Names in code begin like it: what follows must not be made of words. */
  readonly isGenerated: boolean;
  /** Matches at the end of what stands before the prefix, for a kind that has its fixed part in the middle. */
  readonly before: RegExp | undefined;
  /** Tells a token even where a letter stands before it: the prefix is long, and what follows has a fixed or a great length. */
  readonly isDistinct: boolean;
};

/**
 * `name | prefixes | form`. A form is made of the alphabets below, each with how many characters it has (`20`, at least `20+`, or `20-64`), and
 * of signs that stand for themselves; `@` stands for the prefix where something comes before it. `?` before a form asks for a digit in it,
 * which words joined by hyphens do not have, `!` besides that it is not made of words.
 *
 * a letters and digits, l of them only small letters and digits, u only capitals and digits, h hexadecimal digits, n digits, w `a` with _ and -,
 * d `w` with dots, b base64 (`a` with + / and =), t `w` with ~ and dots
 */
const KINDS = `
Anthropic key | sk-ant- | w10+
key | sk- rk- pk-live pk_live sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ | !w16+
key | sk_ rk_ | !w16+
OpenAI session | sess- | a40+
GitHub token | ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ | !w20+
GitLab token | glpat- gldt- glrt- | d16+
GitLab token | glcbt- glptt- glft- glffct- glimt- glagent- gloas- glsoat- glrtr- GR1348941 | ?d20+
Bitbucket token | ATBB BBDC- | ?a28+
Atlassian token | ATATT3 ATCTT3 | ?w60+
AWS key | AKIA ASIA ABIA ACCA | u16
AWS key | ABSK bedrock-api-key- | ?b80+
Google key | AIza | w30-60
Google key | GOCSPX- | w20-60
Google token | ya29. 1//0 | ?w20+
Azure secret | Q~ | t3 n1 @ t31-34
Alibaba key | LTAI | ?a16-24
Tencent key | AKID | ?a32
Slack token | xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp- | w10+
webhook | hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/ | p20+
webhook | discord.com/api/webhooks/ discordapp.com/api/webhooks/ hooks.zapier.com/hooks/catch/ | p20+
webhook | webhook.office.com/webhookb2/ outlook.office.com/webhook/ | ?q40+
Discord token | MT Mj Mz ND NT Nj Nz OD OT | a21-26 . w6 . w27-45
Discord token | mfa. | ?w80+
Telegram token | :AA | n8-10 @ w33
Teams token | EwA | ?b200+
Facebook token | EAAM EAAC EAAB EAAG | ?a80+
JWT | eyJ | ?w8-2000 . d8-6000
JWT | eyJrIjoi | ?b60+
token | npm_ hf_ api_org_ rpa_ | a30+
token | pypi- dop_v1_ doo_v1_ dor_v1_ lin_api_ lin_oauth_ dckr_pat_ dckr_oat_ vercel_ sntrys_ sntryu_ nvapi- gsk_ csk- r8_ xai- | ?b20+
Shopify token | shpat_ shpca_ shppa_ shpss_ shptka_ | ?a30+
SendGrid key | SG. | w16-32 . w30-64
age key | AGE-SECRET-KEY-1 | u58
Stripe secret | whsec_ | ?b24+
Vault token | hvs. hvb. hvr. | ?w24+
Vault token | s. | !a24
Terraform token | .atlasv1. | a14 @ w50+
Databricks token | dapi | h32
Databricks secret | dose | h32
Grafana token | glsa_ | a32 _ h8
Grafana token | glc_ | ?b32+
Supabase key | sbp_ | h40
Supabase key | sb_secret_ | ?w20+
Tavily key | tvly- tvly-dev- tvly-prod- | ?w20+
Perplexity key | pplx- | ?a40+
Fireworks key | fw_ | ?a20-32
Firecrawl key | fc- | h32
Jina key | jina_ | ?w40+
Together key | tgp_v1_ | ?w40+
E2B key | e2b_ | h40
Context7 key | ctx7sk- | h8 - h4 - h4 - h4 - h12
Zuplo key | zpka_ | l32 _ h8
CircleCI token | CCIPAT_ CCIPRJ_ | a22 _ h40
Dropbox token | sl. sl.u. | ?w100+
MailerSend token | mlsn. | h64
Pinecone key | pcsk_ | ?w40+
PostHog key | phx_ | ?a30+
LangSmith key | lsv2_pt_ lsv2_sk_ | h32 _ h10
Langfuse key | sk-lf- | ?w20+
Resend key | re_ | !a8 _ a20-32
Replicate token | r8_ | ?a30+
Apify token | apify_api_ | ?a30+
Airtable token | pat | a14 . h64
Figma token | figd_ figu_ figor_ figoh_ | ?w30+
Notion token | ntn_ | ?a40+
Notion token | secret_ | ?a43
HubSpot token | pat-na1- pat-na2- pat-eu1- | h8 - h4 - h4 - h4 - h12
Heroku key | HRKU- | ?w36+
DigitalOcean key | DO00 | u16
Netlify token | nfp_ nfo_ nfc_ nfb_ nfu_ | ?a36+
Render key | rnd_ | ?a28+
Fly token | fo1_ | ?w43
Fly token | fm1a_ fm1r_ fm2_ | ?b60+
PlanetScale secret | pscale_tkn_ pscale_oauth_ pscale_pw_ | ?d32+
Neon key | napi_ | ?a40+
Doppler token | dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. | ?d36+
Dynatrace token | dt0c01. dt0s01. dt0s02. dt0s16. | a24 . a64
New Relic key | NRAK- | ?u27
New Relic key | NRII- NRIQ- | ?w32
New Relic key | NRJS- | h19
New Relic key | NRAL | h36 @
Cloudflare key | v1.0- | h24 - h146
Cloudflare token | cfk_ cfut_ cfat_ | ?w40+
Tailscale key | tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook- | ?w20+
SonarQube token | sqp_ squ_ sqa_ | h40
Sourcegraph token | sgp_ | ?w40+
Snyk token | snyk_uat. snyk_sat. | ?d30+
Artifactory key | AKCp | ?a69
Artifactory token | cmVmd | ?a59
NuGet key | oy2 | l43
RubyGems key | rubygems_ | h48
Crates token | cio | ?a32
Clojars token | CLOJARS_ | ?a60
Octopus key | API- | ?u26
Pulumi token | pul- | h40
Prefect token | pnu_ pnb_ | ?a36
Postman key | PMAK- | h24 - h34
Postman key | PMAT- | u26
ReadMe key | rdme_ | ?l70
OnePassword token | ops_eyJ | b100+
OnePassword key | A3- | u6 - u6 - u5 - u5 - u5 - u5
OnePassword key | A3- | u6 - u11 - u5 - u5 - u5
OpenShift token | sha256~ | ?w43
Adobe secret | p8e- | ?l32
Adafruit key | aio_ | ?a28
Contentful token | CFPAT- | ?w43
MaxMind key | _mmk | a6 _ a29 @
Mailchimp key | -us | h32 @ n1-2
Mailgun key | key- | h32
Brevo key | xkeysib- xsmtpsib- | h64 - a16
Twilio key | SK | h32
Typeform token | tfp_ | ?d44+
Intercom token | dG9rOj | ?b40+
Infracost key | ico- | ?a32
Harness token | pat. sat. | w22 . h24 . a20
Plaid token | access-sandbox- access-development- access-production- | h8 - h4 - h4 - h4 - h12
Square token | sq0atp- sq0csp- | ?w22+
Square token | EAAA | ?w56-64
Shippo token | shippo_live_ shippo_test_ | h40
EasyPost key | EZAK EZTK | ?a54
Duffel token | duffel_test_ duffel_live_ | ?w43
Flutterwave key | FLWSECK- FLWSECK_TEST- | ?a12+
Frame token | fio-u- | ?w64
Scalingo token | tk-us- | ?w48
SettleMint token | sm_aat_ sm_pat_ sm_sat_ | ?a16
Defined token | dnkey- | ?w26 - w52
Yandex key | AQVN | ?w35-38
Yandex token | t1. | ?w40+ . w86
Linode token | linode_ | h64
Buildkite token | bkua_ bkpi_ | h40
Intra42 secret | s-s4t2ud- s-s4t2af- | h64
Authress key | sc_ ext_ scauth_ authress_ | l5-30 . l4-6 .acc- l10-32 . b30-120
ClickHouse key | 4b1d | ?a38
Modal token | ak- as- | !a22
Cerebras key | csk- | ?l48
Voyage key | pa- | !w43
Lob key | live_ test_ | h35
Mapbox token | pk. | l60 . l22
GitLab session | _gitlab_session= | h32
Laravel key | APP_KEY=base64: | b44
Bundler login | BUNDLE_ENTERPRISE__CONTRIBSYS__COM= BUNDLE_GEMS__CONTRIBSYS__COM= | h8 : h8
Sumo Logic key | sumo_ | ?a40+
private key | LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBFQyBQUklWQVRF | b40+
private key | LS0tLS1CRUdJTiBPUEVOU1NI LS0tLS1CRUdJTiBFTkNSWVBURUQg LS0tLS1CRUdJTiBEU0EgUFJJVkFURS LS0tLS1CRUdJTiBQR1AgUFJJVkFURS | b40+
`;

const ALPHABETS: Readonly<Record<string, string>> = {
  ...{ a: 'A-Za-z0-9', l: 'a-z0-9', u: 'A-Z0-9', h: 'A-Fa-f0-9', n: '0-9', w: String.raw`\w\-`, d: String.raw`\w\-.` },
  ...{ b: String.raw`\w+/=\-`, t: String.raw`\w~.\-`, p: String.raw`\w/\-`, q: String.raw`\w/@\-` },
};

/** The longest that a token gets where its form has no end. */
const MOST_CHARS: Readonly<Record<string, number>> = { b: 4_000, w: 400, p: 200 };
const DISTINCT_CHARS = 28;

export const tokenKinds = lazily((): readonly TokenKind[] =>
  KINDS.trim()
    .split('\n')
    .flatMap((line) => {
      const [kind = '', prefixes = '', form = ''] = line.split(' | ');
      return prefixes.split(' ').map((prefix) => tokenKind(kind, prefix, form));
    }),
);

function tokenKind(kind: string, prefix: string, form: string): TokenKind {
  const isGenerated = form.startsWith('!');
  const needsDigit = isGenerated || form.startsWith('?');
  const parts = form.slice(needsDigit ? 1 : 0).split(' ');
  const at = parts.indexOf('@');
  const [first, rest] = at === -1 ? [[], parts] : [parts.slice(0, at), parts.slice(at + 1)];
  const [begin = '', then = ''] = rest;
  const digit = needsDigit ? `(?=[${alphabetOf(begin)}${alphabetOf(then) === '' ? literal(then) : ''}]{0,80}[0-9])` : '';
  const source = `${literal(prefix)}${digit}${rest.map(partSource).join('')}${endOf(rest.at(-1) ?? '')}`;
  return {
    ...{ kind, prefix, isGenerated, value: new RegExp(source, 'y') },
    before: first.length === 0 ? undefined : new RegExp(`${first.map(partSource).join('')}$`),
    isDistinct: prefix.length >= 4 && /[_.-]$/.test(prefix) && rest.reduce((sum, part) => sum + leastOf(part), 0) >= DISTINCT_CHARS,
  };
}

const PART = /^([a-z])(\d+)(?:(\+)|-(\d+))?$/;
const literal = (text: string): string => text.replace(/[.+*?/~-]/g, '\\$&');
const alphabetOf = (part: string): string => ALPHABETS[part.charAt(0)] ?? '';
const leastOf = (part: string): number => Number(PART.exec(part)?.[2] ?? 1);

function partSource(part: string): string {
  const [, alphabet = '', least = '', isOpen, most] = PART.exec(part) ?? [];
  if (alphabet === '') return literal(part);
  const upTo = most ?? (isOpen === undefined ? least : String(MOST_CHARS[alphabet] ?? 300));
  return `[${ALPHABETS[alphabet]}]{${least},${upTo}}`;
}

/** What has a length ends with it. */
const endOf = (part: string): string => (part.endsWith('+') || PART.exec(part) === null ? '' : '(?![A-Za-z0-9])');
