import { describe, expect, test } from 'vitest';
import { redact } from '../../../../../src/domain/value/redact.ts';

const KEY = 'Heron-4711-Leaf';

const commands: readonly string[] = [
  `mysql -p${KEY} -u root shop`,
  `mysqldump -u root -p'${KEY}' shop > a.sql`,
  `mysql --password=${KEY} shop`,
  `curl -u me:${KEY} https://example.com`,
  `curl -sS --user "me:${KEY}" https://example.com`,
  `curl -ume:${KEY} https://example.com`,
  `curl -H 'Authorization: Bearer ${KEY}' https://example.com`,
  `curl -H "X-Api-Key: ${KEY}" https://example.com`,
  `curl -H "Authorization: ${KEY}" https://example.com`,
  `curl -b "session=${KEY}" https://example.com`,
  `curl -H 'Cookie: a=1; sid=${KEY}' https://example.com`,
  `curl -x http://me:${KEY}@proxy:3128 https://example.com`,
  `git clone https://me:${KEY}@example.com/a.git`,
  `PGPASSWORD=${KEY} psql -h db shop`,
  `PGPASSWORD='${KEY}' psql -h db shop`,
  `MYSQL_PWD=${KEY} mysql shop`,
  `env REDISCLI_AUTH=${KEY} redis-cli`,
  `docker login -u me -p ${KEY} registry.example.com`,
  `docker login --username me --password ${KEY}`,
  `podman login -p=${KEY} quay.io`,
  `skopeo copy --dest-creds me:${KEY} docker://a docker://b`,
  `sshpass -p ${KEY} ssh me@host`,
  `sshpass -p${KEY} ssh me@host`,
  `redis-cli -h db -a ${KEY} ping`,
  `mongosh -u me -p ${KEY} db`,
  `sqlcmd -S db -U sa -P ${KEY} -Q "select 1"`,
  `aws configure set aws_secret_access_key ${KEY}`,
  `aws configure set profile.x.aws_session_token ${KEY}`,
  `npm config set //registry.npmjs.org/:_authToken ${KEY}`,
  `ldapsearch -x -D cn=admin -w ${KEY}`,
  `smbclient //host/share -U me%${KEY}`,
  `lftp -u me,${KEY} ftp.example.com`,
  `7z x -p${KEY} a.7z`,
  `unzip -P ${KEY} a.zip`,
  `openssl enc -d -aes-256-cbc -in a -pass pass:${KEY}`,
  `gpg --batch --passphrase ${KEY} -d a.gpg`,
  `az login --service-principal -u app -p ${KEY} --tenant t`,
  `kubectl create secret generic x --from-literal=anything=${KEY}`,
  `oc login --token=${KEY}`,
  `keytool -list -keystore a -storepass ${KEY}`,
  `doctl auth init -t ${KEY}`,
  `gh secret set NAME --body ${KEY}`,
  `vault login ${KEY}`,
  `cargo login ${KEY}`,
  `htpasswd -nb me ${KEY}`,
  `echo ${KEY} | docker login -u me --password-stdin`,
  `echo '${KEY}' | sudo -S apt install x`,
  `wget --user=me --password=${KEY} https://example.com`,
  `some-tool --api-key ${KEY} run`,
  `cd /srv && /usr/bin/mysql -h db -p${KEY}`,
  `bash -c "mysql -p${KEY} shop"`,
  `ssh host 'curl -u me:${KEY} http://localhost'`,
  `curl \\\n  -u me:${KEY} \\\n  https://example.com`,
];

describe('what a command is given as a secret is masked, and nothing else of it', () => {
  test.each(commands)('%s', (command) => {
    const shown = redact(command);
    expect(shown).not.toContain(KEY.slice(0, 8));
    expect(shown).not.toContain(KEY.slice(-8));
    expect(shown.replace(/\[redacted [a-z]+\]/g, KEY)).toBe(command);
    // The same in what a log keeps of it.
    expect(redact(JSON.stringify({ note: 'x', command }))).not.toContain(KEY.slice(0, 8));
    expect(redact(JSON.stringify(JSON.stringify({ command })))).not.toContain(KEY.slice(0, 8));
  });

  test.each([
    'mysql -p shop',
    'mysql -u root -P 3306 shop',
    'docker run -p 8080:80 nginx',
    'docker compose -p shop up',
    'curl -u "$USER:$PASSWORD" https://example.com',
    'curl -sSfL https://example.com/a.tar.gz',
    'curl -b cookies.txt https://example.com',
    'redis-cli -h db ping',
    'psql -h db -p 5432 shop',
    'mkdir -p a/b',
    'sshpass -p "$PW" ssh host',
    'aws configure set region eu-west-1',
    'npm config set registry https://registry.npmjs.org/',
    'git config set user.name me',
    'vault login -method=oidc',
    'gh secret list',
    'kubectl get secret x -o yaml',
    'unzip -p a.zip b.txt',
    'pass --token to the program, and curl does the rest',
  ])('but not in %s', (command) => {
    expect(redact(command)).toBe(command);
  });
});
