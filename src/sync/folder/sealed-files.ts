import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { FolderFiles } from './files.ts';

export const makeKey = (): Promise<string> => generateX25519Identity();

/** The public half of a key; undefined for a text that is no key of this kind (X25519). */
export const recipientOf = async (key: string): Promise<string | undefined> =>
  key.startsWith('AGE-SECRET-KEY-1') ? identityToRecipient(key).catch(() => undefined) : undefined;

/** The paths of files that were opened before, so that each is opened once for its name. */
type KnownPaths = { readonly read: () => readonly string[]; readonly write: (paths: readonly string[]) => void };

type Sealing = {
  readonly key: string;
  /** Of the folder: a file of one folder is none of another. */
  readonly id: string;
  readonly known: KnownPaths;
  /** Told how many files there are that cannot be opened. */
  readonly onUnopened: (count: number) => void;
};

/** Where the files lie, each in one of 256 folders. */
const PLACE = 'files';
const SEALED_NAME = /^[0-9a-f]{64}\.age$/;

/** What seals and opens the files of one folder. `bytes` of a file are a line with an HMAC of all that follows and the path, then its own. */
function sealing(key: string, id: string) {
  const derive = (what: string) => Buffer.from(hkdfSync('sha256', key, id, `sanbot sync ${what}`, 32));
  const [forNames, forContents] = [derive('names'), derive('contents')];
  const nameOf = (path: string): string => `${createHmac('sha256', forNames).update(path).digest('hex')}.age`;
  const macOf = (path: string, bytes: Uint8Array): Buffer => createHmac('sha256', forContents).update(`${path}\n`).update(bytes).digest();
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  const recipient = recipientOf(key);
  return {
    nameOf,
    seal: async (path: string, bytes: Buffer): Promise<Buffer> => {
      const encrypter = new Encrypter();
      encrypter.addRecipient((await recipient) ?? '');
      const line = Buffer.from(`${macOf(path, bytes).toString('hex')} ${path}\n`);
      return Buffer.from(await encrypter.encrypt(Buffer.concat([line, bytes])));
    },
    /** Undefined for what is not whole, not ours, or under a wrong name. */
    open: async (name: string, file: Buffer) => {
      const opened = await decrypter.decrypt(file).catch(() => undefined);
      if (opened === undefined) return undefined;
      const plain = Buffer.from(opened.buffer, opened.byteOffset, opened.length);
      const end = plain.indexOf(0x0a);
      const path = plain.toString('utf8', MAC_DIGITS + 1, Math.max(end, 0));
      const [mac, bytes] = [Buffer.from(plain.toString('latin1', 0, MAC_DIGITS), 'hex'), plain.subarray(end + 1)];
      const isOurs = mac.length * 2 === MAC_DIGITS && timingSafeEqual(mac, macOf(path, bytes)) && nameOf(path) === name;
      return isOurs ? { path, bytes } : undefined;
    },
  };
}

const MAC_DIGITS = 64;

const placeOf = (name: string): string => `${PLACE}/${name.slice(0, 2)}/${name}`;

/**
 * Files in a folder that shows nothing of them but their sizes. A name is the HMAC of a path; what the file holds is encrypted with age to
 * the key. The HMAC in it is what tells a file of ours from another's, for whoever knows the public half of the key can encrypt to it.
 */
export function sealedFiles(inner: FolderFiles, { key, id, known, onUnopened }: Sealing): FolderFiles {
  const { nameOf, seal, open } = sealing(key, id);
  const opened = async (name: string) => {
    const file = await inner.read(placeOf(name));
    return file === undefined ? undefined : open(name, file);
  };

  let paths: Promise<Set<string>> | undefined;
  async function look(): Promise<Set<string>> {
    const found = new Set<string>();
    const earlier = known.read();
    const byName = new Map(earlier.map((path) => [nameOf(path), path]));
    let unopened = 0;
    for (const part of await inner.names(PLACE))
      for (const name of /^[0-9a-f]{2}$/.test(part) ? await inner.names(`${PLACE}/${part}`) : []) {
        if (!SEALED_NAME.test(name) || !name.startsWith(part)) continue;
        const path = byName.get(name) ?? (await opened(name))?.path;
        if (path === undefined) unopened += 1;
        else found.add(path);
      }
    if (found.size !== earlier.length || earlier.some((path) => !found.has(path))) known.write([...found]);
    if (unopened > 0) onUnopened(unopened);
    return found;
  }

  return {
    names: async (folder) => {
      // The top is asked for when an exchange begins.
      if (paths === undefined || !folder.includes('/')) paths = look();
      const below = [...(await paths)].filter((path) => path.startsWith(`${folder}/`));
      return [...new Set(below.map((path) => path.slice(folder.length + 1).replace(/\/.*/, '')))].sort();
    },
    read: async (path) => (await opened(nameOf(path)))?.bytes,
    write: async (path, bytes, point) => {
      await inner.write(placeOf(nameOf(path)), await seal(path, bytes), point);
      (await paths)?.add(path);
    },
    remove: async (path, point) => {
      await inner.remove(placeOf(nameOf(path)), point);
      (await paths)?.delete(path);
    },
    tooLarge: (path) => inner.tooLarge(placeOf(nameOf(path))),
  };
}
