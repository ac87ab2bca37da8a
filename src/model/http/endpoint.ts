import { SanbotError } from '../../domain/errors.ts';

/** Where requests go, and with which key. */
export type Endpoint = {
  readonly baseUrl: string;
  readonly host: string;
  readonly key: Key;
  /** Headers that the user has set for it, by their names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What should answer there, and the settings that hold the address: for error messages. */
  readonly api: string;
  readonly addressSettings: string;
};

/** `from` names the setting that the key came from. */
export type Key = { readonly kind: 'api_key' | 'token'; readonly value: string; readonly from: string } | { readonly kind: 'none' };

/** Reads an address; `from` names the setting that holds it. Throws model_unreachable when it is none. */
export function parseAddress(address: string, from: string): URL {
  const text = address.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new SanbotError('model_unreachable', {
      en: `${from} is not an http(s) address: ${text}`,
      zh: `${from} 不是 http(s) 地址：${text}`,
    });
  }
  return url;
}

/** Reads a key. Throws model_key, and does not print it, when no header can carry it. */
export function readKey(kind: 'api_key' | 'token', raw: string, from: string): Key {
  const value = raw.trim();
  // The error of the network layer would print it.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new SanbotError('model_key', { en: `${from} contains characters that no key has.`, zh: `${from} 含有密钥中不会有的字符。` });
  return { kind, value, from };
}

export const isSet = (value: string | null | undefined): value is string => typeof value === 'string' && value.trim() !== '';
