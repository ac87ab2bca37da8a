import type { Bilingual } from '../../domain/language.ts';
import { memoryKinds, statementKinds } from '../../domain/memory/memory.ts';
import { defineCommand, grammarOf, groupOption, option, requireText } from '../command.ts';

const memoryGroup = () => groupOption({ en: 'the group whose memories to use', zh: '使用哪个组的记忆' });

const listGrammar = (name: string, does: Bilingual) =>
  grammarOf(name, does)
    .add(option('--kind <kind>', { en: 'only memories of this kind', zh: '只看这一类记忆' }).choices(memoryKinds))
    .json()
    .add(memoryGroup());

const listCommand = defineCommand({
  grammar: () => listGrammar('list', { en: 'list what is remembered across sessions', zh: '列出跨会话的记忆' }),
  load: () => import('./memory.ts'),
  run: async (options, context, load) => (await load()).listMemories(options, context),
});

const showCommand = defineCommand({
  grammar: () =>
    grammarOf('show', {
      en: 'show one memory, and where it comes from: who said it, when, in which session',
      zh: '显示一条记忆及其来源：谁在何时、哪个会话中说的',
    })
      .argument('<id>', { en: 'its id, which sanbot memory list shows', zh: '记忆的 id，由 sanbot memory list 显示' })
      .json()
      .add(memoryGroup()),
  load: () => import('./memory.ts'),
  run: async (options, { operands: [word], ...context }, load) => {
    const id = requireText({ en: 'The id', zh: '记忆的 id' }, [word]);
    return (await load()).showMemory({ ...options, id }, context);
  },
});

const addCommand = defineCommand({
  grammar: () =>
    grammarOf('add', { en: 'remember a statement in every later session', zh: '记住一句话，供以后的所有会话使用' })
      .argument('<text...>', { en: 'what to remember, in one sentence', zh: '要记住的内容，一句话' })
      .add(
        option('--kind <kind>', {
          en: 'the kind of memory (default: decided by the text)',
          zh: '记忆的类别（默认：根据文本判断）',
        }).choices(statementKinds),
      )
      .json()
      .add(memoryGroup())
      .examples({
        'sanbot memory add I prefer short commit messages': {
          en: 'memories that it contradicts move to extracted/older',
          zh: '与之矛盾的记忆会移到 extracted/older',
        },
      }),
  load: () => import('./memory.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const text = requireText({ en: 'The text', zh: '文本' }, words);
    return (await load()).addMemory({ ...options, text }, context);
  },
});

const forgetCommand = defineCommand({
  grammar: () =>
    grammarOf('forget', { en: 'remove memories; they are not extracted again', zh: '删除记忆，以后也不会再次提取' })
      .argument('<id...>', { en: 'the ids of one or more memories', zh: '一条或多条记忆的 id' })
      .json()
      .add(memoryGroup()),
  load: () => import('./memory.ts'),
  run: async (options, { operands: [ids], ...context }, load) => {
    requireText({ en: 'The id', zh: '记忆的 id' }, ids);
    return (await load()).forgetMemories({ ...options, ids }, context);
  },
});

const editCommand = defineCommand({
  grammar: () =>
    grammarOf('edit', {
      en: 'change a memory; without a text, open its file in $VISUAL or $EDITOR',
      zh: '修改记忆；不给出文本时，用 $VISUAL 或 $EDITOR 打开其文件',
    })
      .argument('<what>', {
        en: `the id of a memory; for a whole file: ${memoryKinds.join(', ')} or master`,
        zh: `记忆的 id；整个文件则为 ${memoryKinds.join('、')} 或 master`,
      })
      .argument('[text...]', { en: 'the new text', zh: '新的文本' })
      .add(memoryGroup()),
  load: () => import('./edit-memory.ts'),
  run: async (options, { operands: [what, words], ...context }, load) =>
    (await load()).editMemory({ ...options, what, ...(words.length === 0 ? {} : { text: words.join(' ') }) }, context),
});

const reviewCommand = defineCommand({
  grammar: () =>
    grammarOf('review', {
      en: 'go through the memories added since the last review, and keep or forget each one',
      zh: '逐条审阅上次审阅后新增的记忆，选择保留或遗忘',
    }).add(memoryGroup()),
  load: () => import('./edit-memory.ts'),
  run: async (options, context, load) => (await load()).reviewMemories(options, context),
});

const undoCommand = defineCommand({
  grammar: () => grammarOf('undo', { en: 'undo the last consolidation', zh: '撤销最近一次整理' }).json().add(memoryGroup()),
  load: () => import('./consolidate.ts'),
  run: async (options, context, load) => (await load()).undoConsolidation(options, context),
});

const embedCommand = defineCommand({
  grammar: () =>
    grammarOf('embed', {
      en: 'make all missing vectors for recall by meaning now; after each turn, some are made anyway',
      zh: '补全按语义查找所需的向量；每轮之后也会自动生成一部分',
    })
      .json()
      .add(groupOption({ en: 'the group whose texts to use', zh: '使用哪个组的文本' })),
  load: () => import('./embed.ts'),
  run: async (options, context, load) => (await load()).embedAll(options, context),
});

export const memoryCommand = defineCommand({
  subcommands: [listCommand, showCommand, addCommand, forgetCommand, editCommand, reviewCommand, undoCommand, embedCommand],
  grammar: () =>
    listGrammar('memory', {
      en: 'list what is remembered across sessions; or show, add, forget, edit, review, undo, embed',
      zh: '列出跨会话的记忆；子命令：show、add、forget、edit、review、undo、embed',
    }).examples({
      'sanbot memory': {
        en: 'all memories with their ids; sanbot memory show ID says where one comes from',
        zh: '所有记忆及其 id；sanbot memory show ID 显示某条的来源',
      },
    }),
  load: () => import('./memory.ts'),
  run: async (options, context, load) => (await load()).listMemories(options, context),
});

export const consolidateCommand = defineCommand({
  grammar: () =>
    grammarOf('consolidate', {
      en: 'merge what is remembered into one page that every session begins with, after showing you the changes',
      zh: '把记忆整理成一页，供每个会话开始时读取；写入前先显示更改',
    })
      .option('--model <name>', { en: 'the model to use', zh: '使用的模型' })
      .option('--dry-run', { en: 'show what would change, but change nothing', zh: '只显示将发生的更改，不实际更改' })
      .option('--yes', { en: 'do not ask for confirmation', zh: '不要求确认' })
      .json()
      .add(memoryGroup())
      .examples({
        'sanbot consolidate --dry-run': {
          en: 'see what would change on the page memory/summary/master.md',
          zh: '查看 memory/summary/master.md 将发生的更改',
        },
      }),
  load: () => import('./consolidate.ts'),
  run: async (options, context, load) => (await load()).consolidate(options, context),
});
