import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorReason, SanbotError } from '../../../domain/errors.ts';
import { because, localize } from '../../../domain/language.ts';
import { draftInstructions } from '../../../runtime/prompt/draft-instructions.ts';
import type { InstructionsPort } from '../../../terminal/chat/instructions-port.ts';
import type { Current } from './current.ts';

const NAMES = ['AGENTS.md', 'CLAUDE.md', 'SANBOT.md'];

export const createInstructionsPort = ({ runtime: { environment, trustsFolder } }: Current): InstructionsPort => ({
  draft: () => {
    const folder = environment.cwd();
    if (!trustsFolder)
      return {
        kind: 'refused',
        why: localize({
          en: 'This is your home folder or lies above it. Go into the folder of a project and start SanBot there.',
          zh: '这是你的主文件夹或其上级文件夹。请进入项目文件夹，在那里启动 SanBot。',
        }),
      };
    const existing = NAMES.find((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
    if (existing !== undefined)
      return {
        kind: 'refused',
        why: localize({
          en: `There is a ${existing} already, and it was not touched. Ask for what it should say besides, or move it away and try again.`,
          zh: `已经有 ${existing}，没有改动它。可以要求补充内容，或将它移走后重试。`,
        }),
      };
    return { kind: 'draft', path: join(folder, 'AGENTS.md'), text: draftInstructions(folder) };
  },
  write: ({ path, text }) => {
    try {
      writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      throw new SanbotError('store_failed', because({ en: 'AGENTS.md was not written', zh: '未能写入 AGENTS.md' }, errorReason(error)), {
        cause: error,
      });
    }
  },
});
