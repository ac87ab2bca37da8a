import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

const write = (home: string, language: string): void => {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ ui: { language } }));
};
const missing = ['sessions', 'show', 'nope'];
const english = 'sanbot history lists the sessions';
const chinese = '列出所有会话';

describe('the language of the interface', () => {
  it('is that of ui.language in the settings of the home that is used', async () => {
    const { home, run } = createSandbox();
    write(home, 'zh');
    expect((await run(missing)).err).toContain(chinese);
    const other = join(home, '..', 'other');
    write(other, 'en');
    expect((await run([...missing, '--home', other])).err).toContain(english);
    expect((await run([`--home=${other}`, ...missing])).err).toContain(english);
  });

  it('is that of SANBOT_LANGUAGE before the file', async () => {
    const { home, run } = createSandbox({ SANBOT_LANGUAGE: 'zh' });
    write(home, 'en');
    expect((await run(missing)).err).toContain(chinese);
  });

  it('is English without a terminal, whatever the locale', async () => {
    const { run } = createSandbox({ LANG: 'zh_CN.UTF-8' });
    expect((await run(missing)).err).toContain(english);
  });

  it('is that of the locale on a terminal', async () => {
    const { runAtTerminal } = createSandbox({ LC_ALL: 'zh_CN.UTF-8' });
    const terminal = await runAtTerminal(missing);
    await terminal.waitFor(chinese);
    await terminal.exit;
  });

  it('is told to be wrong by whoever reads the settings', async () => {
    const { home, run } = createSandbox();
    write(home, 'klingon');
    const { code, err } = await run(['config', 'validate']);
    expect(code).toBe(2);
    expect(err).toContain('ui.language');
  });

  it('is the person’s, not a project’s', async () => {
    const { cwd, run } = createSandbox();
    writeFileSync(join(cwd, '.sanbot.json'), JSON.stringify({ ui: { language: 'zh' } }));
    expect((await run(missing)).err).toContain(english);
  });
});
