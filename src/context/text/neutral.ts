import { quoted } from './quote.ts';

/** Text as data inside a frame of ours: no tag in it opens or closes anything, and no secret is left in it. */
export const neutral = (text: string): string => quoted(text).replace(/<(?=[/!a-z])/gi, '&lt;');
