import type { Bilingual } from '../../domain/language.ts';
import { ruleKinds } from '../../domain/permission.ts';
import { defineCommand, grammarOf, parseWholeNumber, requireText } from '../command.ts';

const load = () => import('./change-permissions.ts');

const descriptions = {
  allow: { en: 'let calls of a tool run without asking', zh: '允许某个工具的调用直接运行，无需询问' },
  ask: { en: 'ask about calls of a tool each time', zh: '每次调用某个工具时都询问' },
  deny: { en: 'never let calls of a tool run, in any mode', zh: '在任何模式下都禁止某个工具的调用' },
} as const;

const addCommands = ruleKinds.map((kind) =>
  defineCommand({
    grammar: () => {
      const grammar = grammarOf(kind, descriptions[kind])
        .argument('<tool>', { en: 'its name; * stands for any characters', zh: '工具名；* 代表任意字符' })
        .argument('[pattern]', {
          en: 'a command, or with " *" at its end the beginning of one; for other tools a path',
          zh: '一条命令；以 " *" 结尾时表示命令的开头；其他工具则为路径',
        })
        .option('--here', { en: 'only in this folder', zh: '仅在此文件夹中有效' })
        .json();
      return kind === 'allow' ? grammar.option('--irreversible', { en: 'also when it cannot be undone', zh: '即使无法撤销' }) : grammar;
    },
    load,
    run: async (options, { operands: [word, pattern = ''], ...context }, loadModule) => {
      const tool = requireText({ en: 'The tool', zh: '工具名' }, [word]);
      return (await loadModule()).addPermission({ ...options, kind, tool, pattern }, context);
    },
  }),
);

const removeCommand = defineCommand({
  grammar: () =>
    grammarOf('remove', { en: 'remove a rule', zh: '删除一条规则' })
      .argument('<number>', { en: 'its number, which sanbot permissions shows', zh: '规则编号，由 sanbot permissions 显示' })
      .json(),
  load,
  run: async (options, { operands: [typed], ...context }, loadModule) => {
    const number = parseWholeNumber({ en: 'The number', zh: '编号' }, typed, 1);
    return (await loadModule()).removePermission({ ...options, number }, context);
  },
});

const readOnlyCommand = defineCommand({
  grammar: () =>
    grammarOf('readonly', {
      en: 'say whether commands that are proven to only read run without asking',
      zh: '设置经证明只读的命令是否无需询问即可运行',
    })
      .choice('<value>', { en: 'ask each time, or run', zh: 'ask 每次询问，run 直接运行' }, ['ask', 'run'])
      .json(),
  load,
  run: async (options, { operands: [value], ...context }, loadModule) =>
    (await loadModule()).setReadOnlyCommands({ ...options, value }, context),
});

const listGrammar = (name: string, does: Bilingual) => grammarOf(name, does).json();

const listCommand = defineCommand({
  grammar: () => listGrammar('list', { en: 'list your rules', zh: '列出你的规则' }),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listPermissions(options, context),
});

export const permissionsCommand = defineCommand({
  subcommands: [listCommand, ...addCommands, removeCommand, readOnlyCommand],
  grammar: () =>
    listGrammar('permissions', {
      en: 'list your rules for what may run; or allow, ask, deny, remove',
      zh: '列出权限规则，即哪些操作可以运行；子命令：allow、ask、deny、remove',
    })
      .notes({
        en: 'Deny wins over ask, and ask over allow. Rules are kept in your settings file.',
        zh: 'deny 优先于 ask，ask 优先于 allow。规则保存在你的设置文件中。',
      })
      .examples({
        'sanbot permissions allow run_command "npm test *"': { en: 'commands that begin with these words', zh: '以这些词开头的命令' },
        'sanbot permissions allow --here run_command "make all"': {
          en: 'exactly this command, in this folder',
          zh: '仅限此文件夹中的这条命令',
        },
        'sanbot permissions allow --irreversible run_command "git push --force"': {
          en: 'without a question that says it cannot be undone',
          zh: '不再询问并提示无法撤销',
        },
        'sanbot permissions deny "*" "~/letters/**"': {
          en: 'no tool that takes a path may touch these',
          zh: '任何接受路径的工具都不得访问这些文件',
        },
        'sanbot permissions deny run_command "curl *"': { en: 'also where another command starts it', zh: '由其他命令启动时同样禁止' },
      }),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listPermissions(options, context),
});
