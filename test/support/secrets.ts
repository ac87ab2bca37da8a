const body = 'q7Zt3mW9xK2vB5nR8yL4cJ6dF1hG0sPa';

/** Shapes of secrets on one line, all made of the same value, of which no eight characters may be found where they are redacted. */
export const secretShapes: readonly string[] = [
  `sk-ant-api03-${body}-${body}`,
  `sk-proj-${body}`,
  `sk_live_${body}`,
  `ghp_${body}abcd`,
  `github_pat_11ABC_${body}`,
  `glpat-${body.slice(0, 20)}`,
  `aws_secret_access_key = ${body}/+1234567`,
  `AIzaSy${body}x`,
  `xoxb-123456789012-${body}`,
  `https://hooks.slack.com/services/T000/B000/${body}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJ${body}.${body}`,
  `_authToken=npm_${body}0000`,
  `hf_${body}`,
  `SG.${body}.${body}`,
  `Authorization: Bearer ${body}`,
  `authorization: Basic ${body}==`,
  `postgres://app:${body}@db.example/x`,
  `DB_PASSWORD=${body}`,
  `{"accessToken": "${body}"}`,
  `client_secret: ${body}`,
  `--api-key=${body}`,
  `-----BEGIN RSA PRIVATE KEY----- ${body} -----END RSA PRIVATE KEY-----`,
  `-----BEGIN PRIVATE KEY----- ${body}`,
  `gldt-${body}`,
  `dop_v1_${body}`,
];

/** Every run of eight characters of the value. */
export const secretPieces: readonly string[] = Array.from({ length: body.length - 7 }, (_, at) => body.slice(at, at + 8));
