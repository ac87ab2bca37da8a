import { Command, defineCommand, examples, homeOption, jsonOption, notes } from '../command.ts';

const load = () => import('./mcp.ts');

const TRUST = 'trust this folder for this run, so that its MCP servers count';

const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

const listGrammar = (name: string, description: string) =>
  new Command(name).description(description).option('--trust', TRUST).addOption(jsonOption()).addOption(homeOption());

const listCommand = defineCommand({
  grammar: () => listGrammar('list', 'list the MCP servers of your settings and of this folder'),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listServers(options, context),
});

const addCommand = defineCommand({
  grammar: () =>
    new Command('add')
      .description('add an MCP server to your settings: a program after --, or an address')
      .argument('<name>', 'what to call it; it stands in the names of its tools')
      .argument('[command...]', 'the program with its arguments')
      .option('--url <url>', 'where it is reached over HTTP')
      .option('--env <name=value>', 'a variable for the program; again for more', collect)
      .option('--header <name:value>', 'a header for each request; again for more', collect)
      .option('--always-load', 'put its tools into the list that the model has from the start')
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name, command = []], ...context }, loadModule) =>
    (await loadModule()).addServer({ ...options, name, command }, context),
});

const removeCommand = defineCommand({
  grammar: () =>
    new Command('remove')
      .description('remove an MCP server from your settings')
      .argument('<name>', 'its name')
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).removeServer({ ...options, name }, context),
});

const testCommand = defineCommand({
  grammar: () =>
    new Command('test')
      .description('connect to an MCP server, and show what it says of its tools')
      .argument('<name>', 'its name')
      .option('--trust', TRUST)
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).testServer({ ...options, name }, context),
});

const loadSignIn = () => import('./mcp-sign-in.ts');

const loginCommand = defineCommand({
  grammar: () =>
    new Command('login')
      .description('sign in to an MCP server with your browser')
      .argument('<name>', 'its name')
      .option('--no-browser', 'only print the address of the page')
      .option('--trust', TRUST)
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: loadSignIn,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).logIn({ ...options, name }, context),
});

const logoutCommand = defineCommand({
  grammar: () =>
    new Command('logout')
      .description('sign out of an MCP server')
      .argument('<name>', 'its name')
      .option('--trust', TRUST)
      .addOption(jsonOption())
      .addOption(homeOption()),
  load: loadSignIn,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).logOut({ ...options, name }, context),
});

const approveCommand = defineCommand({
  grammar: () =>
    new Command('approve')
      .description('agree to tools of an MCP server that have changed, after seeing what changed')
      .argument('<name>', 'its name')
      .option('-y, --yes', 'do not ask for confirmation')
      .option('--trust', TRUST)
      .addOption(jsonOption())
      .addOption(homeOption()),
  load,
  run: async (options, { operands: [name], ...context }, loadModule) => (await loadModule()).approveServer({ ...options, name }, context),
});

export const mcpCommand = defineCommand({
  subcommands: [listCommand, addCommand, removeCommand, testCommand, approveCommand, loginCommand, logoutCommand],
  grammar: () =>
    listGrammar('mcp', 'list your MCP servers; or add, remove, test, approve, log in').addHelpText(
      'after',
      `${notes('MCP servers are programs or addresses that give the model more tools. docs/mcp.md says more.')}\n${examples(
        ['sanbot mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes', 'a program'],
        ['sanbot mcp test files', 'start it, and list its tools'],
        ['sanbot mcp remove files', 'take it out again'],
      )}`,
    ),
  load,
  run: async (options, context, loadModule) => (await loadModule()).listServers(options, context),
});
