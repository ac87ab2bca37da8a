import type { Bilingual } from '../language.ts';

/** Returns the `code` of a system error, such as ENOSPC; empty for anything else. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export const CONNECTION_CLOSED: Bilingual = { en: 'the connection was closed', zh: '连接被关闭' };

/** What the code of an error means, in words that follow a name and a colon; undefined for one that is not listed. */
export function errnoReason(error: unknown): Bilingual | undefined {
  const code = errnoOf(error);
  return Object.hasOwn(reasons, code) ? reasons[code] : undefined;
}

const reasons: Readonly<Record<string, Bilingual>> = {
  ENOENT: { en: 'no such file or folder', zh: '没有此文件或文件夹' },
  EACCES: { en: 'permission denied', zh: '没有权限' },
  EPERM: { en: 'not permitted', zh: '不允许此操作' },
  EISDIR: { en: 'is a folder', zh: '是文件夹' },
  ENOTDIR: { en: 'a part of the path is a file, not a folder', zh: '路径中有一部分是文件，不是文件夹' },
  EEXIST: { en: 'it already exists', zh: '它已存在' },
  EXDEV: { en: 'its folder spans two file systems', zh: '它的文件夹跨越两个文件系统' },
  ELOOP: { en: 'its symbolic links go round in a circle', zh: '符号链接循环' },
  ENAMETOOLONG: { en: 'the name is too long', zh: '名称太长' },
  EMFILE: { en: 'too many open files', zh: '打开的文件太多' },
  ENFILE: { en: 'too many open files', zh: '打开的文件太多' },
  ENOSPC: { en: 'no space left on the disk', zh: '磁盘空间不足' },
  EDQUOT: { en: 'the disk quota is used up', zh: '磁盘配额已用完' },
  E2BIG: { en: 'it is too long for the system', zh: '对系统来说太长' },
  EFBIG: { en: 'the file would be larger than this account may write', zh: '文件会超过此账户允许写入的大小' },
  EROFS: { en: 'the file system is read-only', zh: '文件系统是只读的' },
  EBUSY: { en: 'it is in use', zh: '正在使用中' },
  EAGAIN: { en: 'it has nothing to read now', zh: '现在没有可读的内容' },
  EIO: { en: 'the disk reports a read or write error', zh: '磁盘报告读写错误' },
  ECONNREFUSED: { en: 'connection refused', zh: '连接被拒绝' },
  ECONNRESET: { en: 'the connection was reset', zh: '连接被重置' },
  EHOSTUNREACH: { en: 'no route to the host', zh: '没有到主机的路由' },
  ENETUNREACH: { en: 'the network cannot be reached', zh: '网络不可达' },
  ENOTFOUND: { en: 'no such host', zh: '没有这个主机' },
  EAI_AGAIN: { en: 'the host name cannot be looked up now', zh: '现在无法解析主机名' },
  ETIMEDOUT: { en: 'no answer in time', zh: '没有及时应答' },
  ERR_STREAM_PREMATURE_CLOSE: CONNECTION_CLOSED,
  HPE_HEADER_OVERFLOW: { en: 'the headers of the answer are too large', zh: '应答的头部太大' },
};
