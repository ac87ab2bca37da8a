import { resolve } from 'node:path';
import type { ContentBlock } from '../../domain/session/message.ts';
import type { Runtime } from '../runtime.ts';
import type { Conversation } from './types.ts';

/** So many in one message. */
const MAX_ATTACHMENTS = 10;

export type Attachments = {
  readonly blocks: readonly ContentBlock[];
  /** Why others are not there, one line each. */
  readonly problems: readonly string[];
};

/**
 * The images and PDFs that a person names as @file or @"a file", as blocks for a model that sees. Other files stay words: the model reads
 * what it needs of them. Never rejects.
 */
export async function attachmentsIn(text: string, cwd: string): Promise<Attachments> {
  const names = [...text.matchAll(/(?:^|\s)@(?:"([^"\n]{1,1000})"|(\S{1,1000}))/g)].map(([, quoted, plain = '']) => quoted ?? plain);
  if (names.length === 0) return { blocks: [], problems: [] };
  const { readMedia } = await import('../../tools/files/media.ts');
  const blocks: ContentBlock[] = [];
  const problems: string[] = [];
  for (const name of new Set(names)) {
    if (blocks.length >= MAX_ATTACHMENTS) {
      problems.push(`Only the first ${MAX_ATTACHMENTS} images and PDFs go with what you said.`);
      break;
    }
    // A sentence may end behind the name.
    const spellings = [...new Set([name, name.replace(/[.,;:!?)]+$/, '')])];
    for (const spelling of spellings) {
      const media = await readMedia(resolve(cwd, spelling)).catch(() => undefined);
      if (media === undefined || media.kind === 'other') continue;
      if (media.kind === 'media') blocks.push(media.block);
      else problems.push(`${spelling} ${media.why}`);
      break;
    }
  }
  return { blocks, problems };
}

/** What the user names with @ and the model that answers can see; what is wrong with others is told. */
export async function attach(
  text: string,
  { session, deps }: Pick<Conversation, 'session' | 'deps'>,
  { environment }: Pick<Runtime, 'environment'>,
): Promise<readonly ContentBlock[]> {
  if (deps.model.facts(session.model).seesImages !== true) return [];
  const { blocks, problems } = await attachmentsIn(text, environment.cwd());
  for (const message of problems) deps.report.emit({ type: 'warning', message });
  return blocks;
}
