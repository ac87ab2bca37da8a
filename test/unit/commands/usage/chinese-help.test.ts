import { describe, expect, test } from 'vitest';
import { runCli } from '../../../../src/commands/program.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';

type Ran = { readonly code: number; readonly out: string; readonly err: string };

async function sanbot(argv: readonly string[], { columns = 80, language = 'zh' } = {}): Promise<Ran> {
  const seen = { out: '', err: '' };
  const io = {
    warn: () => undefined,
    columns,
    colour: false,
    out: (text: string) => {
      seen.out += text;
    },
    err: (text: string) => {
      seen.err += text;
    },
  };
  const environment = { ...processEnvironment(), env: { SANBOT_LANGUAGE: language } };
  const code = await runCli(argv, { environment, io, load: async () => Promise.reject(new Error('loaded')) });
  return { code, ...seen };
}

const helpOf = async (words: readonly string[], columns: number): Promise<string> => (await sanbot([...words, '--help'], { columns })).out;

/** The words of every command, the program itself among them as none. Read from the wide help, where each name begins a line. */
async function allCommands(words: readonly string[] = []): Promise<readonly (readonly string[])[]> {
  const sections = (await helpOf(words, 200)).split('\n\n').filter((section) => /^(?:命令|会话|记忆|设置|数据与维护)：\n/.test(section));
  const names = sections
    .flatMap((section) => [...section.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name))
    .filter((name) => name !== 'help');
  const below = [];
  for (const name of names) below.push(...(await allCommands([...words, name])));
  return [words, ...below];
}

/** What stands beside or below each term of arguments, options, commands and examples, each as one text. */
const itemsOf = (help: string): readonly string[] =>
  help
    .split('\n\n')
    .filter((section) => /^(?:参数|选项|命令|会话|记忆|设置|数据与维护|示例)：$/m.test(section))
    .flatMap((section) =>
      section
        .trim()
        .split('\n')
        .slice(1)
        .join('\n')
        .split(/\n(?= {2}\S)/),
    );

describe('help in Chinese', () => {
  test('describes every command, argument, option and example in Chinese', async () => {
    const commands = await allCommands();
    expect(commands.length).toBeGreaterThan(50);
    for (const words of commands) {
      const help = await helpOf(words, 120);
      const items = itemsOf(help);
      expect(items.length, words.join(' ')).toBeGreaterThan(0);
      expect(
        [help.split('\n\n')[1] ?? '', ...items].filter((text) => !/\p{Script=Han}/u.test(text)),
        words.join(' '),
      ).toEqual([]);
      expect(help, words.join(' ')).not.toMatch(/\b(?:Usage|Arguments|Options|Commands|Examples|default|choices):/);
    }
  });

  test.each([40, 80, 120])('is nowhere wider than a terminal of %i columns, in either language', async (columns) => {
    const commands = await allCommands();
    for (const language of ['zh', 'en'])
      for (const words of commands) {
        const { out } = await sanbot([...words, '--help'], { columns, language });
        expect(
          out.split('\n').filter((line) => textWidth(line) > columns),
          words.join(' '),
        ).toEqual([]);
      }
  });

  test('stands in columns by what the terminal shows, not by the number of characters', async () => {
    const help = await helpOf(['search'], 80);
    const section = help.split('选项：\n')[1]?.split('\n\n')[0] ?? '';
    const starts = section.split('\n').map((line) => textWidth(/^ +(?:\S.*? {2,})?/.exec(line)?.[0] ?? ''));
    expect(starts.length).toBeGreaterThan(10);
    expect(new Set(starts)).toHaveLength(1);
  });
});

describe('a wrong command line', () => {
  test.each<[readonly string[], string]>([
    [['--mdoel', 'x'], "未知选项 '--mdoel'。是否想输入 --model？"],
    [['show'], "缺少必需的参数 'ref'"],
    [['--model'], "选项 '--model <name>' 缺少值"],
    [['purge'], "未指定必需的选项 '--match <text>'"],
    [['-c', '-r', 'x'], "选项 '-c, --continue' 不能与选项 '-r, --resume [id]' 同时使用"],
    [['export', '--format', 'pdf'], "选项 '--format <format>' 的值 'pdf' 无效；可选值：jsonl, md, html"],
    [['completion', 'tcsh'], "参数 'shell' 的值 'tcsh' 无效；可选值：bash, zsh, fish"],
    [['show', 'a', 'b'], "'show' 的参数过多：应为 1 个，实际为 2 个。"],
    [['serach'], '没有命令 "serach"。是否想输入 search？'],
    [['config'], 'sanbot config 需要一个子命令：show, path, validate'],
    [['--max-steps', '0'], '--max-steps：应为不小于 1 的整数，实际为 "0"'],
    [['search', 'x', '--since', 'soon'], '--since：应为日期（2026-01-31）、时间（2026-01-31T09:00Z）或时长（30m、2h、7d），实际为 "soon"'],
    [['--allow', 'raed_file'], '--allow：没有工具 "raed_file"。是否想输入 read_file？'],
    [['sessions', 'show', ''], '缺少会话 id'],
    [['history', '--fork'], "未知选项 '--fork'"],
    [['--fork', 'history'], 'sanbot history 没有选项 --fork'],
    [['--json', 'history'], "未知选项 '--json'"],
    [['--model', 'x', 'consolidate'], '--model 必须写在命令之后：sanbot consolidate --model'],
    [['-p', 'a', 'b'], 'SanBot 只接受一条消息\n  请加引号：sanbot -p "修复合计"'],
    [['--fork'], '--fork 需要一个可复制的会话'],
    [['events', '--type', 'compactd'], '--type：没有事件类型 "compactd"'],
    [['compact', '--yes'], '--yes 只能与 --preview 一起使用'],
    [['memory', 'add', ''], '缺少文本'],
    [['permissions', 'remove', 'x'], '编号：应为不小于 1 的整数，实际为 "x"'],
  ])('%j says what is wrong in Chinese', async (argv, message) => {
    const { code, err } = await sanbot(argv);
    expect(err).toContain(`sanbot: ${message}`);
    expect(err).toMatch(/\n {2}.*\p{Script=Han}/u);
    expect(code).toBe(2);
  });
});
