export type ImageSize = { readonly width: number; readonly height: number };

/**
 * The size in pixels of a PNG, JPEG, GIF or WebP, from some bytes of its header; total. Our own, since image-size 2.1.0 needs the bytes
 * decoded and misses JPEGs with padded markers, rarer frames or odd camera data.
 */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = byteReader(base64);
  for (const read of [pngSize, gifSize, webpSize, jpegSize]) {
    const size = read(bytes);
    if (size !== undefined) return size.width > 0 && size.height > 0 ? size : undefined;
  }
  return undefined;
}

/** Returns `count` bytes from an offset; fewer where the text ends, none where it is not base64. */
type ReadBytes = (offset: number, count: number) => readonly number[];

const byteReader =
  (base64: string): ReadBytes =>
  (offset, count) => {
    const group = Math.floor(offset / 3);
    const last = Math.ceil((offset + count) / 3);
    const slice = base64.slice(group * 4, last * 4).replace(/={1,2}$/, '');
    if (!/^[A-Za-z0-9+/]*$/.test(slice) || slice.length % 4 === 1) return [];
    const decoded = atob(slice);
    return Array.from(decoded, (char) => char.charCodeAt(0)).slice(offset - group * 3, offset - group * 3 + count);
  };

const startsWith = (bytes: ReadBytes, offset: number, text: string): boolean =>
  bytes(offset, text.length).length === text.length && bytes(offset, text.length).every((byte, at) => byte === text.charCodeAt(at));

const bigEndian = (bytes: ReadBytes, offset: number, count: number): number | undefined => toNumber(bytes(offset, count), count);
const littleEndian = (bytes: ReadBytes, offset: number, count: number): number | undefined =>
  toNumber(bytes(offset, count).toReversed(), count);
const toNumber = (values: readonly number[], count: number): number | undefined =>
  values.length < count ? undefined : values.reduce((sum, byte) => sum * 256 + byte, 0);

const sizeFrom = (width: number | undefined, height: number | undefined): ImageSize | undefined =>
  width === undefined || height === undefined ? undefined : { width, height };

const pngSize = (bytes: ReadBytes): ImageSize | undefined =>
  startsWith(bytes, 0, '\x89PNG\r\n\x1a\n') && startsWith(bytes, 12, 'IHDR')
    ? sizeFrom(bigEndian(bytes, 16, 4), bigEndian(bytes, 20, 4))
    : undefined;

const gifSize = (bytes: ReadBytes): ImageSize | undefined =>
  startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a')
    ? sizeFrom(littleEndian(bytes, 6, 2), littleEndian(bytes, 8, 2))
    : undefined;

/** Lossy, lossless and extended files each store the size in their own way, in the first chunk. */
function webpSize(bytes: ReadBytes): ImageSize | undefined {
  if (!startsWith(bytes, 0, 'RIFF') || !startsWith(bytes, 8, 'WEBP')) return undefined;
  if (startsWith(bytes, 12, 'VP8 ') && startsWith(bytes, 23, '\x9d\x01\x2a'))
    return sizeFrom(low14(littleEndian(bytes, 26, 2)), low14(littleEndian(bytes, 28, 2)));
  if (startsWith(bytes, 12, 'VP8L') && startsWith(bytes, 20, '\x2f')) {
    const bits = littleEndian(bytes, 21, 4);
    return bits === undefined ? undefined : { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (!startsWith(bytes, 12, 'VP8X')) return undefined;
  const [width, height] = [littleEndian(bytes, 24, 3), littleEndian(bytes, 27, 3)];
  return width === undefined || height === undefined ? undefined : { width: width + 1, height: height + 1 };
}

const low14 = (value: number | undefined): number | undefined => (value === undefined ? undefined : value & 0x3fff);

/** Cameras and editors put a dozen segments before the one with the size; skipping one always costs the same. */
const MAX_SEGMENTS = 200;

function jpegSize(bytes: ReadBytes): ImageSize | undefined {
  if (!startsWith(bytes, 0, '\xff\xd8')) return undefined;
  let offset = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    const [prefixByte, marker] = bytes(offset, 2);
    if (prefixByte !== 0xff || marker === undefined) return undefined;
    if (marker === 0xff) offset += 1;
    else if (isFrame(marker)) return sizeFrom(bigEndian(bytes, offset + 7, 2), bigEndian(bytes, offset + 5, 2));
    else if (isStandalone(marker)) offset += 2;
    else {
      const length = bigEndian(bytes, offset + 2, 2);
      // The picture itself begins, or the length would not lead to the next segment.
      if (marker === START_OF_SCAN || length === undefined || length < 2) return undefined;
      offset += 2 + length;
    }
  }
  return undefined;
}

const START_OF_SCAN = 0xda;
/** C4, C8 and CC are in this range but are not frames. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isStandalone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);
