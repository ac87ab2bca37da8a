import { type Message, textOf } from '../../domain/session/message.ts';

/** The kind of the notice that the work goes on in another folder. */
const FOLDER_NOTICE = 'folder';

/** What such a notice says to the model, and the folder itself for us. */
export const folderNotice = (folder: string): Pick<Message, 'notice' | 'folder' | 'content'> => ({
  notice: FOLDER_NOTICE,
  folder,
  content: [{ type: 'text', text: `The working folder is now ${folder}.` }],
});

/** The folder that the newest such notice names; undefined when there is none, and the work is where the session began. */
export function workingFolderIn(messages: readonly Message[]): string | undefined {
  const newest = messages.findLast(({ notice }) => notice === FOLDER_NOTICE);
  return newest === undefined ? undefined : folderOf(newest);
}

/** The first notices of 0.1.0 named the folder in their text alone. */
const folderOf = ({ folder, content }: Message): string | undefined =>
  folder ?? /^The working folder is now (.+)\.$/.exec(textOf(content))?.[1];
