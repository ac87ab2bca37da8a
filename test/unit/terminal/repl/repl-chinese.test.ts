import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setLanguage } from '../../../../src/domain/language.ts';
import { descriptionOf } from '../../../../src/terminal/slash/help-text.ts';
import { commandNames, commandRows } from '../../../../src/terminal/slash/slash-commands.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';
import { type ChatPart, startRepl } from '../../../support/repl-world.ts';
import { sampleOf } from '../../../support/runs.ts';

const han = /\p{Script=Han}/u;
const sizes = [
  [40, 15],
  [80, 24],
  [120, 40],
] as const;

describe('in Chinese', () => {
  beforeEach(() => setLanguage('zh'));
  afterEach(() => setLanguage('en'));

  test('each slash command says in Chinese what it does', () => {
    expect(commandRows.filter((row) => !han.test(descriptionOf(row))).map(({ name }) => name)).toEqual([]);
  });

  test.each(sampleOf(commandNames))('/help %s is in Chinese, with an example', async (name) => {
    const { terminal } = await startRepl({ columns: 40, rows: 15 });
    terminal.send(`/help ${name}\r`);
    const screen = await terminal.waitForScreen(/示例：\/\S+/);
    expect(screen.find((row) => row.startsWith(`/${name}`))).toMatch(han);
  });

  test.each([
    ['/context', '硬上限'],
    ['/context', '占上限'],
    ['/history', '压缩之前'],
    ['/rollback', '选择哪个快照？'],
    ['/undo', '没有可撤销的内容'],
    ['/rewind', '还没有写过任何内容'],
    ['/memory', '还没有记住任何内容'],
    ['/remember the port is 8080', '已记入 facts'],
    ['/recall nothing', '没有找到'],
    ['/sessions', '还没有会话'],
    ['/resume', '没有其他会话'],
    ['/pin', '逐字保留'],
    ['/pins', '你：“never touch'],
    ['/unpin', '已取消固定'],
    ['/jobs', '没有在后台启动的命令'],
    ['/todo', '已完成 1 / 2 项'],
    ['/model', '模型：claude-test，窗口 200,000 token'],
    ['/permissions', '开头是：'],
    ['/skills', '没有技能'],
    ['/mcp', '没有 MCP 服务器'],
    ['/config', '修改从下次启动起生效'],
    ['/config nothing', '没有以 nothing 开头的设置'],
    ['/tools', '作用'],
    ['/setup', '用 /quit 退出'],
    ['/cost', '缓存读取'],
    ['/rename', '请加上新标题'],
    ['/rename 修复购物车', '本会话现在名为 "修复购物车"'],
    ['/export', '已导出到 s1.md'],
    ['/new now', '/new 不带参数'],
    ['/nonsense', '没有 /nonsense 命令'],
    ['/contxt', '是否想输入 /context？'],
    ['!ls', '模型会随你的下一条消息看到它'],
  ])('%s shows %s', async (line, shown) => {
    const { terminal } = await startRepl();
    terminal.send(`${line}\r`);
    await terminal.waitForScreen(shown);
  });

  test.each(sizes)('/help fits into %i columns and %i rows, with the keys below the commands', async (columns, rows) => {
    const { terminal } = await startRepl({ columns, rows });
    terminal.send('/help\r');
    const shown = await terminal.waitFor(/记住这句话[\s\S]*> $/);
    expect(shown.split(/\r?\n/).filter((row) => textWidth(row) > columns)).toEqual([]);
  });

  test.each(sizes)('the menu of commands stands in columns at %i columns and %i rows', async (columns, rows) => {
    const { terminal } = await startRepl({ columns, rows });
    terminal.send('/re');
    const screen = await terminal.waitForScreen('/recall');
    const menu = screen.filter((row) => /^[❯ ] \/re/.test(row));
    const starts = menu.flatMap((row) => {
      const [, name = ''] = /^([❯ ] \/.*?\s{2,})\S/u.exec(row) ?? [];
      return name === '' ? [] : [textWidth(name)];
    });
    expect(menu.length).toBeGreaterThan(3);
    expect(new Set(starts).size).toBe(1);
    expect(menu.every((row) => han.test(row))).toBe(true);
  });

  test.each(sizes)('a question about permission fits into %i columns and %i rows, and takes the same keys', async (columns, rows) => {
    const { terminal } = await startRepl({ columns, rows, chat: asking });
    terminal.send('go\r');
    const screen = await terminal.waitForScreen('4 否，因为');
    const question = screen.findIndex((row) => row.includes('运行吗？'));
    const choices = ['  1 是', '  2 是，以后不再询问…', '❯ 3 否', '  4 否，因为…'];
    const shown = columns < 60 ? choices : [choices.join(' ')];
    expect(screen.slice(question, question + 1 + shown.length).map((row) => row.trimEnd())).toEqual(['运行吗？', ...shown]);
    expect(screen.join('\n')).toContain('● $ npm test');
    terminal.send('a');
    await terminal.waitForScreen('本会话中：正好这个');
    terminal.send('\r');
    await terminal.waitForScreen('4 否，因为');
    terminal.send('n');
    await terminal.waitForScreen('answer: no');
  });

  test('what waits, and how it is taken back, is said', async () => {
    const { terminal } = await startRepl({ columns: 40, rows: 15, chat: asking });
    terminal.send('go\r');
    await terminal.waitForScreen('运行吗');
    terminal.send('\u001b[B');
    terminal.send('hello there\r');
    await terminal.waitForScreen('（排队中）hello there');
    await terminal.waitForScreen('按上键取回最后一条');
  });

  test('Ctrl-C twice is told before it leaves', async () => {
    const { terminal, exitCode } = await startRepl();
    terminal.send('\u0003');
    await terminal.waitForScreen('再按一次 Ctrl-C 退出。');
    terminal.send('\u0003');
    expect(await exitCode).toBe(0);
  });
});

const asking: ChatPart = ({ emit, repl }) => ({
  turn: {
    say: async (_, signal) => {
      const request = { tool: 'run_command', access: 'run', title: 'run_command', preview: 'npm test', outside: false } as const;
      const answer = await repl.askPermission({ ...request, session: 'exactly this', offers: [] }, signal);
      emit({ type: 'text', text: `answer: ${JSON.stringify(answer)}`.replaceAll('"', '') });
    },
  },
});
