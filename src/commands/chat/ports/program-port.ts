import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorReason, SanbotError } from '../../../domain/errors.ts';
import { because, localize } from '../../../domain/language.ts';
import { expandCommand } from '../../../domain/session/skill.ts';
import { draftInstructions } from '../../../runtime/prompt/draft-instructions.ts';
import type { Settings } from '../../../runtime/settings.ts';
import type { InstructionsPort, McpPort, PermissionsPort, SettingsPort, SkillsPort } from '../../../terminal/chat/program-port.ts';
import { addRule, removeRule, shownPermissions } from '../../config/change-permissions.ts';
import { configTable, effectiveSettings } from '../../config/config-table.ts';
import { answeringView, changedRows, serverRows, viewOf } from '../../mcp/mcp-rows.ts';
import type { Current } from './current.ts';

export const createSettingsPort = ({ conversation }: Current, settings: Settings): SettingsPort => ({
  table: (keyPrefix, columns) => configTable(settings, { columns, keyPrefix }),
  keys: () => effectiveSettings(settings).map(({ key }) => key),
  tools: () => conversation().session.context.tools,
});

export const createPermissionsPort = ({ runtime: { permissions, modes, folders, addFolder } }: Current): PermissionsPort => ({
  view: () => ({ ...shownPermissions(permissions), mode: modes.current() }),
  add: (kind, rule) => void addRule(permissions, kind, rule),
  remove: (number) => void removeRule(permissions, number),
  ...{ folders, addFolder },
  nextMode: modes.next,
  changeMode: modes.change,
  setReadOnlyCommands: (value) => permissions.change((settings) => ({ ...settings, readOnlyCommands: value })),
});

export const createMcpPort = ({ runtime: { mcp } }: Current): McpPort => ({
  // Before the first message none has been asked for yet.
  servers: () => {
    mcp.start();
    return serverRows(mcp);
  },
  changed: async (server, signal) => changedRows(await answeringView(mcp, server, signal)),
  approve: (server) => mcp.server(viewOf(mcp, server).name)?.server.agree(),
});

export const createSkillsPort = ({ runtime: { skills, commands, agents } }: Current): SkillsPort => ({
  commands: () => commands.commands.map(({ body, ...command }) => ({ ...command, expand: (typed) => expandCommand(body, typed) })),
  list: () => skills.skills,
  agents: () => agents,
  problems: () => skills.problems,
  broken: (name) => commands.broken.get(name),
});

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
          en: `${existing} exists already and was not touched. Ask for what else it should say, or move it away and try again.`,
          zh: `已经有 ${existing}，没有改动它。可以要求补充内容，或将它移走后重试。`,
        }),
      };
    return { kind: 'draft', path: join(folder, 'AGENTS.md'), text: draftInstructions(folder) };
  },
  write: ({ path, text }) => {
    try {
      writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      throw new SanbotError(
        'store_failed',
        because({ en: 'AGENTS.md was not written', zh: '未能写入 AGENTS.md' }, errorReason(error)),
        undefined,
        error,
      );
    }
  },
});
