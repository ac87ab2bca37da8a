import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdsForEach } from '../support/each-row.ts';
import { root } from '../support/source.ts';

/** How each promise of docs/security.md begins, and a test that runs it: its file, and how its name begins. */
const promises: readonly (readonly [sentence: string, file: string, name: string])[] = [
  ['SanBot reads off each command', 'e2e/irreversible', 'is not run whatever flags allow, and the rule that is named lets it run'],
  ['a file larger than what is kept', 'unit/store/changes/reach', 'what it says can be brought back comes back'],
  ['a file or folder that is recorded nowhere', 'unit/tools/command/lost/find-irreversible', '%j'],
  ['what is on no disk of yours', 'unit/context/permission/irreversible/remote-programs', '%j is told'],
  ['Not told: folders that a tool', 'unit/tools/command/lost/find-irreversible', 'what was made since the start'],
  ['Only what the words', 'unit/tools/command/lost/find-irreversible', '%j'],
  ['What a script, `python -c`', 'unit/tools/command/lost/find-irreversible', '%j'],
  ['Of very large folders it looks', 'unit/tools/command/lost/look-below', 'no more is looked at than the bound'],
  ['An allow rule, a flag, a mode', 'unit/agent/turn/permission', 'is asked about whatever else allows the call'],
  ['`bypass` runs the command and tells', 'e2e/irreversible', 'is run in bypass, and told'],
  ['The system prompt, the descriptions', 'e2e/security-page', 'a turn connects to the endpoint that was chosen'],
  ['Offline, nothing is sent', 'e2e/trust', 'before consent, nothing of a folder is executed and nothing is sent'],
  ['the address of a page', 'unit/tools/web/fetch-url', 'follows a redirect on the same host, checked again'],
  ['the input of a tool of an [MCP server]', 'e2e/mcp', 'a server gets no secrets'],
  ['what was said, to the endpoint', 'e2e/embeddings', 'a project cannot say where texts are sent, trusted or not'],
  ['`sanbot setup`, `/model` and', 'e2e/setup-services', 'offers Claude with the key of the environment, sends nothing before'],
  ['SanBot downloads nothing', 'e2e/security-page', 'a turn connects to the endpoint that was chosen'],
  ['The [permission mode]', 'unit/agent/turn/permission', 'is changed in bypass, which asks about nothing'],
  ['`ask`, the default', 'e2e/repl', 'a no changes nothing'],
  ['You see the difference', 'unit/tools/command/run-command', 'what is shown for approval is what runs'],
  ['`accept-edits` lets edits', 'e2e/permissions', 'is written in bypass, and what is harmless in accept-edits'],
  ['It is not available in your home', 'e2e/permissions', 'accept-edits is refused in the home and above it'],
  ['`read-only` refuses', 'e2e/security-page', 'read-only refuses edits and commands'],
  ['`bypass` asks nothing', 'unit/agent/turn/permission', 'is changed in bypass, which asks about nothing'],
  ['`--allow TOOL`', 'e2e/security-page', '--allow lets one tool run outside of the working folder too'],
  ['SanBot asks each time before', 'e2e/permissions', '%s is not written where nobody can be asked'],
  ['The question says why', 'unit/tools/place/runs-later', 'a change of what runs later is asked about each time, with the reason'],
  ["git's own", 'unit/tools/place/runs-later', 'a change of what runs later is asked about each time'],
  ['what a shell, a login', 'unit/tools/place/runs-later', 'a change of what runs later is asked about each time'],
  ['what agents read or run', 'unit/tools/place/runs-later', 'a change of what runs later is asked about each time'],
  ['what commits, pushes', 'unit/tools/place/runs-later', 'a change of what runs later is asked about each time'],
  ['what package managers', 'unit/tools/place/runs-later', 'a change of what runs later is asked about each time'],
  ['what containers', 'unit/tools/place/runs-later', 'what tools load by themselves is known by families'],
  ['the files of the working folder that hooks', 'e2e/permissions', 'nor is a script that a hook of the settings runs'],
  ['every file in a folder of your', 'unit/tools/place/runs-later', 'a folder where commands are looked for'],
  ['[Rules]', 'e2e/permissions', 'come from the user alone'],
  ['A rule is compared with', 'unit/agent/turn/permission', 'covers a command by its bytes'],
  ['Behind the beginning of a command', 'unit/context/permission/prefix-rule', 'no ending that does harm is covered'],
  ['A command is *proven', 'unit/tools/command/bypass-corpus', 'none runs unasked'],
  ['Such commands ask as well', 'unit/tools/command/bypass-corpus', 'asks outside of a sandbox while the person has not said otherwise'],
  ['The file tools follow links', 'unit/tools/place/place', 'a link is judged and shown by where it leads'],
  ['Commands, hooks and MCP servers', 'unit/tools/command/run-command', 'no credential and nothing that steers a program'],
  ["those that hold a model's key", 'e2e/providers', 'keeps the variable of its key from commands, hooks and servers'],
  ['those that hold credentials', 'unit/tools/command/run-command', 'withholds %s, by its name or by its value'],
  ['those that make a shell', 'unit/tools/command/run-command', 'no credential and nothing that steers a program'],
  ['If a command that names one', 'unit/tools/command/run-command', 'is told in the note of a command that failed'],
  ['On Linux, commands of the model', 'unit/tools/command/sandbox/sandbox', 'a bubblewrap that does not work, is missing'],
  ['Web pages and PDFs', 'unit/tools/parse/parser', 'a text whose parser never ends is ended at its limit'],
  ['Stopping the work', 'e2e/parser', 'a page that its parser does not master keeps nobody'],
  ['`--sandbox on` refuses', 'e2e/sandbox', '--sandbox on does not start, and off says nothing'],
  ['writes only in the working folder', 'unit/tools/command/sandbox/sandbox', 'reads what is there, and writes in the working folder'],
  ['has no network', 'unit/tools/command/sandbox/sandbox', 'reaches no network and no socket of the machine'],
  ['does not see the keys', 'unit/tools/command/sandbox/sandbox', 'does not see keys'],
  ['has its own processes', 'unit/tools/command/sandbox/sandbox', 'has its own processes and its own /proc'],
  ['can neither change nor make', 'unit/tools/command/sandbox/sandbox', 'cannot change what runs outside of it'],
  ['cannot lead git', 'unit/tools/command/sandbox/sandbox', 'leaves no other configuration to a repository'],
  ['leaves nothing running', 'unit/tools/command/sandbox/sandbox', 'leaves nothing running'],
  ['A call can ask for the network', 'unit/agent/turn/permission', 'beyond the sandbox a rule allows what it says'],
  ['Commands in the sandbox still ask', 'unit/agent/turn/permission', 'in the sandbox any command runs unasked where the user chose so'],
  ['A command in the background has', 'e2e/sandbox', 'holds as long as the command runs'],
  ['Nothing that a tool returned', 'e2e/memory', 'reaches no memory, no prompt and no page'],
  ['Its `.sanbot.json` sets nothing', 'e2e/trust', 'sets nothing, runs nothing and stops nothing'],
  ['SanBot starts no program', 'e2e/trust', 'before consent, nothing of a folder is executed'],
  ['At a terminal, its instruction', 'e2e/trust', 'at a terminal wait for a yes'],
  ['In scripts, where nobody', 'e2e/trust', 'are read where nobody can be asked, and named'],
  ['With `--permission-mode bypass`', 'e2e/trust', 'are read where nobody can be asked, and named; not in bypass mode'],
  ['`sanbot trust add`', 'e2e/trust', 'add needs a yes, shows what it is for'],
  ['A trust belongs to', 'e2e/trust', 'goes by the real path and the repository'],
  ['Changed hooks, MCP servers', 'e2e/trust', 'hooks that change need a new yes'],
  ['`sanbot trust remove`', 'e2e/trust', 'add needs a yes, shows what it is for, and holds from then on'],
  ['Even a trusted project', 'unit/domain/config/config-layers', 'that is trusted sets all but what belongs to the user'],
  ['It may choose the model', 'unit/domain/config/config-layers', 'names no model at another endpoint'],
  ['It gets the environment', 'e2e/mcp', 'a server gets no secrets'],
  ['Only the input of its calls', 'e2e/mcp', 'are found by words, and called through call_tool'],
  ['Over HTTP, a request', 'e2e/mcp-http', 'that redirects within its origin is followed'],
  ['A project can name public', 'e2e/mcp-settings', 'get no variable of SanBot itself, and no address that is not public'],
  ['Your own settings can name', 'e2e/mcp-http', 'on this machine is called where your settings name it'],
  ['The token of [signing in]', 'stress/e2e/mcp-sign-in', 'has its token in the home, readable by the owner alone'],
  ['What servers say', 'e2e/mcp', 'counts again only when the user has agreed to what changed'],
  ['What they return', 'e2e/mcp', 'give results that are offloaded under their names, and masked'],
  ['The servers of a project count', 'e2e/mcp-settings', 'neither start nor count before its folder is trusted'],
  ['With `--trust`, which', 'e2e/mcp-settings', 'get variables that hold keys only after you have seen'],
  ['The key is read from', 'unit/domain/config/config-layers', 'the key of the environment wins over that of a file'],
  ['It is sent only to the endpoint', 'e2e/security-page', 'the key is masked by config show'],
  ['`agent.redactSecrets` replaces', 'e2e/security-page', 'secrets are masked in what ! prints'],
  ['Everything is masked before', 'unit/tools/secret-halves', 'wherever it is parted'],
  ['So no cut leaves', 'unit/tools/secret-halves', 'begins and ends in no half of'],
  ['Instruction files are masked', 'e2e/security-page', 'secrets in instruction files are masked, whatever the setting says'],
  ['So is what an MCP server', 'stress/e2e/mcp-bad-servers', 'words hold a key has it masked before the model or the disk'],
  ['Escapes, colours and encodings', 'property/secrets', 'a token of any kind is masked wherever it stands'],
  ['What a command is given', 'e2e/security-page', 'what a command is given as a password is in none of the files'],
  ['`sanbot purge --match -`', 'e2e/security-page', 'a purge takes a secret out of everything below the home'],
  ['`~/.sanbot` and everything', 'e2e/security-page', 'everything in the home is readable by its owner alone'],
  ['A folder that belongs to somebody', 'e2e/given-home', '%s is refused, and stays as it is'],
];

