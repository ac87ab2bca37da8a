import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-syntax';
import { beforeAll, describe, expect, test } from 'vitest';
import { configSchema, presets } from '../../src/domain/config/config.ts';
import { resolveConfig } from '../../src/domain/config/config-layers.ts';
import { errorKinds } from '../../src/domain/errors.ts';
import { stopReasons } from '../../src/domain/event/event-schema.ts';
import { hookEvents } from '../../src/domain/hook/hook.ts';
import { permissionModes } from '../../src/domain/permission.ts';
import { compareWithTargets, createCollector } from '../../src/report/metrics/collect.ts';
import { commandRows } from '../../src/terminal/slash/slash-commands.ts';
import {
  commandLines,
  commandLinesIn,
  deadLinks,
  missingPaths,
  npmScripts,
  pages,
  readPage,
  rowsOf,
  slashCommands,
} from '../support/docs.ts';
import { commandsListed } from '../support/help-rows.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { nodesOf, parseSource, readSource, root, sourceFiles, stringsIn } from '../support/source.ts';

const helpOf = async (command: string, { run }: Sandbox): Promise<string> =>
  (await run([...command.split(' ').filter((word) => word !== ''), '--help'])).out.trimEnd();

/** The names below "Commands:" in a help, each with its command before it; `help` itself apart. */
const commandsIn = (help: string, command: string): readonly string[] =>
  commandsListed(help)
    .map((name) => `${command} ${name}`.trim())
    .filter((name) => name !== 'help');

/** Every help that there is, by the words after `sanbot`. */
async function allHelps(world: Sandbox, command = ''): Promise<ReadonlyMap<string, string>> {
  const help = await helpOf(command, world);
  const below = await Promise.all(commandsIn(help, command).map((name) => allHelps(world, name)));
  return new Map([[command, help], ...below.flatMap((each) => [...each])]);
}

let helps: ReadonlyMap<string, string>;
beforeAll(async () => {
  helps = await allHelps(createSandbox());
});

const commandsPage = 'docs/commands.md';

describe('the help', () => {
  test('of each command says what it does, and what each of its options, arguments and commands is for', () => {
    const silent = [...helps].flatMap(([command, help]) => {
      const [usage = '', does = ''] = help.slice(help.indexOf('Usage: ')).split('\n\n');
      // A name that fills its column has its meaning in the next row.
      const rows = [...help.matchAll(/^ {2}(?:-|<?[a-z])[^\n]*?(?:(?: {2,}|\n {10,})(\S[^\n]*))?$/gm)];
      const unexplained = rows.filter(([, meaning]) => meaning === undefined).map(([row]) => row);
      return usage.startsWith(`Usage: sanbot${command && ' '}${command}`) && /^\w/.test(does) ? unexplained : [command, ...unexplained];
    });
    expect(silent).toEqual([]);
    expect(helps.size).toBeGreaterThan(50);
  });

  test('has only examples that the program knows', () => {
    const examples = [...helps.values()].flatMap((help) => (help.split('\nExamples:\n')[1] ?? '').split('\n'));
    const lines = examples.flatMap((line) => commandLinesIn(line.trimStart().replace(/ {2,}.*$/, '')));
    expect(lines.filter(isUnknown)).toEqual([]);
    expect(lines.length).toBeGreaterThan(20);
  });

  test.each([
    ['the page for man', 'sanbot.1', (text: string) => text.replace(/^\\&/gm, '').replaceAll('\\-', '-').replaceAll('\\e', '\\')],
    ['the reference', 'reference.md', (text: string) => text],
  ])('of every command is in %s that the build makes', (_, name, plain) => {
    const text = plain(readPage(`dist/docs/${name}`));
    expect([...helps].filter(([, help]) => !text.includes(`\n${help}\n`)).map(([command]) => command)).toEqual([]);
    expect(text.match(/^Usage: sanbot/gm)).toHaveLength(helps.size);
  });

  test('is nowhere else: what is copied into a page grows old', () => {
    expect(pages.filter((page) => /^Usage: sanbot/m.test(readPage(page)))).toEqual([]);
  });
});

describe('the page of commands', () => {
  test('lists the commands of the conversation, and no others', () => {
    const listed = rowsOf(commandsPage).flatMap(([cell = '']) => [...cell.matchAll(/`\/([a-z-]+)/g)].map(([, name]) => name));
    expect(listed.toSorted()).toEqual(commandRows.map(({ name }) => name).toSorted());
  });

  test('gives every failure its exit code and its way out', () => {
    const table = rowsOf(commandsPage).filter(([, code = '']) => /^\d+$/.test(code));
    expect(table.map(([, code, hint]) => [Number(code), hint])).toEqual(
      Object.values(errorKinds).map(({ exitCode, hint }) => [exitCode, hint.en]),
    );
  });

  test('names every way in which a turn ends', () => {
    const row = rowsOf(commandsPage).find(([cell = '']) => cell === '`stopReason`');
    expect(stopReasons.filter((reason) => !row?.[1]?.includes(`\`${reason}\``))).toEqual([]);
  });

  test('has a row for every permission mode', () => {
    const modes = rowsOf(commandsPage).flatMap(([cell = '']) => permissionModes.filter((mode) => cell === `\`${mode}\``));
    expect(modes).toEqual(permissionModes);
  });
});

