import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { callsTool, replies, type Script, type Step } from '../support/scenario.ts';
import { goodSummary } from '../support/summary.ts';

let api: FakeApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const skillText = (name: string, description: string, body = 'Do it well.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

/** A home and a project with these files, and a scripted model. Paths that begin with ~ are in the home of SanBot. */
async function world(files: Readonly<Record<string, string>>, steps: Script | readonly Step[], window = '200000') {
  const sandbox = createSandbox();
  for (const [path, text] of Object.entries(files)) {
    const full = path.startsWith('~/') ? join(sandbox.home, path.slice(2)) : join(sandbox.cwd, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  api = await startFakeApi(steps, { home: sandbox.home });
  const env = {
    ...{ ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5', SANBOT_CONTEXT_WINDOW: window },
  };
  const say = (prompt: string, ...args: readonly string[]) => sandbox.run(['-p', prompt, ...args], { env });
  const request = (n = 0) => api?.requests[n]?.body ?? {};
  const system = (n = 0): string => JSON.stringify(request(n).system);
  const tools = (n = 0): string => JSON.stringify(request(n).tools);
  const sent = (n: number): string => JSON.stringify(request(n).messages);
  return { ...sandbox, env, say, system, tools, sent };
}

describe('skills of the user', () => {
  test('stand in the prompt with name and description; the model reads one, and its files, without being asked about', async () => {
    const { say, system, sent } = await world(
      {
        '~/skills/release/SKILL.md': skillText('release', 'How to release.', 'Tag, then publish. See notes/steps.md.'),
        '~/skills/release/notes/steps.md': 'step one: breathe',
      },
      [callsTool('skill', { name: 'release' }), callsTool('skill', { name: 'release', file: 'notes/steps.md' }), replies('done')],
    );
    expect(await say('release it')).toMatchObject({ code: 0, out: 'done\n' });
    expect(system()).toContain('- release: How to release.');
    expect(system()).not.toContain('Tag, then publish');
    expect(sent(1)).toContain('Tag, then publish');
    expect(sent(1)).not.toContain('description: How');
    expect(sent(1)).toContain('notes/steps.md');
    expect(sent(2)).toContain('step one: breathe');
  });

  test('are shortened where they take too much of the window, the one that was read last at the very last', async () => {
    const long = (name: string): string => `About ${name}. ${`It fills one more form of ${name}. `.repeat(20)}`.trim();
    const names = ['alpha', 'beta', 'gamma'];
    const files = Object.fromEntries(names.map((name) => [`~/skills/${name}/SKILL.md`, skillText(name, long(name))]));
    const { say, system, home } = await world(
      files,
      [replies('hi'), callsTool('skill', { name: 'Beta' }), replies('done'), replies('hi')],
      '24000',
    );
    const whole = (n: number) => names.filter((name) => system(n).includes(long(name)));
    await say('hello');
    expect(whole(0)).toEqual([]);
    await say('fill it');
    await say('hello');
    expect(whole(3)).toEqual(['beta']);
    for (const name of names) expect(system(3)).toContain(`- ${name}: About ${name}.`);
    expect(readFileSync(join(home, 'skills-used'), 'utf8')).toBe('beta\n');
  });

  test('cost nothing where there are none: no tool, no list', async () => {
    const { say, system, tools } = await world({}, [replies('done')]);
    await say('hello');
    expect(tools()).not.toContain('"skill"');
    expect(system()).not.toContain('Skills are');
  });

  test('of which there are more than twenty are found by words', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 25 }, (_, i) => [`~/skills/s${10 + i}/SKILL.md`, skillText(`s${10 + i}`, i === 24 ? 'Brew tea.' : 'Work.')]),
    );
    const { say, system, sent } = await world(many, [callsTool('skill', { query: 'tea' }), replies('done')]);
    await say('tea, please');
    expect(system()).toContain('- s29: Work.');
    expect(system()).not.toContain('- s30: Work.');
    expect(system()).toContain('- and 5 more');
    expect(sent(1)).toContain('- s34: Brew tea.');
  });

  test('with bad front matter are each told in one line, and the others are there', async () => {
    const bad = {
      none: 'Just text.',
      yaml: '---\nname: [\n---\n',
      silent: '---\nname: silent\n---\nbody',
      'odd name': '---\nname: "a b; rm"\ndescription: x\n---\n',
      bomb: `---\na: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]\ndescription: x\n---\n`,
    };
    const files = Object.fromEntries(Object.entries(bad).map(([name, text]) => [`~/skills/${name}/SKILL.md`, text]));
    const { say, system } = await world({ ...files, '~/skills/good/SKILL.md': skillText('good', 'Works.') }, [replies('done')]);
    const { code, err } = await say('hello');
    expect(code).toBe(0);
    const lines = err.split('\n').filter((line) => line.includes(' is left out: '));
    expect(lines).toHaveLength(5);
    expect(err).toContain('it does not begin with front matter between two lines of ---');
    expect(err).toContain('its front matter is not YAML');
    expect(err).toContain('its front matter has no description');
    expect(system()).toContain('- good: Works.');
  });

  test('are not a way out of their folder', async () => {
    const { say, sent, home } = await world({ '~/skills/a/SKILL.md': skillText('a', 'x'), '~/config.json': '{}' }, [
      callsTool('skill', { name: 'a', file: '../../config.json' }),
      callsTool('skill', { name: 'a', file: 'link' }),
      replies('done'),
    ]);
    symlinkSync(join(home, 'config.json'), join(home, 'skills/a/link'));
    await say('go');
    expect(sent(2).match(/is not in the folder of the skill/g)).toHaveLength(2);
  });
});

