import { recallRoles } from '../../domain/recall.ts';
import { defineCommand, grammarOf, groupOption, option, parseWholeNumber, requireText, sinceOption, untilOption } from '../command.ts';

const DEFAULT_LIMIT = 10;

export const searchCommand = defineCommand({
  grammar: (environment) =>
    grammarOf('search', {
      en: 'search everything that was ever said or seen: messages, tool calls with their results, memories',
      zh: '搜索说过或看到过的一切：消息、工具调用及其结果、记忆',
    })
      .argument('[query...]', {
        en: 'words, parts of names, or word* for words that begin with it; optional with --errors, --decisions or a time',
        zh: '词、名称的一部分，或用 word* 表示以它开头的词；有 --errors、--decisions 或时间时可省略',
      })
      .option('--session <id>', { en: 'only in this session', zh: '只搜索这个会话' })
      .option('--tool <name>', { en: 'only calls of this tool', zh: '只看这个工具的调用' })
      .add(
        option('--role <role>', {
          en: 'only what the user or the assistant said, or only tool calls with their results',
          zh: '只看用户或助手说的内容，或只看工具调用及其结果',
        }).choices(recallRoles),
      )
      .option('--errors', { en: 'only tool calls that failed', zh: '只看失败的工具调用' })
      .option('--decisions', { en: 'only what states a decision', zh: '只看陈述决策的内容' })
      .add(sinceOption(environment))
      .add(untilOption(environment))
      .option('--all', { en: 'rank all folders alike, instead of this project first', zh: '所有文件夹同等排序，不优先此项目' })
      .option('--wait', { en: 'index every session first, however long that takes', zh: '先索引完所有会话，不管要多久' })
      .add(
        option('--limit <n>', { en: 'show at most this many results', zh: '最多显示的结果数' })
          .argParser((text) => parseWholeNumber('--limit', text, 1))
          .default(DEFAULT_LIMIT),
      )
      .add(groupOption({ en: 'only in this group', zh: '只搜索这个组' }))
      .json()
      .examples({
        'sanbot search retry delay': {
          en: 'results with all the words come first, then those with some of them',
          zh: '包含所有词的结果在前，包含部分词的在后',
        },
        'sanbot search --errors npm test': { en: 'see how a command failed', zh: '查看某条命令是如何失败的' },
        'sanbot search --decisions --since 7d': {
          en: 'what was decided in the last week, the newest first',
          zh: '最近一周的决策，最新的在前',
        },
        'sanbot search "compac*"': { en: 'find words that begin with compac', zh: '查找以 compac 开头的词' },
      }),
  load: () => import('./search.ts'),
  run: async (options, { operands: [words], ...context }, load) => {
    const hasFilter = options.errors || options.decisions || options.since !== undefined || options.until !== undefined;
    const query = hasFilter ? words.join(' ') : requireText({ en: 'What to search for', zh: '要搜索的内容' }, words);
    return (await load()).showHits({ ...options, query }, context);
  },
});

export const showCommand = defineCommand({
  grammar: () =>
    grammarOf('show', { en: 'print the full text of a search result', zh: '输出某条搜索结果的全文' })
      .argument('<ref>', { en: 'the reference that sanbot search prints', zh: 'sanbot search 输出的引用' })
      .json()
      .examples({ 'sanbot show REF': { en: 'the text, and what comes before and after it', zh: '该文本及其前后内容' } }),
  load: () => import('./search.ts'),
  run: async (options, { operands: [ref], ...context }, load) => (await load()).showOriginal({ ...options, ref }, context),
});
