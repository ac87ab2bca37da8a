import { localize } from '../../domain/language.ts';
import { Command, defineCommand, examples, homeOption, jsonOption, notes } from '../command.ts';

const load = () => import('./mcp.ts');

const trustText = () =>
  localize({ en: 'trust this folder for this run, so that its MCP servers count', zh: '本次运行信任此文件夹，使其 MCP 服务器生效' });

const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

const listGrammar = (name: string, description: string) =>
  new Command(name).description(description).option('--trust', trustText()).addOption(jsonOption()).addOption(homeOption());

const listCommand = defineCommand({
  grammar: () =>
    listGrammar(
      'list',
      localize({ en: 'list the MCP servers of your settings and of this folder', zh: '列出你的设置和此文件夹中的 MCP 服务器' }),
    ),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listServers(options, context),
});

const addCommand = defineCommand({
  grammar: () =>
    new Command('add')
      .description(
        localize({
          en: 'add an MCP server to your settings: a program after --, or an address',
          zh: '在设置中添加 MCP 服务器：-- 之后的程序，或一个地址',
        }),
      )
      .argument('<name>', localize({ en: 'what to call it; it stands in the names of its tools', zh: '服务器名，会出现在其工具名中' }))
      .argument('[command...]', localize({ en: 'the program with its arguments', zh: '程序及其参数' }))
      .option('--url <url>', localize({ en: 'where it is reached over HTTP', zh: '通过 HTTP 访问的地址' }))
      .option(
        '--env <name=value>',
        localize({ en: 'a variable for the program; again for more', zh: '程序的环境变量；可重复使用' }),
        collect,
      )
      .option(
        '--header <name:value>',
        localize({ en: 'a header for each request; again for more', zh: '每个请求的标头；可重复使用' }),
        collect,
      )
      .option(
        '--always-load',
        localize({ en: 'put its tools into the list that the model has from the start', zh: '从一开始就把其工具列入模型的工具列表' }),
      )
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name, command = []], ...context }, loadModule) =>
    (await loadModule()).addServer({ ...options, name, command }, context),
});

const removeCommand = defineCommand({
  grammar: () =>
    new Command('remove')
      .description(localize({ en: 'remove an MCP server from your settings', zh: '从设置中删除 MCP 服务器' }))
      .argument('<name>', localize({ en: 'its name', zh: '服务器名' }))
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).removeServer({ ...options, name }, context),
});

const testCommand = defineCommand({
  grammar: () =>
    new Command('test')
      .description(localize({ en: 'connect to an MCP server, and show what it says of its tools', zh: '连接 MCP 服务器，显示其工具说明' }))
      .argument('<name>', localize({ en: 'its name', zh: '服务器名' }))
      .option('--trust', trustText())
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).testServer({ ...options, name }, context),
});

const loadSignIn = () => import('./mcp-sign-in.ts');

const loginCommand = defineCommand({
  grammar: () =>
    new Command('login')
      .description(localize({ en: 'sign in to an MCP server with your browser', zh: '用浏览器登录 MCP 服务器' }))
      .argument('<name>', localize({ en: 'its name', zh: '服务器名' }))
      .option('--no-browser', localize({ en: 'only print the address of the page', zh: '只输出页面地址' }))
      .option('--trust', trustText())
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: loadSignIn,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).logIn({ ...options, name }, context),
});

const logoutCommand = defineCommand({
  grammar: () =>
    new Command('logout')
      .description(localize({ en: 'sign out of an MCP server', zh: '退出登录 MCP 服务器' }))
      .argument('<name>', localize({ en: 'its name', zh: '服务器名' }))
      .option('--trust', trustText())
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: loadSignIn,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).logOut({ ...options, name }, context),
});

const approveCommand = defineCommand({
  grammar: () =>
    new Command('approve')
      .description(
        localize({
          en: 'agree to tools of an MCP server that have changed, after seeing what changed',
          zh: '先查看 MCP 服务器的工具有何变化，再批准',
        }),
      )
      .argument('<name>', localize({ en: 'its name', zh: '服务器名' }))
      .option('-y, --yes', localize({ en: 'do not ask for confirmation', zh: '不要求确认' }))
      .option('--trust', trustText())
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).approveServer({ ...options, name }, context),
});

export const mcpCommand = defineCommand({
  subcommands: [listCommand, addCommand, removeCommand, testCommand, approveCommand, loginCommand, logoutCommand],
  grammar: () =>
    listGrammar(
      'mcp',
      localize({
        en: 'list your MCP servers; or add, remove, test, approve, log in',
        zh: '列出 MCP 服务器；也可添加、删除、测试、批准、登录',
      }),
    )
      .addHelpText(
        'after',
        notes(
          localize({
            en: 'MCP servers are programs or addresses that give the model more tools. docs/mcp.md says more.',
            zh: 'MCP 服务器是为模型提供更多工具的程序或地址。详见 docs/mcp.md。',
          }),
        ),
      )
      .addHelpText(
        'after',
        examples(
          ['sanbot mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes', localize({ en: 'a program', zh: '一个程序' })],
          ['sanbot mcp test files', localize({ en: 'start it, and list its tools', zh: '启动它并列出工具' })],
          ['sanbot mcp remove files', localize({ en: 'take it out again', zh: '删除它' })],
        ),
      ),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listServers(options, context),
});
