import { localize, sameInBoth } from '../../domain/language.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { MemoryPort } from '../chat/memory-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { forgottenEntriesText, memoriesText, memoryFilesText, rememberResultText } from '../views/memory-text.ts';
import { recallHitsText, sessionsLeftText } from '../views/recall-text.ts';
import { printLine, type SlashCommand } from './command.ts';

export const slashMemory: SlashCommand = {
  name: 'memory',
  description: { en: 'what is remembered, and where', zh: '已记住的内容及其位置' },
  run: (_, { chat: { memory }, ui: { screen, columns } }) => screen.block(memoryFilesText(memory.view(), columns())),
};

export const slashRemember: SlashCommand = {
  name: 'remember',
  argumentHint: { en: '[what]', zh: '[内容]' },
  example: { en: '/remember the staging port is 8080', zh: '/remember 预发布环境的端口是 8080' },
  description: { en: 'remember something beyond this session', zh: '记住一件事，不限于本会话' },
  run: (argument, { chat: { memory }, ui }) => {
    if (argument === '')
      return printLine(ui, 'bad', { en: 'Add what to remember: /remember TEXT', zh: '请加上要记住的内容：/remember TEXT' });
    const outcome = memory.remember(argument);
    ui.screen.line(rememberResultText(outcome, '/forget'), outcome.outcome === 'refused' ? 'bad' : 'good');
  },
};

export const slashForget: SlashCommand = {
  name: 'forget',
  argumentHint: { en: '[id]', zh: '[id]' },
  example: sameInBoth('/forget m00000001'),
  description: { en: 'remove something that is remembered', zh: '删除一条已记住的内容' },
  choices: ({ memory }) => newestFirst(memory).map(({ id, text }) => ({ text: id, detail: safeLine(text) })),
  run: async (argument, { chat: { memory }, ui: { screen, questions, columns } }) => {
    const entries = newestFirst(memory);
    const listed = entries.map((entry) => ({ name: safeLine(entry.text), value: entry.id }));
    if (argument === '' && (entries.length === 0 || questions === undefined)) return screen.block(memoriesText(entries, columns()));
    const id = argument === '' ? await questions?.find(localize({ en: 'Forget what?', zh: '忘记哪一条？' }), listed) : argument;
    if (id !== undefined) screen.block(forgottenEntriesText([await memory.forget(id)]));
  },
};

const newestFirst = ({ view }: MemoryPort): readonly MemoryLine[] =>
  view()
    .files.flatMap(({ entries }) => entries)
    .toSorted((a, b) => (b.day ?? '').localeCompare(a.day ?? ''));

export const slashRecall: SlashCommand = {
  name: 'recall',
  argumentHint: { en: '[words]', zh: '[关键词]' },
  example: { en: '/recall retry delay', zh: '/recall 重试 延迟' },
  description: { en: 'search everything that was said and seen', zh: '搜索说过或看到过的一切' },
  run: async (argument, { chat: { memory }, ui, loop }) => {
    if (argument === '')
      return printLine(ui, 'bad', { en: 'Add what to search for: /recall WORDS', zh: '请加上要搜索的内容：/recall WORDS' });
    await loop.stoppable(async (signal) => {
      const { hits, sessionsLeft } = await memory.recall(argument, signal);
      const hint = localize({ en: 'sanbot show REF prints one in full.', zh: 'sanbot show REF 显示全文。' });
      if (hits.length === 0) printLine(ui, 'plain', { en: 'Nothing found.', zh: '没有找到。' });
      else ui.screen.block(`${recallHitsText(hits, ui.screen)}${hint}\n`);
      const left = sessionsLeftText(sessionsLeft, { en: '/recall again goes on.', zh: '再用一次 /recall 会继续索引。' });
      if (left !== undefined) printLine(ui, 'plain', left);
    });
  },
};