/** What says what is not promised, what follows from it, or what to do. */
const advice: readonly string[] = [
  ...[
    'What SanBot promises',
    'That includes whatever',
    'Anything else goes out',
    'It is your consent',
    'Without a sandbox, a command',
    'Use it only on',
  ],
  ...[
    '`--allow run_command`',
    'Such files are',
    'The source of your program',
    '`tools/place/runs-later.ts`',
    'A command that you allow can',
  ],
  ...[
    'It looks at names',
    'A command is never',
    'Commands are not limited',
    'That keeps credentials',
    '**It does not keep',
    'A key in `~/.sanbot',
    'Elsewhere there is',
    'In it, a command',
  ],
  ...[
    'The rest of the disk',
    'Below the top',
    'Hooks are your own',
    'A project can contain',
    'SanBot tells the model',
    'Until you trust',
    'A yes is for what',
  ],
  ...[
    'A server that you add',
    'Any command that you allow',
    'It goes by patterns',
    'It does not touch',
    'what you type',
    'what the model writes',
    'what is kept of your files',
  ],
  ...[
    'It cannot take back',
    'Change the secret',
    'Nothing in it is encrypted',
    'Linux only',
    'SanBot is expected',
    'Report a vulnerability',
    'Say which version',
    'If you are not sure',
  ],
];

const sentences = readFileSync(join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .map((line) => line.replace(/^- /, '').trim())
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => line.split(/(?<=[.?!])\*{0,2} +(?=[A-Z`*[])/));

test('each sentence of the page about security has a test that runs it, or promises nothing', () => {
  const beginnings = [...promises.map(([sentence]) => sentence), ...advice];
  expect(sentences.filter((sentence) => !beginnings.some((begin) => sentence.startsWith(begin)))).toEqual([]);
  expect(beginnings.filter((begin) => sentences.filter((sentence) => sentence.startsWith(begin)).length !== 1)).toEqual([]);
});

test('each of these tests is there', () =>
  holdsForEach(
    promises,
    ([sentence]) => sentence,
    ([, file, name]) => expect(readFileSync(join(root, 'test', `${file}.test.ts`), 'utf8')).toContain(name),
  ));
