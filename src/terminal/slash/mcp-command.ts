import { localize, sameInBoth } from '../../domain/language.ts';
import type { McpPort } from '../chat/program-port.ts';
import { noText } from '../input/input-text.ts';
import { NO, YES } from '../input/questions.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { changedText, serversText } from '../views/mcp-text.ts';
import { type CommandUi, printLine, type SlashCommand } from './command.ts';

/** Shows what has changed in a server, and asks whether it may be used. */
async function approveServer(name: string, mcp: McpPort, ui: CommandUi): Promise<void> {
  const changed = mcp.changed(name);
  if (changed.length === 0)
    return printLine(ui, 'plain', { en: `Nothing of ${name} waits for your yes.`, zh: `${name} 没有需要你同意的内容。` });
  ui.screen.block(changedText(name, changed, ui.columns()));
  if (ui.questions === undefined)
    return printLine(ui, 'bad', {
      en: `Nothing is changed: there is nobody to ask here. sanbot mcp approve ${name} --yes agrees to it.`,
      zh: `没有做任何更改：这里没有人可以询问。sanbot mcp approve ${name} --yes 表示同意。`,
    });
  const question = localize({ en: 'May its tools be used as they are now?', zh: '可以按现在的样子使用它的工具吗？' });
  const choices = [
    { name: noText(), value: false, words: NO },
    { name: localize({ en: 'Yes, and until they change again', zh: '是，直到它们再次变化' }), value: true, words: YES },
  ];
  if (!(await ui.questions.decide(question, choices, new AbortController().signal)))
    return printLine(ui, 'plain', { en: 'Nothing is changed.', zh: '没有做任何更改。' });
  mcp.approve(name);
  printLine(ui, 'plain', { en: `The tools of ${name} are used as they are now.`, zh: `${name} 的工具现在可以使用。` });
}

/** `/mcp` shows the servers; `/mcp approve NAME` agrees to one. */
export const slashMcp: SlashCommand = {
  name: 'mcp',
  argumentHint: { en: '[approve server]', zh: '[approve 服务器]' },
  example: sameInBoth('/mcp approve files'),
  description: { en: 'your MCP servers; agree to tools that changed', zh: '你的 MCP 服务器；批准有变化的工具' },
  choices: ({ mcp }) =>
    mcp.servers().flatMap(({ name, changed }) => {
      const detail = { en: `${pluralize(changed, 'tool')} changed`, zh: `${formatCount(changed)} 个工具有变化` };
      return changed === 0 ? [] : [{ text: `approve ${name}`, detail: localize(detail) }];
    }),
  run: (argument, { chat: { mcp }, ui }) => {
    if (argument === '') return ui.screen.block(serversText(mcp.servers(), ui.columns()));
    const [, server] = /^approve\s+(\S+)$/.exec(argument) ?? [];
    if (server !== undefined) return approveServer(safeLine(server), mcp, ui);
    printLine(ui, 'bad', { en: 'Write /mcp, or /mcp approve SERVER.', zh: '请输入 /mcp，或 /mcp approve SERVER。' });
  },
};
