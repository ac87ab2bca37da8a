import type { McpPort } from '../chat/mcp-port.ts';
import { NO, YES } from '../input/questions.ts';
import { changedText, serversText } from '../views/mcp-text.ts';
import type { CommandUi } from './command.ts';

/** `/mcp` shows the servers; `/mcp approve NAME` what has changed in one, and asks whether it may be used. */
export async function runMcp(argument: string, mcp: McpPort, { screen, questions, columns }: CommandUi): Promise<void> {
  const [word = '', name = '', ...rest] = argument.split(/\s+/);
  if (word === '') {
    screen.block(serversText(mcp.servers(), columns()));
    return;
  }
  if (word !== 'approve' || name === '' || rest.length > 0) {
    screen.line('Write /mcp, or /mcp approve SERVER.', 'bad');
    return;
  }
  const changed = mcp.changed(name);
  if (changed.length === 0) {
    screen.line(`Nothing of ${name} waits for your yes.`);
    return;
  }
  screen.block(changedText(name, changed));
  if (questions === undefined)
    screen.line(`Nothing is changed: there is nobody to ask here. sanbot mcp approve ${name} --yes agrees to it.`, 'bad');
  else if (await questions.decide('May its tools be used as they are now?', CHOICES, new AbortController().signal)) {
    mcp.approve(name);
    screen.line(`The tools of ${name} are used as they are now.`);
  } else screen.line('Nothing is changed.');
}

const CHOICES = [
  { name: 'No', value: false, words: NO },
  { name: 'Yes, and until they change again', value: true, words: YES },
] as const;
