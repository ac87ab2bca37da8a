import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { warn } from '../../agent/deps.ts';
import { attachFiles, mayAttach } from '../../agent/turn/person-input.ts';
import { attachedNote } from '../../context/offload/media-stub.ts';
import type { AgentFile } from '../../domain/agent/agent.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { ContentBlock } from '../../domain/session/message.ts';
import type { MediaFile } from '../../tools/files/media/media.ts';
import type { Runtime } from '../runtime.ts';
import type { Conversation } from './types.ts';

/** So many in one message. */
const MAX_ATTACHMENTS = 10;
/** More words behind an @ are looked at by nobody: a text of any kind may have been pasted. */
const MAX_NAMES = 100;

type Shown = { readonly path: string; readonly label: Bilingual; readonly block: ContentBlock };

/**
 * What a person names as @file or @"a file": images and PDFs as blocks for a model that sees, other files by their paths, and why some are
 * not there, one line each. A name that leads to no file is a word like any other. Never rejects.
 */
async function attachmentsIn(text: string, folders: readonly string[], sees: boolean) {
  const names = new Set<string>();
  for (const [, quoted, plain = ''] of text.matchAll(/(?:^|\s)@(?:"([^"\n]{1,1000})"|(\S{1,1000}))/g)) {
    names.add(quoted ?? plain);
    if (names.size === MAX_NAMES) break;
  }
  const [media, texts, problems]: [Shown[], string[], Bilingual[]] = [[], [], []];
  for (const name of names) {
    const found = await fileNamed(name, folders);
    if (found === undefined) {
      if (text.length <= MAX_TYPED_CHARS && LOOKS_LIKE_FILE.test(name))
        problems.push({ en: `${name} is not sent along: there is no such file.`, zh: `未随消息发送 ${name}：没有这个文件。` });
      continue;
    }
    const { spelling, file } = found;
    if (media.length + texts.length >= MAX_ATTACHMENTS) {
      problems.push({
        en: `Only the first ${MAX_ATTACHMENTS} files go with what you said.`,
        zh: `只随消息发送前 ${MAX_ATTACHMENTS} 个文件。`,
      });
      break;
    }
    if (file.kind === 'other' || isReadAsText(file, sees)) texts.push(spelling);
    else if (!sees) continue;
    else if (file.kind === 'media') media.push({ path: spelling, label: file.label, block: file.block });
    else problems.push({ en: `${spelling} is not sent along: it ${file.why.en}`, zh: `未随消息发送 ${spelling}：${file.why.zh}` });
  }
  return { media, texts, problems };
}

const QUOTED_LINE = /^> .*$/gm;

/** In a longer text, which may have been pasted, a word with an @ is more often none of a file. */
const MAX_TYPED_CHARS = 500;
const LOOKS_LIKE_FILE = /^[\p{L}\p{N}_~./ -]{1,300}\.\p{L}[\p{L}\p{N}]{0,7}$/u;

/** A PDF for a model that does not see, or one that is too long to be shown. */
const isReadAsText = (file: Exclude<MediaFile, { kind: 'other' }>, sees: boolean): boolean =>
  file.kind === 'refused' ? file.pdf !== undefined : !sees && file.block.type === 'document';

/** A sentence may end behind the name. The working folder comes first; what is in another one is called by its whole path. */
async function fileNamed(
  name: string,
  folders: readonly string[],
): Promise<{ readonly spelling: string; readonly file: MediaFile } | undefined> {
  const { readMedia } = await import('../../tools/files/media/media.ts');
  const spellings = [...new Set([name, name.replace(/[.,;:!?)]+$/, '')])];
  for (const [at, folder] of folders.entries())
    for (const spelling of spellings) {
      const path = resolve(folder, spelling);
      const isFile = await stat(path).then(
        (stats) => stats.isFile(),
        () => false,
      );
      if (isFile) return { spelling: at === 0 ? spelling : path, file: await readMedia(path).catch((): MediaFile => ({ kind: 'other' })) };
    }
  return undefined;
}

/** What begins like the name of an agent is one, and not of a file. */
function unknownAgents(text: string, agents: readonly AgentFile[]): readonly Bilingual[] {
  const named = [...text.slice(0, MAX_TYPED_CHARS).matchAll(/(?:^|\s)@agent-([\p{L}\p{N}_-]{1,64})/gu)].map(([, name = '']) => name);
  const unknown = named.find((name) => !agents.some((agent) => agent.name === name));
  return unknown === undefined
    ? []
    : [{ en: `There is no agent ${unknown}. /agents lists them.`, zh: `没有代理 ${unknown}。/agents 列出所有代理。` }];
}

/**
 * What the user names with @: texts go into the conversation before it, and what the model can see goes with it, both with the permission
 * that a read of them needs: the words may be those of a page or a command that somebody else wrote. In a quoted line nothing is named: it
 * is somebody else's, as is a file that an editor embeds. What is wrong is told.
 */
export async function attach(
  said: string,
  { session, deps, tools }: Pick<Conversation, 'session' | 'deps' | 'tools'>,
  { environment, givenFiles, agents, folders }: Pick<Runtime, 'environment' | 'givenFiles' | 'agents' | 'folders'>,
  signal: AbortSignal,
): Promise<readonly ContentBlock[]> {
  const text = said.replace(QUOTED_LINE, '');
  if (!/(?:^|\s)@\S/.test(text)) return [];
  const sees = deps.model.facts(session.model).seesImages === true;
  const { media, texts, problems } = await attachmentsIn(text, [environment.cwd(), ...folders()], sees);
  for (const message of [...problems, ...unknownAgents(text, agents.agents)]) warn(deps.report.emit, message);
  const blocks: ContentBlock[] = [];
  for (const { path, label, block } of media) {
    if (!givenFiles.has(path) && !(await mayAttach(path, session, deps, { tools, signal }))) continue;
    blocks.push({ type: 'text', text: attachedNote(basename(path), label.en) }, block);
    deps.report.emit({ type: 'file_attached', path, note: label, stored: false });
  }
  await attachFiles(texts, session, deps, { tools, signal });
  return blocks;
}
