import { type Bilingual, joinTexts, sameInBoth } from '../language.ts';
import { imageSize } from '../value/image-size.ts';
import { isObject, isString } from '../value/json.ts';
import { type ContentBlock, isToolResult } from './message.ts';

export const isMedia = (block: ContentBlock): boolean => block.type === 'image' || block.type === 'document';

export const mediaIn = (content: readonly ContentBlock[]): readonly ContentBlock[] =>
  content.flatMap((block) => {
    if (isMedia(block)) return [block];
    return isToolResult(block) && Array.isArray(block.content) ? mediaIn(block.content) : [];
  });

/** Puts text in the place of each image or document that `replace` has one for; blocks without stay the same objects. */
export function replaceMedia(
  content: readonly ContentBlock[],
  replace: (block: ContentBlock) => string | undefined,
): readonly ContentBlock[] {
  const replaced = content.map((block): ContentBlock => {
    if (isMedia(block)) {
      const text = replace(block);
      return text === undefined ? block : { type: 'text', text };
    }
    if (!isToolResult(block) || !Array.isArray(block.content)) return block;
    const inner = replaceMedia(block.content, replace);
    return inner === block.content ? block : { ...block, content: inner };
  });
  return replaced.some((block, at) => block !== content[at]) ? replaced : content;
}

export type MediaSource = { readonly mediaType: string; readonly data: string };

export function mediaSource({ source }: ContentBlock): MediaSource | undefined {
  if (!isObject(source) || source.type !== 'base64' || !isString(source.data) || !isString(source.media_type)) return undefined;
  return MEDIA_TYPE.test(source.media_type) ? { mediaType: source.media_type, data: source.data } : undefined;
}

const MEDIA_TYPE = /^[a-z]{1,20}\/[a-z0-9.+-]{1,60}$/;

const kindNames: Readonly<Record<string, Bilingual>> = {
  'image/png': { en: 'PNG image', zh: 'PNG 图片' },
  'image/jpeg': { en: 'JPEG image', zh: 'JPEG 图片' },
  'image/gif': { en: 'GIF image', zh: 'GIF 图片' },
  'image/webp': { en: 'WebP image', zh: 'WebP 图片' },
  'application/pdf': sameInBoth('PDF'),
};

/** What it is, by its own bytes: "PNG image, 60 × 40 pixels, 300 bytes". */
export const describeMedia = (block: ContentBlock): string => mediaText(block).en;

export function mediaText(block: ContentBlock, pages?: number): Bilingual {
  const isImage = block.type === 'image';
  const name = isImage ? { en: 'image', zh: '图片' } : { en: 'document', zh: '文档' };
  const source = mediaSource(block);
  if (source === undefined) return name;
  const { mediaType, data } = source;
  const size = isImage ? imageSize(data) : undefined;
  const parts: readonly Bilingual[] = [
    kindNames[mediaType] ?? { en: `${name.en} (${mediaType})`, zh: `${name.zh}（${mediaType}）` },
    ...(size === undefined ? [] : [{ en: `${size.width} × ${size.height} pixels`, zh: `${size.width} × ${size.height} 像素` }]),
    ...(pages === undefined ? [] : [{ en: `${pages} page${pages === 1 ? '' : 's'}`, zh: `${pages} 页` }]),
    { en: `${base64Bytes(data)} bytes`, zh: `${base64Bytes(data)} 字节` },
  ];
  return joinTexts(parts, { en: ', ', zh: '，' });
}

const base64Bytes = (data: string): number => Math.floor((data.replace(/={1,2}$/, '').length * 3) / 4);

const URI = /^data:([a-z]{1,20}\/[a-z0-9.+-]{1,60});base64,/;

/** The text that stands for an image or a document in a file, so that it can be seen again; undefined when its content is not here. */
export function mediaBody(block: ContentBlock): string | undefined {
  const source = mediaSource(block);
  return source === undefined ? undefined : `data:${source.mediaType};base64,${source.data}`;
}

/** The block of which `mediaBody` made this text; undefined for any other text. */
export function mediaInBody(body: string): ContentBlock | undefined {
  const [prefix, mediaType = ''] = URI.exec(body.slice(0, 200)) ?? [];
  if (prefix === undefined) return undefined;
  const type = mediaType.startsWith('image/') ? 'image' : 'document';
  return { type, source: { type: 'base64', media_type: mediaType, data: body.slice(prefix.length) } };
}