describe('the page of settings', () => {
  const rows = rowsOf('docs/settings.md');

  test('has the values of the presets', () => {
    const names = ['development', 'production', 'large-context'] as const;
    const keys = Object.keys(presets.development).map((key) => `\`${key}\``);
    const expected = Object.keys(presets.development).map((key) => [
      `\`${key}\``,
      ...names.map((name) => String(Object.entries(presets[name]).find(([each]) => each === key)?.[1])),
    ]);
    expect(rows.filter(([key = '']) => keys.includes(key))).toEqual(expected);
    expect(rows).toContainEqual(['key', ...names.map((name) => `\`${name}\``)]);
  });

  test('names every environment variable that is read', () => {
    const names = sourceFiles()
      .filter((file) => /(?:SANBOT|ANTHROPIC)_[A-Z]/.test(readSource(file)))
      .flatMap((file) => namesIn(parseSource(file)))
      .filter((name) => /^(?:SANBOT|ANTHROPIC)_[A-Z_]+$/.test(name) && name !== SET_FOR_HOOKS);
    const page = readPage('docs/settings.md');
    expect(names).toContain('SANBOT_HOME');
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

/** Set, and never read: by it the processes of a hook are found. */
const SET_FOR_HOOKS = 'SANBOT_HOOK_ID';

/** What a variable's name may stand as: a string, a key of an object, a member. */
const namesIn = (file: ts.SourceFile): readonly string[] => [
  ...stringsIn(file),
  ...nodesOf(file).flatMap((node) => (ts.isIdentifier(node) ? [node.text] : [])),
];

describe('the page of models', () => {
  const sections = readPage('docs/models.md').split(/^## /m);
  const services = ['Claude', 'OpenAI', 'Ollama', 'LM Studio', 'llama.cpp', 'vLLM', 'OpenRouter'];

  test('has for each service a line that works, and says, on no other page, that none was tested itself', () => {
    const says = pages.filter((page) => /tested against (?:a|the) live service/i.test(readPage(page)));
    expect(says).toEqual(['docs/models.md']);
    expect(sections[0]).toContain('None of this was tested against the live services.');
    const lines = services.map((service) => sections.find((section) => section.startsWith(`${service}\n`)) ?? '');
    expect(lines.filter((section) => !/^```(?:sh|json)\n/m.test(section))).toEqual([]);
  });

  test('and every configuration on it is one, whose model is asked at an endpoint that it has', () => {
    const blocks = sections.flatMap((section) => [...section.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, block = '']) => block));
    expect(blocks.length).toBeGreaterThanOrEqual(7);
    for (const text of blocks) {
      const resolved = resolveConfig([{ kind: 'file', path: 'config.json', trust: 'user', text }]);
      expect([text, resolved.kind === 'bad' ? resolved.problems : resolved.notices]).toEqual([text, []]);
      const { name, endpoints } = resolved.kind === 'ok' ? resolved.config.model : configSchema.parse({}).model;
      if (name !== null) expect([name, endpoints[name]?.model]).toEqual([name, expect.any(String)]);
    }
  });
});

test('the page of hooks has a row for every moment', () => {
  const moments = rowsOf('docs/hooks.md').flatMap(([cell = '']) => hookEvents.filter((event) => cell === `\`${event}\``));
  expect(moments).toEqual(hookEvents);
});

test('the page of architecture names every room of src', () => {
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const page = readPage('docs/architecture.md');
  expect(rooms.filter(({ name }) => !page.includes(`\`${name}/\``))).toEqual([]);
});

describe('the README in Chinese', () => {
  const [english, chinese] = [readPage('README.md'), readPage('README.zh.md')];
  const linksOf = (text: string): readonly string[] =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !target.startsWith('README'));
  const sorted = (pattern: RegExp, text: string): readonly string[] => [...text.matchAll(pattern)].map(([match]) => match).toSorted();

  test('has the headings of the README, level by level', () => {
    expect(chinese.match(/^#+ /gm)).toEqual(english.match(/^#+ /gm));
  });

  test('has its blocks of code, its links and its tables', () => {
    expect(chinese.match(/^```[\s\S]*?^```/gm)).toEqual(english.match(/^```[\s\S]*?^```/gm));
    expect(linksOf(chinese)).toEqual(linksOf(english));
    expect(chinese.match(/^\| /gm)).toHaveLength(english.match(/^\| /gm)?.length ?? 0);
  });

  test.each([
    ['commands', /`[^`\n]+`/g],
    ['versions', /\b\d+(?:\.\d+)+\b/g],
  ])('names the %s that the README names, and no other', (_, pattern) => {
    expect(sorted(pattern, chinese)).toEqual(sorted(pattern, english));
  });

  test('leads to the README and is led to by it', () => {
    expect(english).toContain('(README.zh.md)');
    expect(chinese).toContain('(README.md)');
  });
});

test('the README has at most 1,000 words', () => {
  expect(
    readPage('README.md')
      .split(/\s+/)
      .filter((word) => word !== '').length,
  ).toBeLessThanOrEqual(1_000);
});

/** True when a line of the words after `sanbot` names a command or an option that there is not. */
function isUnknown(line: readonly string[]): boolean {
  const words = line[0] === 'help' ? line.slice(1) : line;
  const command = [2, 1, 0].map((length) => words.slice(0, length).join(' ')).find((name) => helps.has(name)) ?? '';
  const isCommand = command !== '' || words[0] === undefined || /^[-A-Z<]/.test(words[0]);
  const help = helps.get(command) ?? '';
  // What stands behind -- is another program's.
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const options = own.filter((word) => /^--?[a-z]/.test(word));
  return !isCommand || options.some((option) => !new RegExp(`^ +(?:-\\w, )?${option}(?:,| |$)`, 'm').test(help));
}

test('every command line on a page is one that the program knows', () => {
  const wrong = pages.flatMap((page) =>
    commandLines(page)
      .filter(isUnknown)
      .map((words) => `${page}: sanbot ${words.join(' ')}`),
  );
  expect(wrong).toEqual([]);
  expect(commandLines('README.md').length).toBeGreaterThan(5);
});

test('every option that a page for users names is in a help', () => {
  // Of llama.cpp and vLLM, whose windows they set; and as scripts for Claude Code say it, which is taken and in no help.
  const foreign = ['--jinja', '--max-model-len', '--allowed', '--disallowed', '--max-turns', '--dangerously-skip-permissions'];
  const all = [...helps.values()].join('\n');
  const named = pages
    .filter((page) => /^(?:README|docs\/(?!architecture|failures|measuring|start))/.test(page))
    .flatMap((page) => [...readPage(page).matchAll(/`(--[a-z][a-z-]*)/g)].map(([, option = '']) => ({ page, option })));
  expect(named.filter(({ option }) => !foreign.includes(option) && !new RegExp(` ${option}(?:[, ]|$)`, 'm').test(all))).toEqual([]);
  expect(named.length).toBeGreaterThan(50);
});

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe.each(pages)('%s', (page) => {
  const text = readPage(page);

  test('names only commands of the conversation and scripts that there are', () => {
    expect(slashCommands(page).filter((name) => !commandRows.some((row) => row.name === name))).toEqual([]);
    expect(npmScripts(page).filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('has only links that lead somewhere', () => {
    expect(deadLinks(page)).toEqual([]);
  });

  test('names no address but that of an API in a setting, no mailbox, no machine and no registry', () => {
    expect(text.match(/https?:\/\/(?!127\.0\.0\.1|localhost|openrouter\.ai\/api\/v1")\S+|[\w.+-]+@[\w-]+\.[a-z]{2,}/g) ?? []).toEqual([]);
    expect(text).not.toMatch(/\/work\/|\/root\/|\/home\/(?!you\/)|registry\.|npm install (?:-g )?sanbot/);
  });
});

test('the manifest names no address', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(['repository', 'bugs', 'homepage'].filter((key) => key in manifest)).toEqual([]);
});

test.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/measuring.md', 'docs/failures.md'])(
  'every file that %s names is there',
  (page) => {
    expect(missingPaths(page)).toEqual([]);
  },
);

test('the targets on the page of figures are those of the program', () => {
  const targets = compareWithTargets(createCollector().result()).map(({ means, want, target }) => [
    means,
    `${want} ${Math.round(target * 100)} %`,
  ]);
  expect(rowsOf('docs/measuring.md')).toEqual(expect.arrayContaining(targets));
});

/** A page, or its part below a heading as far as the next heading. */
test.each([
  ['docs/models.md', '## Effort'],
  ['docs/plan.md', ''],
  ['docs/agents.md', ''],
  ['docs/commands.md', '## Scripts and pipes'],
  ['docs/commands.md', '### More folders'],
  ['docs/settings.md', '### Colours'],
  ['docs/models.md', '## Windows and prices of your own'],
  ['docs/start.md', '## The single executable'],
  ['CONTRIBUTING.md', '## Make a release'],
])('what %s %s tells takes at most 400 words', (page, heading) => {
  const text = readFileSync(join(root, page), 'utf8');
  const part = heading === '' ? text : text.split(/^(?=#+ )/m).find((each) => each.startsWith(`${heading}\n`));
  expect(part?.split(/\s+/).length ?? Number.NaN).toBeLessThanOrEqual(400);
});
