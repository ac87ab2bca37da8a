import { describe, expect, test } from 'vitest';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { noUsage } from '../../../../src/domain/session/message.ts';
import type { CompactionPreview } from '../../../../src/terminal/chat/context-port.ts';
import type { RollbackPort } from '../../../../src/terminal/chat/history-port.ts';
import type { EditResult } from '../../../../src/terminal/slash/command.ts';
import { aSnapshot, type ChatPart, startRepl } from '../../../support/repl-world.ts';

const view: CompactionPreview = {
  text: '## Current Status\n数据库已经迁移。\u001b[31m',
  byRule: '## Pending Tasks\n\n- Still to do: the 码头.\u001b[31m',
  method: 'model',
  leaving: Array.from({ length: 24 }, (_, i) => ({ who: i % 2 === 0 ? 'you' : 'assistant', text: `line ${i}` })),
  messagesNow: 41,
  messagesAfter: 18,
  messagesKept: 17,
  tokensNow: 182_340,
  tokensAfter: 24_112,
  usage: { ...noUsage, inputTokens: 5_000, outputTokens: 100 },
  costUsd: 0.031,
  ledger: { filesModified: 3, failedCommands: 1 },
};

const UP_TO = { discard: '\r', commit: '\x1b[B\r', edit: '\x1b[B\x1b[B\r' };

/** A chat whose preview is `view`, with the text that the editor made of it. */
const previewing =
  (refuse: (text: string) => readonly string[] = () => []): ChatPart =>
  ({ hear }) => ({
    compaction: {
      preview: async ({ instructions }) => {
        hear(`preview:${instructions ?? ''}`);
        let text = view.text;
        return {
          view: () => ({ ...view, text }),
          revise: (next) => {
            const problems = refuse(next);
            if (problems.length > 0) return { kind: 'refused', problems: problems.map(sameInBoth) };
            text = next;
            return { kind: 'revised', warnings: [sameInBoth('It lacks the headings "## Key Decisions".')] };
          },
          commit: async () => hear(`commit:${text}`),
          discard: () => hear('discard'),
        };
      },
    },
  });

const previewed = async (edit?: (text: string) => EditResult, refuse?: (text: string) => readonly string[]) => {
  const world = await startRepl({ chat: previewing(refuse), ...(edit === undefined ? {} : { edit }) });
  world.terminal.send('/compact --preview the ports\r');
  const shown = await world.terminal.waitFor('Compact like this?');
  await world.terminal.waitFor('Edit the summary first');
  return { ...world, shown };
};

describe('/compact --preview', () => {
  test('shows the summary, what leaves, what it frees and what it cost, and obeys nothing in it [F13, X11]', async () => {
    const { shown, said } = await previewed();
    for (const part of [
      '| 数据库已经迁移。␛[31m',
      'Below it, gathered by rule:',
      '| - Still to do: the 码头.␛[31m',
      'Leaving the context: 24 messages of 41',
      '- you: line 0',
      '- … 18 messages more',
      '- assistant: line 23',
      '182,340 -> 24,112 (158,228 freed)',
      '3 changed files, 1 failed command',
      '5,100 tokens, $0.031',
    ])
      expect(shown).toContain(part);
    expect(said).toEqual(['preview:the ports']);
  });

  test.each([
    ['Enter alone discards', UP_TO.discard, 'discard'],
    ['Esc discards', '\x1b', 'discard'],
    ['a step and Enter commits', UP_TO.commit, `commit:${view.text}`],
  ])('%s', async (_, keys, done) => {
    const { terminal, said } = await previewed();
    terminal.send(keys);
    await terminal.waitFor(/> $/);
    expect(said).toEqual(['preview:the ports', done]);
  });

  test('what is typed while it asks is no answer: it is kept, and delivered once [P9]', async () => {
    const { terminal, said } = await previewed();
    terminal.send('and then?\r');
    await terminal.waitFor('(queued) and then?');
    terminal.send(UP_TO.commit);
    await terminal.waitFor('you said');
    expect(said).toEqual(['preview:the ports', `commit:${view.text}`, 'and then?']);
  });

  test('the summary can be edited; it is checked, shown again and asked for again', async () => {
    const { terminal, said } = await previewed((text) => ({ kind: 'edited', text: `${text} Port 8123.` }));
    terminal.send(UP_TO.edit);
    const shown = await terminal.waitFor('Warning: It lacks the headings');
    expect(shown).toContain('Port 8123.');
    await terminal.waitFor('Edit the summary first');
    terminal.send(UP_TO.commit);
    await terminal.waitFor(/> $/);
    expect(said.at(-1)).toBe(`commit:${view.text} Port 8123.`);
  });

  test('an edited text that cannot be one is refused with the reason, and the one before is still there', async () => {
    const { terminal, said } = await previewed(
      () => ({ kind: 'edited', text: '' }),
      () => ['It is empty.'],
    );
    terminal.send(UP_TO.edit);
    await terminal.waitFor('This text cannot be the summary: It is empty. The summary is unchanged.');
    await terminal.waitFor('Edit the summary first');
    terminal.send(UP_TO.commit);
    await terminal.waitFor(/> $/);
    expect(said.at(-1)).toBe(`commit:${view.text}`);
  });

  test('an editor that fails changes nothing and says what to set', async () => {
    const { terminal, said } = await previewed(() => ({ kind: 'failed', why: 'The editor "vim" ended with exit code 1.' }));
    terminal.send(UP_TO.edit);
    await terminal.waitFor('ended with exit code 1. The summary is unchanged.');
    await terminal.waitFor('Edit the summary first');
    terminal.send(UP_TO.discard);
    await terminal.waitFor(/> $/);
    expect(said.at(-1)).toBe('discard');
  });

  test('a word that only begins like the option is what to keep', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/compact --previews of the pages\r');
    await terminal.waitFor(/> $/);
    expect(said).toEqual(['compact:--previews of the pages']);
  });
});

describe('/undo', () => {
  const undoable: ChatPart = () => ({
    rollback: {
      previewUndo: async (): ReturnType<RollbackPort['previewUndo']> => ({
        snapshot: { ...aSnapshot, outcome: { at: aSnapshot.at, messages: 22, tokensAfter: 9_000, line: 'summarised by rules' } },
        messagesNow: 24,
        tokensNow: 24_112,
        returning: [{ who: 'you', text: 'hello' }],
        leaving: [{ who: 'you', text: 'newer' }],
        since: 2,
      }),
    },
  });

  test('acts at once, and says how to take that back [C100]', async () => {
    const { terminal, said } = await startRepl({ chat: undoable });
    terminal.send('/undo\r');
    await terminal.waitFor('Undone: summarised by rules. Files were not changed');
    await terminal.waitFor(/> $/);
    expect(said).toEqual([`rollback:${aSnapshot.id}`]);
  });

  test('says so when there is nothing to undo', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/undo\r');
    await terminal.waitFor('Nothing to undo in the conversation: no compaction, rollback or clear. For files there is /changes.');
    expect(said).toEqual([]);
  });
});
