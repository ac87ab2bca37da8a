import type { Bilingual } from '../../domain/language.ts';
import { defineCommand, grammarOf, groupOption, option, parseWholeNumber } from '../command.ts';

const load = () => import('./mcp.ts');

const trustText = { en: 'trust this folder for this run, so that its MCP servers count', zh: '本次运行信任此文件夹，使其 MCP 服务器生效' };

const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

const listGrammar = (name: string, does: Bilingual) => grammarOf(name, does).option('--trust', trustText).json();

const serverGrammar = (name: string, does: Bilingual) => grammarOf(name, does).argument('<name>', { en: 'its name', zh: '服务器名' });

const listCommand = defineCommand({
  grammar: () =>
    listGrammar('list', {
      en: 'list the MCP servers of your settings and of this folder',
      zh: '列出你的设置和此文件夹中的 MCP 服务器',
    }),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listServers(options, context),
});

const addCommand = defineCommand({
  grammar: () =>
    grammarOf('add', {
      en: 'add an MCP server to your settings: a program after --, or an address',
      zh: '在设置中添加 MCP 服务器：-- 之后的程序，或一个地址',
    })
      .argument('<name>', { en: 'its name, which becomes part of the names of its tools', zh: '服务器名，会出现在其工具名中' })
      .argument('[command...]', { en: 'the program with its arguments', zh: '程序及其参数' })
      .option('--url <url>', { en: 'where it is reached over HTTP', zh: '通过 HTTP 访问的地址' })
      .add(
        option('--env <name=value>', { en: 'a variable for the program; repeat it for more', zh: '程序的环境变量；可重复使用' }).argParser(
          collect,
        ),
      )
      .add(
        option('--header <name:value>', {
          en: 'a header for each request; repeat it for more',
          zh: '每个请求的标头；可重复使用',
        }).argParser(collect),
      )
      .option('--always-load', {
        en: 'put its tools into the list that the model has from the start',
        zh: '从一开始就把其工具列入模型的工具列表',
      })
      .json(),
  load,
  run: async (options, { operands: [name, command = []], ...context }, loadModule) =>
    (await loadModule()).addServer({ ...options, name, command }, context),
});

const removeCommand = defineCommand({
  grammar: () => serverGrammar('remove', { en: 'remove an MCP server from your settings', zh: '从设置中删除 MCP 服务器' }).json(),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).removeServer({ ...options, name }, context),
});

const testCommand = defineCommand({
  grammar: () =>
    serverGrammar('test', { en: 'connect to an MCP server, and show what it says of its tools', zh: '连接 MCP 服务器，显示其工具说明' })
      .option('--trust', trustText)
      .json(),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).testServer({ ...options, name }, context),
});

const loadSignIn = () => import('./mcp-sign-in.ts');

const loginCommand = defineCommand({
  grammar: () =>
    serverGrammar('login', { en: 'sign in to an MCP server with your browser', zh: '用浏览器登录 MCP 服务器' })
      .option('--no-browser', { en: 'only print the address of the page', zh: '只输出页面地址' })
      .option('-y, --yes', { en: 'accept the sign-in address without being asked', zh: '同意服务器的登录地址，不再询问' })
      .option('--trust', trustText)
      .json(),
  load: loadSignIn,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).logIn({ ...options, name }, context),
});

const logoutCommand = defineCommand({
  grammar: () =>
    serverGrammar('logout', { en: 'sign out of an MCP server', zh: '退出登录 MCP 服务器' }).option('--trust', trustText).json(),
  load: loadSignIn,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).logOut({ ...options, name }, context),
});

const approveCommand = defineCommand({
  grammar: () =>
    serverGrammar('approve', {
      en: 'agree to tools of an MCP server that have changed, after seeing what changed',
      zh: '先查看 MCP 服务器的工具有何变化，再批准',
    })
      .option('-y, --yes', { en: 'do not ask for confirmation', zh: '不要求确认' })
      .option('--trust', trustText)
      .json(),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).approveServer({ ...options, name }, context),
});

const serveCommand = defineCommand({
  grammar: () =>
    grammarOf('serve', {
      en: 'give other agents what SanBot remembers: an MCP server on standard input and output',
      zh: '让其他智能体使用 SanBot 的记忆：通过标准输入输出的 MCP 服务器',
    })
      .option('--all', { en: 'of every project, instead of this folder alone', zh: '包括所有项目，而不只是此文件夹' })
      .option('--write', { en: 'let them remember and pin too', zh: '也允许它们记住和固定内容' })
      .add(
        option('--http <port>', {
          en: 'listen at this port of 127.0.0.1 instead, for whoever has the token',
          zh: '改为监听 127.0.0.1 的此端口，持有令牌者可用',
        }).argParser((text) => parseWholeNumber('--http', text, 0)),
      )
      .add(groupOption({ en: 'only of this group', zh: '只限这个组' }))
      .notes({
        en: 'An agent starts it; docs/mcp-server.md has the line for each.',
        zh: '由智能体启动；各智能体的配置见 docs/mcp-server.md。',
      }),
  load: () => import('./serve/serve.ts'),
  run: async (options, context, loadModule) => (await loadModule()).runServer(options, context),
});

export const mcpCommand = defineCommand({
  subcommands: [listCommand, addCommand, removeCommand, testCommand, approveCommand, loginCommand, logoutCommand, serveCommand],
  grammar: () =>
    listGrammar('mcp', {
      en: 'list your MCP servers; or add, remove, test, approve, log in; or serve',
      zh: '列出 MCP 服务器；也可添加、删除、测试、批准、登录，或提供服务',
    })
      .notes({
        en: 'MCP servers are programs or addresses that give the model more tools. docs/mcp.md says more.',
        zh: 'MCP 服务器是为模型提供更多工具的程序或地址。详见 docs/mcp.md。',
      })
      .examples({
        'sanbot mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes': { en: 'a program', zh: '一个程序' },
        'sanbot mcp test files': { en: 'start it, and list its tools', zh: '启动它并列出工具' },
        'sanbot mcp remove files': { en: 'take it out again', zh: '删除它' },
      }),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listServers(options, context),
});
