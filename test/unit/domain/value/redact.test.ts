import { describe, expect, test } from 'vitest';
import { redact } from '../../../../src/domain/value/redact.ts';

const body = 'q7Zt3mW9xK2vB5nR8yL4cJ6dF1hG0sPa';
const secrets: readonly (readonly [kind: string, text: string, secret: string])[] = [
  ['an Anthropic key', `key sk-ant-api03-${body}-${body} end`, body],
  ['an OpenAI key', `sk-proj-${body}`, body],
  ['a Stripe key', `sk_live_${body}`, body],
  ['a GitHub token', `ghp_${body}abcd`, body],
  ['a fine-grained GitHub token', `github_pat_11ABC_${body}`, body],
  ['a GitLab token', `glpat-${body.slice(0, 20)}`, body.slice(0, 20)],
  ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7EXAMPLE'],
  ['an AWS secret', `aws_secret_access_key = ${body}/+1234567`, body],
  ['a Google key', `AIzaSy${body}x`, body],
  ['a Slack token', `xoxb-123456789012-${body}`, body],
  ['a Slack hook', `https://hooks.slack.com/services/T000/B000/${body}`, body],
  ['a JWT', `eyJhbGciOiJIUzI1NiJ9.eyJ${body}.${body}`, body],
  ['an npm token', `//registry/:_authToken=npm_${body}0000`, body],
  ['a Hugging Face token', `hf_${body}`, body],
  ['a SendGrid key', `SG.${body}.${body}`, body],
  ['a bearer header', `Authorization: Bearer ${body}`, body],
  ['a basic header', `authorization: Basic ${body}==`, body],
  ['a password in a URL', `postgres://app:${body}@db.example/x`, body],
  ['a password in an environment file', `DB_PASSWORD=${body}`, body],
  ['a password of words', 'PASSWORD=correct-horse-battery', 'correct-horse-battery'],
  ['a quoted token in JSON', `{"accessToken": "${body}"}`, body],
  ['a client secret in YAML', `client_secret: ${body}`, body],
  ['a flag', `--api-key=${body}`, body],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}\n-----END RSA PRIVATE KEY-----\nafter`, body],
  [
    'a key file of PuTTY',
    `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me\nPublic-Lines: 1\n${body}\nPrivate-Lines: 1\n${body}\nPrivate-MAC: ${'0a'.repeat(32)}\nafter`,
    body,
  ],
  ['a key file of PuTTY that was cut off', `PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 1\n${body}`, body],
  ['a password in XML', `<server>\n  <password>${body}</password>\n</server>`, body],
  ['a secret in XML with a namespace', `<x:clientSecret>${body}</x:clientSecret>`, body],
  [
    'a login of Docker',
    `{"auths":{"r.example":{"auth": "${Buffer.from(`me:${body}`).toString('base64')}"}}}`,
    Buffer.from(`me:${body}`).toString('base64'),
  ],
  ['a JSON Web Key', `{"kty":"RSA","n":"abc","e":"AQAB","d":"${body}","p": "${body}"}`, body],
  ['a line of .pgpass', `db.example:5432:app:me:${body}\n`, body],
  ['the secret of Rails', `secret_key_base: ${'9f8e7d6c5b4a3928'.repeat(8)}`, '9f8e7d6c5b4a3928'.repeat(8)],
  ['a pass phrase of openssl', `openssl rsa -passin pass:${body} -in x`, body],
  ['a password of mosquitto', `mosquitto_pub -u me -P ${body} -t x`, body],
  ['a password of rclone', `rclone_pass = ${body}`, body],
  ['a key of a service', `RAPIDAPI_KEY = "${body}"`, body],
  ['a private key that was cut off', `-----BEGIN PRIVATE KEY-----\n${body}`, body],
];

describe('the value of a secret is gone, every piece of it [O28, S-30]', () => {
  for (const [kind, text, secret] of secrets) {
    test(kind, () => {
      const out = redact(text);
      expect(out).toContain('[redacted ');
      for (let at = 0; at + 8 <= secret.length; at++) expect(out).not.toContain(secret.slice(at, at + 8));
    });
  }

  test('and what stands around it is there', () => {
    expect(redact(`DB_PASSWORD=${body} npm start`)).toBe('DB_PASSWORD=[redacted value] npm start');
    expect(redact(`postgres://app:${body}@db.example/x`)).toBe('postgres://app:[redacted password]@db.example/x');
    for (const kind of ['a private key', 'a key file of PuTTY'])
      expect(redact(secrets.find(([each]) => each === kind)?.[1] ?? '')).toBe('[redacted private key]\nafter');
  });
});

describe('what is no secret stays as it is', () => {
  const plain = [
    'commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432',
    '2f1c7e9a-1111-4222-8333-444455556666',
    'const token: string = readToken(path);',
    'token: string;',
    'password = getPassword(user)',
    'if (secret === undefined) return;',
    'api_key=$API_KEY',
    'API_KEY=<your key>',
    'password: ********',
    'maxTokens: 16384',
    'src/context/tokens.ts:120',
    'https://example.com/a:b/c@2.0.0',
    'git@github.com:org/repo.git',
    'task-force-one-two-three-four',
    '令牌 token 必须保密',
    '<password>form.password.label</password>',
    '<token>identifier</token><privateKey>/etc/ssl/key1.pem</privateKey>',
    '{"auth": "bearer"} {"auth": "c29tZSB0ZXh0IG9mIG5vIGxvZ2lu"}',
    '{"kty": "RSA", "n": "sc1HXxuJByZs0SkaM9dRLVYsqjpqRNxXqDdH", "e": "AQAB"}',
    'postgres:5432:app ports: 5432:5432 localhost:5432:',
    'compass = north1 bypass = 1234567 render_pass = "forward_pass_2"',
    'live_reload test_0123456789abcdef sc_title.main.acc-x ak-47 pk.id',
  ];
  for (const text of plain) test(text, () => expect(redact(text)).toBe(text));
});

test('redacting twice changes nothing more', () => {
  for (const [, text] of secrets) expect(redact(redact(text))).toBe(redact(text));
});
