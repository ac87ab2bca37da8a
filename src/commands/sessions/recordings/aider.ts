/**
 * aider's chat history in Markdown. aider appends chat after chat and restores the file as one conversation, and so does this reader.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `#### text` | what the user typed |
 * | `> text`, outside a block of code | a notice: what the program said |
 * | output of `/run` and `/test`: its first line is marked, those after it are not | a notice, up to the next mark |
 * | lines without a mark | a reply |
 * | `# aider chat started at` | left out, counted |
 */

import type { StepCollector } from '../../../context/history/collect-steps.ts';
import { type Recording, textBlock } from './recorded-content.ts';

type Speaker = 'user' | 'notice' | 'reply';

/** The output of a command that the user ran: its first line has the mark of the program, those after it have none. */
type Output = 'none' | 'next' | 'running';

export function readAider({ lines }: Recording, collector: StepCollector): void {
  let speaker: Speaker = 'notice';
  let buffer: string[] = [];
  let replies = 0;
  const flush = (): void => {
    const text = buffer.join('\n').trim();
    buffer = [];
    if (text === '') return;
    if (speaker === 'reply') collector.reply([textBlock(text)], `reply ${++replies}`);
    else collector[speaker](text);
  };
  let inFence = false;
  let output: Output = 'none';
  let hadOutput = false;
  for (const raw of lines()) {
    const line = raw.replace(/\r$/, '');
    if (line.startsWith('# aider chat started at')) {
      flush();
      inFence = false;
      collector.leaveOut({ en: 'start of a chat', zh: '对话开头' });
      continue;
    }
    const [marked, text] = parseLine(line, inFence);
    if (marked === 'user') output = /^\/(?:test|run)\s/.test(text) ? 'next' : 'none';
    else if (marked === 'notice') output = output === 'next' ? 'running' : output === 'running' && hadOutput ? 'none' : output;
    else if (output === 'running' && line.trim() !== '') hadOutput = true;
    if (output !== 'running') hadOutput = false;
    const lineSpeaker = output === 'running' ? 'notice' : marked;
    if (line.trim() !== '' && lineSpeaker !== speaker) {
      flush();
      speaker = lineSpeaker;
      inFence = false;
    }
    if (speaker === 'reply' && /^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    buffer.push(line.trim() === '' ? '' : text);
  }
  flush();
}

/** Inside a code block of the model, a `>` is part of the model's text. */
function parseLine(line: string, inFence: boolean): readonly [Speaker, string] {
  if (line.startsWith('#### ') || line === '####') return ['user', line.slice(5).trimEnd()];
  if (!inFence && line.startsWith('> ')) return ['notice', line.slice(2).trimEnd()];
  if (!inFence && line.trimEnd() === '>') return ['notice', ''];
  return ['reply', line];
}
