import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, sameInBoth } from '../../domain/language.ts';
import { printablePath } from '../../store/files/paths.ts';

/** `address` as it may be shown: without its password. */
export const refuseHub = (address: string, why: Bilingual, hint: Bilingual): SanbotError => {
  const shown = printablePath(address);
  return new SanbotError('refused', { en: `${shown}: ${why.en}`, zh: `${shown}：${why.zh}` }, hint);
};

const LATER: Bilingual = {
  en: 'Nothing is lost here: run sanbot sync again once the server answers.',
  zh: '本机没有丢失任何内容：服务器恢复后请再次运行 sanbot sync。',
};
const ADDRESS: Bilingual = {
  en: 'Check the address: postgres://ROLE@HOST:PORT/DATABASE.',
  zh: '请检查地址：postgres://ROLE@HOST:PORT/DATABASE。',
};
const PASSWORD: Bilingual = {
  en: 'Set PGPASSWORD, or add a line for the server to ~/.pgpass, and check the role in the address.',
  zh: '请设置 PGPASSWORD，或在 ~/.pgpass 中为该服务器添加一行，并检查地址中的角色。',
};
const RIGHTS: Bilingual = {
  en: 'Let the role in with sanbot hub init ADDRESS --member ROLE, as a role that may create a schema there.',
  zh: '请用可在那里创建模式的角色运行 sanbot hub init ADDRESS --member ROLE 为该角色授权。',
};
const TLS: Bilingual = {
  en: 'Name its authority with sslrootcert=FILE in the address. sslmode=no-verify does without the check, sslmode=disable without encryption.',
  zh: '请在地址中用 sslrootcert=FILE 指定其证书颁发机构。sslmode=no-verify 不做检查，sslmode=disable 不加密。',
};
const ROOM: Bilingual = {
  en: 'Nothing is lost here. Make room on its disk, or with sanbot hub retain, and run sanbot sync again.',
  zh: '本机没有丢失任何内容。请为其磁盘腾出空间，或使用 sanbot hub retain，然后再次运行 sanbot sync。',
};
const PRIMARY: Bilingual = { en: 'Name the primary server, not a replica of it.', zh: '请指定主服务器，而不是其副本。' };
const INIT: Bilingual = {
  en: 'Make it with sanbot hub init ADDRESS, as a role that may create a schema.',
  zh: '请用可以创建模式的角色运行 sanbot hub init ADDRESS 来建立。',
};

export const noHub = (address: string): SanbotError =>
  refuseHub(address, { en: 'there is no hub in this database', zh: '此数据库中没有 hub' }, INIT);

export const otherHub = (address: string): SanbotError =>
  refuseHub(
    address,
    { en: 'this is not the hub that was joined', zh: '这不是当初加入的 hub' },
    {
      en: 'Nothing was written. If it was made anew, join it again: sanbot hub join ADDRESS.',
      zh: '没有写入任何内容。若它是重新建立的，请再次加入：sanbot hub join ADDRESS。',
    },
  );

/** By the codes of PostgreSQL, of Node's sockets and of its TLS. */
const KINDS: readonly (readonly [RegExp, Bilingual, Bilingual])[] = [
  [/^28/, { en: 'the server does not let this role in', zh: '服务器拒绝此角色登录' }, PASSWORD],
  [/^3D000$/, { en: 'the server has no such database', zh: '服务器上没有此数据库' }, ADDRESS],
  [/^25006$/, { en: 'the server takes no changes', zh: '服务器不接受更改' }, PRIMARY],
  [/^53100$/, { en: 'its disk is full', zh: '其磁盘已满' }, ROOM],
  [/^(?:53300|57P03)$/, { en: 'the server takes no connection now', zh: '服务器目前不接受连接' }, LATER],
  [/^(?:57P0[12]|08\w{3}|ECONNRESET|EPIPE|CUT)$/, { en: 'the connection broke', zh: '连接已中断' }, LATER],
  [/^42501$/, { en: 'no rights', zh: '没有权限' }, RIGHTS],
  [
    /^42704$/,
    { en: 'no such role', zh: '没有此角色' },
    { en: 'Make the role first: create role NAME login.', zh: '请先创建该角色：create role NAME login。' },
  ],
  [/^(?:42P01|3F000|42703)$/, { en: 'its schema is not that of a hub of this SanBot', zh: '其模式不是此版本 SanBot 的 hub 模式' }, INIT],
  [/^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/, { en: 'no server answers', zh: '没有服务器应答' }, ADDRESS],
  [/CERT|SIGNATURE|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/, { en: 'its identity could not be verified', zh: '无法验证其身份' }, TLS],
];

/** What pg throws, as a line with what, where and what next. */
export function asHubFailure(
  error: unknown,
  { address, secret }: { readonly address: string; readonly secret: string | undefined },
): unknown {
  if (error instanceof SanbotError || !(error instanceof Error)) return error;
  const said = error.message.split('\n')[0] ?? '';
  const given = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // pg has no code for a connection that ends.
  const code = given === '' && /connection terminated|connection ended|not queryable/i.test(said) ? 'CUT' : given;
  // What is no answer of the server, and not of the network, is a fault of the program.
  const isFault = code === '' ? !/SSL|password|connection|timeout|queryable/i.test(said) : /^ERR_(?!TLS|SSL)/.test(code);
  if (isFault) return error;
  const told = said || code;
  const detail = printablePath(secret === undefined || secret === '' ? told : told.replaceAll(secret, '***'));
  // pg has no code for these two.
  if (/does not support SSL/.test(said)) return refuseHub(address, { en: 'the server offers no TLS', zh: '服务器不提供 TLS' }, TLS);
  if (/password must be a |no password/i.test(said))
    return refuseHub(address, { en: 'the server asks for a password', zh: '服务器要求密码' }, PASSWORD);
  const [, why = sameInBoth(''), hint = LATER] = KINDS.find(([pattern]) => pattern.test(code)) ?? [];
  const text = why.en === '' ? sameInBoth(detail) : { en: `${why.en} (${detail})`, zh: `${why.zh}（${detail}）` };
  return refuseHub(address, text, hint);
}
