import { describe, expect, test } from 'vitest';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { aSnapshot, startRepl } from '../../../support/repl-world.ts';

describe('a command', () => {
  test('is never part of the conversation [C125]', async () => {
    const { terminal, said } = await startRepl();
    for (const [command, shown] of [
      ['/context', 'Soft limit'],
      ['/history', 'before a compaction'],
      ['/cost', '3 requests'],
      ['/memory', 'Nothing is remembered'],
      ['/sessions', 'No sessions'],
      ['/events', 'Z turn_started'],
      ['/rename', '/rename TITLE'],
      ['/help', '# TEXT'],
    ] as const) {
      terminal.send(`${command}\r`);
      await terminal.waitFor(shown);
      await terminal.waitFor(/> $/);
    }
    expect(said).toEqual([]);
  });

  test.each([
    ['/compact keep the API names', 'compact:keep the API names'],
    ['/compact', 'compact:'],
    ['/compact --target 4000 --keep 6 the ports', 'compact:the ports{"keepMessages":6,"targetTokens":4000}'],
    ['/compact --model anthropic/fast-one', 'compact:{"model":"anthropic/fast-one"}'],
    ['/clear', 'clear'],
    ['/recall retry delay', 'recall:retry delay'],
    ['/model other', 'model:other'],
    ['/resume s2', 'resume:s2'],
    ['/new', 'new'],
    ['/pin 3', 'pin:3'],
    ['/pin last', 'pin:3'],
    ['/permissions deny run_command curl *', 'permissions:deny run_command curl *'],
    ['/permissions ask write_file', 'permissions:ask write_file '],
    ['/permissions remove 1', 'permissions:remove 1'],
    ['/permissions readonly run', 'permissions:readonly run'],
    ['/unpin', 'unpin:m3'],
    ['/unpin 1', 'unpin:m3'],
    ['/unpin all', 'unpin:m3'],
    ['/rename 一个 title', 'rename:一个 title'],
    ['/rename "a b"', 'rename:a b'],
    ['/rename "a" or "b"', 'rename:"a" or "b"'],
    ['/fork', 'fork'],
    ['/export page.html', 'export:page.html'],
    ['/export "a b.html"', 'export:a b.html'],
    ["/export 'c d.md'", 'export:c d.md'],
    ['/export', 'export:'],
  ])('%s does it', async (line, done) => {
    const { terminal, said, exitCode } = await startRepl();
    terminal.send(`${line}\r/quit\r`);
    expect(await exitCode).toBe(0);
    expect(said).toEqual([done]);
  });

  test('/effort tells what it costs before it changes anything, and only then asks the other way', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/effort high\r');
    await terminal.waitFor(
      /Change the effort to high\? The provider then reads the whole conversation again,\s+once: 50,000\s+tokens,\s+about\s+\$0\.13\./,
    );
    await terminal.waitForScreen('  1 Change it ❯ 3 No');
    terminal.send('1');
    await terminal.waitFor(/> $/);
    terminal.send('/effort enormous\r');
    await terminal.waitFor('Effort: default. Write /effort low, medium, high, max or default.');
    expect(said).toEqual(['model:claude-test:high']);
  });

  test('/model shows who answers and a list, which what is typed narrows, and changes to what is chosen', async () => {
    const { terminal, said, exitCode } = await startRepl();
    terminal.send('/model\r');
    await terminal.waitFor('Model: claude-test, window 200,000 tokens');
    await terminal.waitForScreen('❯ claude-test  200,000 tokens  (now)');
    terminal.send('loc lar');
    await terminal.waitForScreen(
      (rows) => rows.some((row) => row.startsWith('❯ local/lar')) && !rows.some((row) => row.includes('local/small')),
    );
    terminal.send('\u007f\u007f\u007f\u007f');
    await terminal.waitForScreen('local/small');
    terminal.send('\u001b[B\r');
    await terminal.waitFor('> ');
    terminal.send('/quit\r');
    expect(await exitCode).toBe(0);
    expect(said).toEqual(['model:local/lar\u001bge']);
  });

  test.each([
    ['Esc', '\u001b'],
    ['the model that answers now', '\r'],
  ])('/model with %s changes nothing', async (_name, keys) => {
    const { terminal, said, exitCode } = await startRepl();
    terminal.send('/model\r');
    await terminal.waitForScreen('❯ claude-test');
    terminal.send(keys);
    await terminal.waitForScreen((rows) => !rows.some((row) => row.includes('Which model?')));
    terminal.send('/quit\r');
    expect(await exitCode).toBe(0);
    expect(said).toEqual([]);
  });

  test.each([[40], [80], [120]])('/help stands in %i columns with no word broken', async (columns) => {
    const { terminal } = await startRepl({ columns });
    terminal.send('/help\r');
    await terminal.waitFor('remember it');
    const shown = terminal.text();
    const help = shown.slice(shown.indexOf('  /help'), shown.indexOf('# TEXT')).split(/\r?\n/);
    expect(help.length).toBeGreaterThan(25);
    expect(help.filter((line) => line.length > columns)).toEqual([]);
    expect(help.join(' ').replace(/\s+/g, ' ')).toContain('keep a message word for word through every compaction');
  });

  test('recalled text is shown with its reference, and nothing in it is obeyed', async () => {
    const { terminal } = await startRepl();
    terminal.send('/recall\r');
    await terminal.waitFor('Add what to search for');
    terminal.send('/recall nothing\r');
    await terminal.waitFor('Nothing found.');
    terminal.send('/recall retry\r');
    await terminal.waitFor(/s0:4 {2}2026-01-31 10:00 {2}assistant\s+the retry ␛\[31mdelay is 250 ms\s+sanbot show REF/);
    terminal.send('/recall much\r');
    await terminal.waitFor('1,234 sessions are not fully indexed yet and may hold more: /recall again goes on.');
  });

  test('/pin and /pins show what is kept and what it costs, /todo the list, and nothing in them is obeyed', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/pin\r');
    await terminal.waitFor(
      /3 {2}you: "never touch the ␛\[31mschema"\s+\/pin NUMBER or \/pin last keeps one word for word\. 1 pin, 90 of 1,200 tokens\./,
    );
    terminal.send('/pin 9\r');
    await terminal.waitFor('The context has no message 9 with text.');
    terminal.send('/unpin 2\r');
    await terminal.waitFor('Which pin? /unpin NUMBER');
    terminal.send('/todo\r');
    await terminal.waitFor(/✓ find the leak\s+▸ fix ␛\[31mit\s+1 of 2 items done\./);
    expect(said).toEqual([]);
  });

  test.each(['/compact --help', '/compact -h', '/help compact', '/help /compact'])(
    '%s explains it, and does nothing else',
    async (line) => {
      const { terminal, said } = await startRepl();
      terminal.send(`${line}\r`);
      await terminal.waitFor(/\/compact \[--preview\] \[what to keep\]: summarise older messages/);
      await terminal.waitFor(/> $/);
      expect(said).toEqual([]);
    },
  );

  test('unknown ones name the nearest, and a path is no command', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/comapct\r');
    await terminal.waitFor('Did you mean /compact?');
    terminal.send('/etc/hosts is what?\r');
    await terminal.waitFor('you said');
    terminal.send('/clear all\r');
    await terminal.waitFor('/clear takes no arguments.');
    terminal.send('/help me\r');
    await terminal.waitFor('There is no command /me.');
    expect(said).toEqual(['/etc/hosts is what?']);
  });

  test('/rewind goes back after a yes, and puts the message at the prompt again', async () => {
    const said = { id: 'm1', at: '2026-02-01T11:00:00.000Z', text: 'write it' };
    const { terminal, said: heard } = await startRepl({ chat: () => ({ rollback: { pastMessages: () => [said] } }) });
    terminal.send('/rewind\r');
    await terminal.waitFor(/1 {2}[\d]+ \S+ ago +write it/);
    terminal.send('\r');
    const shown = await terminal.waitFor('Go back?');
    expect(shown).toContain('- you: write it');
    await terminal.waitFor(/1 Yes +❯ 3 No/);
    terminal.send('\x1b');
    await terminal.waitFor('Nothing was changed.');
    terminal.send('/rewind 1\r');
    await terminal.waitFor('kept for later');
    terminal.send('1');
    await terminal.waitFor(/> write it$/);
    terminal.send(' again\r');
    await terminal.waitFor('you said "write it again"');
    expect(heard).toEqual(['rewind:1', 'write it again']);
  });

  test('one question of /rewind says what goes back; what somebody else changed has one of its own', async () => {
    const done: string[] = [];
    const rewindsThen: number[] = [];
    const file = (name: string, more: object) => ({
      ...{ path: `/p/${name}`, name, does: 'write' as const, changedSince: false, preview: async () => `Change of ${name}` },
      ...{ items: [], seen: [] },
      ...more,
    });
    const files = [
      file('own.ts', {}),
      file('new.ts', { does: 'remove' }),
      file('made', { does: 'remove', isFolder: true }),
      file('theirs.ts', { changedSince: true, beside: { name: 'theirs.ts.before-1', items: [], seen: [] } }),
    ];
    const unrestorable = [{ path: '/p/l', name: 'l', why: sameInBoth('a link') }];
    const restore = async (chosen: readonly { readonly name: string }[]) => {
      done.push(...chosen.map(({ name }) => name));
      rewindsThen.push(said.length);
      return [];
    };
    const { terminal, said } = await startRepl({
      chat: () => ({ rollback: { restorableFiles: async () => ({ files, unrestorable, restore }) } }),
    });
    terminal.send('/rewind 1\r');
    await terminal.waitForScreen(/Change of own\.ts[\s\S]*❯ 1 Conversation and 3 files +2 Conversation +3 Files +4 Cancel/);
    terminal.send('2');
    await terminal.waitFor(/> write it$/);
    expect(done).toEqual([]);
    terminal.send('\x15/rewind 1\r');
    await terminal.waitFor('kept for later');
    terminal.send('1');
    await terminal.waitFor('theirs.ts: changed since, not by SanBot');
    await terminal.waitFor('Leave it, and write what it was to theirs.ts.before-1');
    terminal.send('\x1b[B\x1b[B\r');
    const shown = await terminal.waitFor(/> write it$/);
    expect(done).toEqual(['own.ts', 'new.ts', 'made', 'theirs.ts.before-1']);
    // Before the session goes back, which it did once without them.
    expect([...new Set(rewindsThen)]).toEqual([1]);
    expect(said).toEqual(['rewind:1', 'rewind:1']);
    expect(shown).toContain('left      l (a link)');
    expect(shown).toContain('left      theirs.ts (theirs.ts.before-1 holds what it was)');
  });

  test('what is typed while /rewind asks stands below the message that comes back', async () => {
    const { terminal, said } = await startRepl({
      chat: () => ({ rollback: { restorableFiles: async () => ({ files: [], unrestorable: [], restore: async () => [] }) } }),
    });
    terminal.send('/rewind 1\r');
    await terminal.waitFor('1 Yes');
    terminal.send('and then y');
    await terminal.waitForScreen(/and then y/);
    terminal.send('\x1b[A\r');
    await terminal.waitForScreen(/^> write it\n {2}and then y$/m);
    terminal.send('!\r');
    await terminal.waitFor(/> $/);
    expect(said.at(-1)).toBe('write it\nand then y!');
  });

  test('/rollback shows what will change and wants a yes', async () => {
    const { terminal, said } = await startRepl();
    terminal.send('/rollback\r');
    // By the number that /history has, and the command takes.
    await terminal.waitFor('1  1 h ago, before a compaction: 310 messages');
    terminal.send('\r');
    const shown = await terminal.waitFor('Roll back?');
    expect(shown).toContain('24 -> 310');
    expect(shown).toContain('+ you: hello');
    for (const no of ['\r', '3', '\u0003', '\u001b']) {
      await terminal.waitFor('1 Yes, roll back');
      terminal.send(no);
      await terminal.waitFor('Nothing was changed.');
      terminal.send(`/rollback ${aSnapshot.id}\r`);
    }
    await terminal.waitFor('Yes, roll back');
    terminal.send('\r');
    await terminal.waitFor('Nothing was changed.');
    terminal.send(`/rollback ${aSnapshot.id}\r`);
    await terminal.waitFor('Yes, roll back');
    terminal.send('y');
    await terminal.waitFor(/> $/);
    terminal.send('/rollback\r');
    await terminal.waitFor('Which snapshot?');
    terminal.send('\x1b');
    await terminal.waitFor(/> $/);
    expect(said).toEqual([`rollback:${aSnapshot.id}`]);
  });
});
