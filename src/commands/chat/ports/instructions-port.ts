import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SanbotError } from '../../../domain/errors.ts';
import { draftInstructions } from '../../../runtime/prompt/draft-instructions.ts';
import type { InstructionsPort } from '../../../terminal/chat/instructions-port.ts';
import type { Current } from './current.ts';

const NAMES = ['AGENTS.md', 'CLAUDE.md', 'SANBOT.md'];

export const createInstructionsPort = ({ runtime: { environment, trustsFolder } }: Current): InstructionsPort => ({
  draft: () => {
    const folder = environment.cwd();
    if (!trustsFolder)
      return { kind: 'refused', why: 'This is your home folder or lies above it. Go into the folder of a project and start SanBot there.' };
    const existing = NAMES.find((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
    if (existing !== undefined)
      return {
        kind: 'refused',
        why: `There is a ${existing} already, and it was not touched. Ask for what it should say besides, or move it away and try again.`,
      };
    return { kind: 'draft', path: join(folder, 'AGENTS.md'), text: draftInstructions(folder) };
  },
  write: ({ path, text }) => {
    try {
      writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      throw new SanbotError('store_failed', `AGENTS.md was not written: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  },
});