describe('skills of a project', () => {
  const files = {
    '.sanbot/skills/one/SKILL.md': skillText('one', 'First.'),
    '.claude/skills/two/SKILL.md': skillText('two', 'Second.'),
    '.agents/skills/three/SKILL.md': skillText('three', 'Third.'),
    '.agents/skills/broken/SKILL.md': 'nothing',
  };

  test('do nothing before it is trusted: no list, no tool, no word of what is wrong with them [S-16]', async () => {
    const { say, system, tools } = await world(files, [replies('done')]);
    const { err } = await say('hello');
    expect(system() + tools()).not.toMatch(/Skills are|"skill"|First\./);
    expect(err).not.toContain('broken');
  });

  test('are named when trust is asked for, and are there from then on; one that the user has too is left out, which is told', async () => {
    const { say, system, run } = await world({ ...files, '~/skills/two/SKILL.md': skillText('two', 'Mine.') }, [replies('done')]);
    const { out } = await run(['trust', 'add', '--yes']);
    expect(out).toContain(
      '  skills:\n    .sanbot/skills/one\n    .claude/skills/two\n    .agents/skills/broken\n    .agents/skills/three\n',
    );
    const { err } = await say('hello');
    for (const line of ['- one: First.', '- two: Mine.', '- three: Third.']) expect(system()).toContain(line);
    expect(system()).not.toContain('Second.');
    expect(err).toMatch(/two\/SKILL\.md is left out: .* has the same name, two\./);
  });

  test('that are links out of it are none', async () => {
    const { say, system, cwd, home } = await world({ '~/elsewhere/SKILL.md': skillText('elsewhere', 'Outside.') }, [replies('done')]);
    mkdirSync(join(cwd, '.agents/skills'), { recursive: true });
    symlinkSync(join(home, 'elsewhere'), join(cwd, '.agents/skills/elsewhere'));
    await say('hello', '--trust');
    expect(existsSync(join(cwd, '.agents/skills/elsewhere/SKILL.md'))).toBe(true);
    expect(system()).not.toContain('Outside.');
  });
});

test('a skill that was read is named after a compaction, to be read again', async () => {
  const prose = Array.from({ length: 500 }, (_, i) => `Fact ${i} stands here for later.`).join(' ');
  const { say, sent } = await world(
    { '~/skills/release/SKILL.md': skillText('release', 'How to release.') },
    (request, n) => {
      if (request.purpose === 'summary') return replies(goodSummary);
      return n === 0 ? callsTool('skill', { name: 'release' }) : replies(`Answer ${n}. ${prose}`);
    },
    '24000',
  );
  await say('release it');
  for (let i = 0; i < 8 && !sent((api?.requests.length ?? 1) - 1).includes('[Compressed History]'); i++)
    await say(`part ${i}. ${prose}`, '--continue');
  const last = sent((api?.requests.length ?? 1) - 1);
  expect(last).toContain('[Compressed History]');
  expect(last).toContain('### Skills that were read: read again with the tool skill what the work still needs\\n\\nrelease');
});

test('/skills lists them with what is wrong, and /NAME uses one; a command of that name goes first', async () => {
  const { runAtTerminal, env, sent } = await world(
    {
      '~/skills/tidy/SKILL.md': skillText('tidy', 'Tidies up.'),
      '~/skills/cost/SKILL.md': skillText('cost', 'Counts.'),
      '~/skills/x/SKILL.md': '',
    },
    [replies('all tidy')],
  );
  const terminal = await runAtTerminal([], { env });
  await terminal.waitFor('> ');
  terminal.send('/skills\r');
  await terminal.waitFor('Tidies up.');
  expect(terminal.text()).toContain('/cost (yours): the command of this name is run instead');
  expect(terminal.text().replace(/\s+/g, ' ')).toContain('it does not begin with front matter');
  terminal.send('/tidy the attic\r');
  await terminal.waitFor('all tidy');
  expect(sent(0)).toContain('Use the skill tidy. the attic');
  terminal.send('/cost\r');
  await terminal.waitFor('1 request with');
  terminal.send('/quit\r');
  expect((await terminal.exit).exitCode).toBe(0);
  expect(api?.requests).toHaveLength(1);
});
