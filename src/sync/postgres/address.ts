import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { refuseHub } from './failure.ts';

const FORM = {
  en: 'It has to be postgres://ROLE@HOST:PORT/DATABASE, with ?sslmode=verify-full (which it is by default), no-verify or disable.',
  zh: '格式应为 postgres://ROLE@HOST:PORT/DATABASE，可带 ?sslmode=verify-full（默认）、no-verify 或 disable。',
};

const PARAMETERS = ['sslmode', 'sslrootcert'];

/** The address without its password, as it may be shown. */
export function shownAddress(address: string): string {
  const url = orUndefined(() => new URL(address));
  // What cannot be read may hold a password anywhere, and so may one with a mark of an address in its password.
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol) || url.username === '') return 'postgres://…';
  url.password = '';
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (!PARAMETERS.includes(name)) url.searchParams.delete(name);
  return url.href;
}

type Env = Readonly<Record<string, string | undefined>>;

/** What the driver needs; nothing else of the environment decides where it goes. Throws refused for an address that says less, or more. */
export function parseAddress(address: string, env: Env): ClientConfig & { readonly user: string; readonly password: string | undefined } {
  const shown = shownAddress(address);
  const url = orUndefined(() => new URL(address));
  const refuse = () => refuseHub(shown, { en: 'this is no address of a hub', zh: '这不是 hub 的地址' }, FORM);
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) throw refuse();
  const [user, password, database] = [url.username, url.password, url.pathname.slice(1)].map(
    (part) => orUndefined(() => decodeURIComponent(part)) ?? '',
  );
  const mode = url.searchParams.get('sslmode') ?? 'verify-full';
  const ca = url.searchParams.get('sslrootcert');
  const isKnown = [...url.searchParams.keys()].every((name) => PARAMETERS.includes(name));
  if (!user || !database || url.hostname === '' || !isKnown || !['verify-full', 'no-verify', 'disable'].includes(mode)) throw refuse();
  const authority = ca === null ? undefined : orUndefined(() => readFileSync(ca, 'utf8'));
  if (ca !== null && authority === undefined)
    throw refuseHub(shown, { en: 'the file of sslrootcert cannot be read', zh: '无法读取 sslrootcert 指定的文件' }, FORM);
  return {
    ...{ user, database, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 5432) },
    password: env.PGPASSWORD || password || passwordInFile([url.hostname, url.port || '5432', database, user], env),
    ssl: mode === 'disable' ? false : { rejectUnauthorized: mode === 'verify-full', ...(authority !== undefined && { ca: authority }) },
    ...{ application_name: 'sanbot', connectionTimeoutMillis: 15_000, query_timeout: 120_000, keepAlive: true },
  };
}

/** By the first line of PGPASSFILE, or of ~/.pgpass, that is for this server; like PostgreSQL's own programs not from a file that others may read. */
function passwordInFile(wanted: readonly string[], env: Env): string | undefined {
  const path = env.PGPASSFILE ?? join(env.HOME ?? '/', '.pgpass');
  const isOwn = orUndefined(() => (statSync(path).mode & 0o077) === 0);
  const lines = isOwn ? (orUndefined(() => readFileSync(path, 'utf8')) ?? '').split(/\r?\n/) : [];
  for (const line of lines) {
    const fields = (line.match(/(?:\\.|[^\\:])+/g) ?? []).map((field) => field.replace(/\\(.)/g, '$1'));
    if (!line.startsWith('#') && wanted.every((value, index) => fields[index] === '*' || fields[index] === value))
      return fields[wanted.length];
  }
  return undefined;
}
