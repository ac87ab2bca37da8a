import { collectSteps } from './collect-steps.ts';
import type { Recording } from './json.ts';
import { textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

type Voice = 'user' | 'notice' | 'reply';

/**
 * aider's chat history in Markdown: `####` before what the user typed, `>` before what the program said, the model's words
 * bare. aider appends chat after chat and restores the file as one conversation, and so it is taken here.
 */
export function importAider({ lines }: Recording): readonly Transcript[] {
  const collector = collectSteps();
  let voice: Voice = 'notice';
  let held: string[] = [];
  let replies = 0;
  const flush = (): void => {
    const said = held.join('\n').trim();
    held = [];
    if (said === '') return;
    if (voice === 'reply') collector.reply([textBlock(said)], `reply ${++replies}`);
    else collector[voice](said);
  };
  let inFence = false;
  for (const raw of lines()) {
    const line = raw.replace(/\r$/, '');
    if (line.startsWith('# aider chat started at')) {
      flush();
      inFence = false;
      collector.leaveOut('start of a chat');
      continue;
    }
    const [spoken, said] = speech(line, inFence);
    if (line.trim() !== '' && spoken !== voice) {
      flush();
      voice = spoken;
      inFence = false;
    }
    if (voice === 'reply' && /^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    held.push(line.trim() === '' ? '' : said);
  }
  flush();
  return [collector.finish('aider')];
}

/** Inside a block of code of the model a `>` is the model's. */
function speech(line: string, inFence: boolean): readonly [Voice, string] {
  if (line.startsWith('#### ') || line === '####') return ['user', line.slice(5).trimEnd()];
  if (!inFence && line.startsWith('> ')) return ['notice', line.slice(2).trimEnd()];
  if (!inFence && line.trimEnd() === '>') return ['notice', ''];
  return ['reply', line];
}
