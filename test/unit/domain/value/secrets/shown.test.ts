import { describe, expect, test } from 'vitest';
import { redact } from '../../../../../src/domain/value/redact.ts';

/** Code, settings and texts that are edited every day, by language. What is masked in them cannot be edited. */
const SHOWN = {
  shell: [
    'PWD=/srv/app1',
    'export TOKEN=$(cat /run/secrets/token1)',
    'API_KEY="$API_KEY2" ./run',
    'SSH_AUTH_KEY=/home/me/.ssh/id_ed25519',
    'openssl req -x509 -newkey rsa:2048 -keyout key2.pem -out cert2.pem',
    'curl -u user:password https://example.com',
    'docker run -e POSTGRES_PASSWORD=postgres postgres:16',
    '# Use vault as the auth method configured here',
    'ssh-keygen -t ed25519 -N \\"\\" -f key2',
    ':Nread "machine id password path"',
  ],
  javascript: [
    "let token = 'identifier'",
    "const token = 'token1';",
    'const privateKey = jwtTestEC256PrivateKey',
    `d.querySelector('iframe[data-secret="'+t.secret+'"]')`,
    '"./token-utils2": "^1.2.3-beta.1"',
    "case 'token': return 'punctuation.definition.token2';",
    "fetch('/api/token:refresh1x')",
    "const paths = { token: '/api/v2/token/refresh1x' };",
    "password: 'form.login.password_label_2',",
  ],
  typescript: [
    'type A = { token: Token1; secret?: Uint8Array; apiKey: string | undefined }',
    'constructor(private readonly token: RefreshToken2) {}',
  ],
  python: [
    'secret=hashlib.sha256(x)',
    'secret = hashlib.sha256(b"x").hexdigest()',
    'login(url_password=api_pwd2, token=auth_token2)',
    'api_token=settings.TOKENS[0]',
    'from oauth2 import AccessToken2',
    'credentials = "%s:%s" % (user, pw)',
    'headers = {"X-metadata-token": imdsv2_session_token}',
    '    oauth2_client_secret: OAuth2 client secret to use.',
    'ADDITIONAL_CREDENTIALS: T1098.001',
    'hashedPassword = base64_encoded_64_byte_salt W',
    '"output_token": "Jobs[-1].JobId",',
    'max_token => 10_000, @_)',
    "token = 'mt19937'",
    'PrivateKey=RSA-2048',
    'PrivateKey=ALICE_cf_secp112r1',
    'PrivateKey = ALICE_zero_brainpoolP160r1',
    'private key: PKCS-12 form',
    'machine HOSTNAME login USERID password "PASSWORD"',
  ],
  go: [
    'Token: cfg.Tokens[i2],',
    'Authorization: daemon.configStore.AuthorizationPlugins2,',
    'password := os.Args[2]',
    'privateKey := rsa.key2',
  ],
  rust: ['"expired_token" => DeviceCodeErrorResponseType::ExpiredToken2,', 'let secret: [u8; 32] = derive32(key);', "token: &'a str2"],
  c: [
    'sk_X509_POLICY_NODE_pop_free(x)',
    'struct sk_buff_head_init_class_v2_x *p;',
    'sk_X509_EXTENSION_pop_free2(ext);',
    'const char *passwd = ssl_config2->key_passwd;',
  ],
  java: [
    '"SunTls12RsaPremasterSecret" : "SunTlsRsaPremasterSecret12"',
    'String token = tokens.get2();',
    'private Token token = Token.EOF2;',
  ],
  ruby: [
    'self.confirmation_token = @raw_confirmation_token2',
    'authorization = ActionController::HttpAuthentication::Basic.encode_credentials2',
  ],
  php: ["'password' => '/Validator/Constraints/UserPassword2.php',", '$password = $_POST["password2"];', "$dsn = 'mysql://%s:%s@host/db';"],
  powershell: ['$secPassword = ConvertTo-SecureString $password2 -AsPlainText', '$password = Get-AnsibleParam -obj $params2'],
  terraform: ['token = var.token1', 'password = module.db.password2', 'secret_key = data.vault_generic_secret.aws1.data["key"]'],
  css: ['--token: var(--color-fg-default2);', '.token.keyword2 { color: #07a; }', '--auth-key: 1.25rem;'],
  yaml: ['secretKey: vault-secret-key-2', 'password: !vault |', 'apiKey: {{ .Values.api.key2 }}'],
  sql: ["GRANT ALL TO app IDENTIFIED BY PASSWORD '*'", "INSERT INTO field (name, token) VALUES ('password2', 'token2')"],
  'tokens that name a place': [
    "progressToken: 'token-123',",
    'nextPageToken: "page-2-of-9b7"',
    'continuation_token = "abc123def456"',
    "{ NextToken: '9f8Kq2LmZx71' }",
  ],
  'names of secrets': [
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod-database-1-AbCdEf',
    'valueFrom: arn:aws-cn:secretsmanager:region:account-number:secret:myOwnTest-123456',
  ],
  translations: [
    '"password": "Wachtwoord"',
    '"password": "Contraseña"',
    '"password": "Пароль*"',
    '"password": "密码"',
    '"confirm_password": "Mot-de-passe:"',
    'msgid "password"\nmsgstr "Hasło"',
    'password=Lozinka',
  ],
  text: [
    'the Basic plan-number-2026-edition',
    'Bearer authentication-scheme-2 of the standard',
    'use the default login and password to avoid a prompt',
    '"-----BEGIN RSA PRIVATE KEY-----" is its first line, and 200 more follow',
    "if header == '-----BEGIN OPENSSH PRIVATE KEY-----':\n    return 'SSH2'",
    'HostKeyAlgorithms sk-ssh-ed25519-cert-v01@openssh.com,sk-ecdsa-sha2-nistp256@openssh.com',
    'postgres://user:password@host:5432/db',
    'azure-mgmt-authorization==2.0.0',
    'Set-Cookie: theme=dark-mode-contrast-2; Path=/',
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

describe('what holds no secret is shown as it is', () => {
  test.each(Object.entries(SHOWN))('%s', (_, texts) => {
    expect(texts.map(redact)).toEqual(texts);
  });
});

/** The same names with values that somebody chose or that were generated. */
const MASKED = [
  ['PWD=hunter2', 'hunter2'],
  ['password: aria2023', 'aria2023'],
  ["let token = '9f8Kq2LmZx71'", '9f8Kq2LmZx71'],
  ['"password": "Wachtwoord1"', 'Wachtwoord1'],
  ['secret=a8f5f167f44f4964e6c998dee827110c', 'a8f5f167f44f4964e6c998dee827110c'],
  ['aws_secret = "/xT4+Kq9LmZv71pQ8sWd3Rb6Yc2Nf5Hj0Ga1Ue4I"', '/xT4+Kq9LmZv71pQ8sWd3Rb6Yc2Nf5Hj0Ga1Ue4I'],
  ['password: "l0gin!"', 'l0gin!'],
  ['TOKEN=abc123', 'abc123'],
  ['password = hunter2', 'hunter2'],
  ['Server=db;Password=hunter2;', 'hunter2'],
  ["login(user='a', password='Cisco123')", 'Cisco123'],
  ['Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==', 'dXNlcjpwYXNzd29yZDEyMw=='],
  ['machine example.com login me password correcthorse', 'correcthorse'],
  ['default login me password correcthorse', 'correcthorse'],
  ['sk-a1B2c3D4e5F6g7H8i9J0', 'a1B2c3D4e5F6g7H8i9J0'],
  ['vault login 9f8Kq2LmZx71', '9f8Kq2LmZx71'],
] as const;

test.each(MASKED)('what is one is masked: %s', (text, secret) => {
  expect(redact(text)).not.toContain(secret);
});
