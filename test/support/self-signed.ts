import { createSign, generateKeyPairSync } from 'node:crypto';

/** A key and a certificate for a host, made for one test run: nobody trusts it, and nothing secret lies in the repository. */
export function selfSigned(host: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(tagged(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const commonName = sequence(tagged(0x06, Buffer.from('550403', 'hex')), tagged(0x0c, Buffer.from(host)));
  const name = sequence(tagged(0x31, commonName));
  const validity = sequence(tagged(0x17, Buffer.from('200101000000Z')), tagged(0x17, Buffer.from('491231235959Z')));
  const serial = tagged(0x02, Buffer.from([1]));
  const body = sequence(serial, ecdsaWithSha256, name, validity, name, publicKey.export({ type: 'spki', format: 'der' }));
  const signature = createSign('SHA256').update(body).sign(privateKey);
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));

const tagged = (tag: number, content: Buffer): Buffer => {
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
