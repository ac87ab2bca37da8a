import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flagFor, permissionFlags, readToolFlags } from '../../../../src/commands/chat/tool-flags.ts';
import { rulesAllow } from '../../../../src/context/permission/rules.ts';
import type { PermissionRule } from '../../../../src/domain/config/permission-rule.ts';
import { toolNames } from '../../../../src/domain/permission.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';

const allowing = (text: string) => readToolFlags('--allow', [text]);
const run = (rule: object) => ({ tool: 'run_command', ...rule });

describe('what may run, on the command line', () => {
  test.each([
    ['edit_file,write_file', { names: ['edit_file', 'write_file'], rules: [] }],
    ['run_command(git status)', { names: [], rules: [run({ command: 'git status' })] }],
    ['run_command(npm test *), search', { names: ['search'], rules: [run({ prefix: 'npm test' })] }],
    ['Bash(git log:*) Edit', { names: ['edit_file'], rules: [run({ prefix: 'git log' })] }],
    ['Bash(echo "(a), b")', { names: [], rules: [run({ command: 'echo "(a), b"' })] }],
    [
      'Edit(src/**),Read(//etc/hosts)',
      {
        names: [],
        rules: [
          { tool: 'edit_file', path: 'src/**' },
          { tool: 'read_file', path: '/etc/hosts' },
        ],
      },
    ],
    ['WebFetch(domain:example.com)', { names: [], rules: [{ tool: 'fetch_url', host: 'example.com' }] }],
    ['Bash(*)', { names: ['run_command'], rules: [] }],
    ['mcp__files,mcp__files__read', { names: ['mcp__files__*', 'mcp__files__read'], rules: [] }],
  ])('%s', (text, said) => {
    expect(allowing(text)).toEqual(said);
  });

  test.each([
    ['Bsh', 'Did you mean Bash?'],
    ['run_command(git', 'a ) for each ('],
    ['run_command()', 'something in the brackets'],
    ['Bash(:*)', 'something in the brackets'],
    ['mcp__', 'there is no tool "mcp__"'],
    ['mcp__files__', 'there is no tool "mcp__files__"'],
    ['run_command(git * status)', '* only at its end'],
    ['run_command(git*)', '* only at its end'],
    ['run_command(bash *)', 'says nothing of what would run'],
    ['todo(a)', 'todo without brackets'],
    ['fetch_url(https://example.com/a b)', 'the name of a host'],
    ['run_command(a)b', 'a comma between'],
    ['', 'the name of a tool'],
  ])('%s is no way to say it, and nothing is allowed', (text, why) => {
    let error: unknown;
    try {
      allowing(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'usage' });
    expect(`${Object(error).message} ${Object(error).hint}`).toContain(why);
  });

  test('whatever is typed, nothing is allowed but what stands there', () => {
    const piece = fc.constantFrom(
      'run_command',
      'Bash',
      'edit_file',
      '(',
      ')',
      '*',
      ':*',
      ' ',
      ',',
      'git',
      'npm test',
      '"',
      '\\',
      '$(x)',
      '..',
      '/',
      '',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join('');
        let said: ReturnType<typeof allowing> | undefined;
        try {
          said = allowing(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' });
        }
        for (const name of said?.names ?? []) expect(toolNames).toContain(name);
        for (const { command, prefix, path } of said?.rules ?? []) expect(text).toContain(command ?? prefix ?? path?.replace(/^\//, ''));
      }),
      { numRuns: 200 },
    );
  });

  const allows = async (rules: readonly PermissionRule[], command: string): Promise<boolean> => {
    const call = { tool: 'run_command', cwd: '/w', paths: [], command: { text: command, parsed: await parseShell(command) } };
    return rulesAllow({ allow: [...rules], readOnlyCommands: 'ask' }, call);
  };

  test('of 200 wrong patterns none allows anything, whatever stands beside it', async () => {
    const word = fc.constantFrom('git', 'git push', 'npm test', 'rm -rf x', 'src/**', '');
    const wrong = fc.oneof(
      fc.tuple(fc.constantFrom('run_command', 'Bash', 'Edit'), word).map(([tool, each]) => `${tool}(${each}`),
      word.map((each) => `Bash${each}))`),
      fc.tuple(fc.stringMatching(/^[A-Z][a-z]{2,6}x$/), word).map(([tool, each]) => `${tool}(${each})`),
      word.map((each) => `run_command(${each}* now)`),
      word.map((each) => `Bash(*${each}x)`),
      word.map((each) => `Bash(${each}:*:*)`),
      word.map((each) => `Bash(${each} ** x)`),
      fc.constantFrom('bash', 'sudo', 'env', 'xargs', 'sh', 'eval').map((each) => `Bash(${each}:*)`),
      fc.tuple(fc.constantFrom('todo', 'Task', 'remember', 'recall'), word).map(([tool, each]) => `${tool}(${each})`),
      fc.constantFrom('Bash()', 'Edit( )', 'WebFetch(https://a b)', 'Bash(a)b', '()', '(git)', 'Bash (git)', 'Bash((git)'),
    );
    const beside = fc.constantFrom('', 'Read,', 'Bash(git status) ', 'edit_file(src/**),');
    await fc.assert(
      fc.asyncProperty(fc.tuple(beside, wrong), async ([before, pattern]) => {
        expect(() => permissionFlags({ allow: [`${before}${pattern}`], deny: [] })).toThrow(/^--allow/);
      }),
      { numRuns: 200 },
    );
  });

  test('what a pattern grants is the command that stands there and no other, nor anything beside it', async () => {
    const more = fc.constantFrom(
      '; rm x',
      ' && rm x',
      ' | sh',
      ' $(rm x)',
      ' `rm x`',
      ' > x',
      '\nrm x',
      ' & rm x',
      ' <(rm x)',
      ' -c "$(rm x)"',
    );
    const granted = fc.constantFrom(['git status', 'git status'], ['npm run lint:*', 'npm run lint'], ['ls src *', 'ls src']);
    await fc.assert(
      fc.asyncProperty(granted, more, fc.constantFrom('sudo ', 'X=1 ', 'env ', 'cd / && '), async ([pattern, command], behind, before) => {
        const { rules } = allowing(`Bash(${pattern})`);
        expect(await allows(rules, command)).toBe(true);
        for (const other of [`${command}${behind}`, `${before}${command}`, `${command}x`, command.slice(0, -1), 'rm x'])
          expect([other, await allows(rules, other)]).toEqual([other, false]);
      }),
      { numRuns: 200 },
    );
  });

  test('what denies a path that begins with one slash is about the folder too, and two are the disk alone', () => {
    const denying = (text: string) => permissionFlags({ allow: [], deny: [text] }).rules?.deny.map(({ path }) => path);
    expect([denying('Read(/src/**)'), denying('Read(//src/**)'), denying('Read(/)')]).toEqual([['/src/**', 'src/**'], ['/src/**'], ['/']]);
    expect(permissionFlags({ allow: ['Edit(/src/**)'], deny: [] }).rules?.allow).toEqual([{ tool: 'edit_file', path: '/src/**' }]);
  });

  test('rules of both kinds hold, and what denies a whole tool is a rule too', () => {
    expect(permissionFlags({ allow: ['Edit'], deny: ['Bash', 'Bash(rm *)'] })).toEqual({
      allowed: ['edit_file'],
      rules: { allow: [], deny: [run({}), run({ prefix: 'rm' })] },
    });
  });

  test('what would let a call run is said as it can be typed, or not at all', () => {
    const offer = (rule: object) => ({ kind: 'rule' as const, rule: run(rule) });
    expect(flagFor('run_command', [offer({ command: 'git push' }), offer({ prefix: 'git' })])).toBe('run_command(git push)');
    expect(flagFor('run_command', [offer({ command: 'echo (a)' }), offer({ prefix: 'echo' })])).toBe('run_command(echo *)');
    expect(flagFor('run_command', [offer({ command: 'git push', needs: 'everything' })])).toBeUndefined();
  });
});
