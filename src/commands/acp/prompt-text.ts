import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoted } from '../../agent/hooks/hooks.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { redact } from '../../domain/value/redact.ts';
import type { PromptBlock } from './protocol.ts';

/** Puts what the editor hands over into a file of the user's own, and returns its path. */
export type GiveFile = (bytes: Buffer, name: string) => string;

const endings: ReadonlyMap<string | null | undefined, string> = new Map([
  ...[['image/png', 'png'] as const, ['image/jpeg', 'jpg'] as const, ['image/gif', 'gif'] as const, ['image/webp', 'webp'] as const],
  ['application/pdf', 'pdf'],
]);

/**
 * What an editor sends as one message: links to files and images are named with @, as a person would at the prompt, and what it embeds stands
 * between tags with its path. That is a file's content and not their words: masked as every file, and quoted, so that nothing in it is taken
 * for what they want from now on.
 */
export function promptText(blocks: readonly PromptBlock[], give: GiveFile, { redactSecrets }: { readonly redactSecrets: boolean }): string {
  let text = '';
  const mention = (path: string): void => {
    text += `${/(?:^|\s)$/.test(text) ? '' : ' '}@"${path}" `;
  };
  for (const block of blocks) {
    if (block.type === 'text') text += block.text;
    else if (block.type === 'image') mention(give(Buffer.from(block.data, 'base64'), `image.${endings.get(block.mimeType) ?? 'bin'}`));
    else if (block.type === 'resource_link') {
      const path = pathOf(block.uri);
      if (path === undefined || /["\n]/.test(path)) text += `[${block.name}](${block.uri})`;
      else mention(path);
    } else if (block.type === 'resource') {
      const { resource } = block;
      const path = pathOf(resource.uri) ?? resource.uri;
      const ending = 'blob' in resource ? endings.get(resource.mimeType) : undefined;
      if ('text' in resource)
        text += `\n<file path=${JSON.stringify(path)}>\n${quoted(redactSecrets ? redact(resource.text) : resource.text)}\n</file>\n`;
      else if (ending !== undefined) mention(give(Buffer.from(resource.blob, 'base64'), `file.${ending}`));
      else text += `[${basename(path)}](${resource.uri})`;
    }
  }
  return text.trim();
}

/** Of a file on this machine; lines that its address names are none of its path. */
const pathOf = (uri: string): string | undefined => {
  if (!uri.startsWith('file:')) return undefined;
  return orUndefined(() => fileURLToPath(uri.replace(/[?#].*$/s, '')));
};
