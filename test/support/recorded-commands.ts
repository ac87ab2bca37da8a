import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTranscript } from '../../src/commands/sessions/recordings/import-transcript.ts';
import { isToolUse } from '../../src/domain/session/message.ts';
import { isObject } from '../../src/domain/value/json.ts';
import { root } from './source.ts';

const folder = process.env.SANBOT_TEST_TRANSCRIPTS ?? join(root, '..', 'shared', 'transcripts');

/** The recordings beside the project; none where there are none. */
export const recordingNames: readonly string[] = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.(?:jsonl?|traj)$/.test(name) && !name.includes('chinese'),
    )
  : [];

const commandIn = (input: unknown): readonly string[] => (isObject(input) && typeof input.command === 'string' ? [input.command] : []);

/** The commands of each recorded conversation in which there is one, with the folder that they ran in. */
export const recordedCommands = (name: string): readonly { readonly cwd: string; readonly commands: readonly string[] }[] =>
  importTranscript(name, readFileSync(join(folder, name), 'utf8'))
    .map(({ cwd = '/project', steps }) => ({
      cwd,
      commands: steps.flatMap((step) =>
        step.type === 'reply' ? step.content.flatMap((block) => (isToolUse(block) ? commandIn(block.input) : [])) : [],
      ),
    }))
    .filter(({ commands }) => commands.length > 0);
