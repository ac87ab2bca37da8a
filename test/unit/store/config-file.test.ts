import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { configPaths, editUserConfig, readChangedConfig, readConfigFiles } from '../../../src/store/config-file.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { modeOf, worldOf } from './files/world.ts';

let home = '';
let cwd = '';
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'sanbot-config-'));
  afterThisTest(() => rmSync(root, { recursive: true, force: true }));
  home = join(root, 'home');
  cwd = join(root, 'work');
  mkdirSync(home);
  mkdirSync(cwd);
});

describe('the settings files', () => {
  test('may be missing, and reading makes none', () => {
    expect(readConfigFiles(home, cwd)).toEqual({});
    expect(readConfigFiles(join(home, 'none'), join(cwd, 'none'))).toEqual({});
    expect([readdirSync(home), readdirSync(cwd)]).toEqual([[], []]);
  });

  test('come as they are, whatever is in them [B-06]', () => {
    const { user, project } = configPaths(home, cwd);
    writeFileSync(user, '{ broken');
    writeFileSync(project, '\uFEFF{"model": {"name": "模型"}}');
    expect(readConfigFiles(home, cwd)).toEqual({
      user: { path: user, text: '{ broken' },
      project: { path: project, text: '{"model": {"name": "模型"}}' },
    });
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(join(path, 'more'), { recursive: true })],
    ['a link to nothing', (path: string) => symlinkSync(join(home, 'gone'), path)],
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['too large', (path: string) => writeFileSync(path, 'x'.repeat(1_000_001))],
    ['not UTF-8', (path: string) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ])("that cannot be read (%s) stop the start with file and reason, save that a project's is only told [B-06]", (_, make) => {
    const { user, project } = configPaths(home, cwd);
    const unreadable = (path: string) => expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(path) });
    make(project);
    expect(readConfigFiles(home, cwd)).toEqual({ project: { path: project, text: '', error: unreadable(project) } });
    make(user);
    expect(() => readConfigFiles(home, cwd)).toThrow(unreadable(user));
  });

  test('of a project that are an empty folder are none, since a sandbox that was killed leaves one', () => {
    mkdirSync(configPaths(home, cwd).project);
    expect(readConfigFiles(home, cwd)).toEqual({ project: undefined, user: undefined });
  });

  test.skipIf(process.getuid?.() === 0)('without permission stop the start', () => {
    const { user } = configPaths(home, cwd);
    writeFileSync(user, '{}');
    chmodSync(user, 0);
    expect(() => readConfigFiles(home, cwd)).toThrow('permission denied');
  });
});

describe("changing the user's settings file", () => {
  const edit = (change: (text: string) => string) => editUserConfig(worldOf({ home }).disk, home, change);

  test('begins with an empty object where there is no file or nothing in it', () => {
    const { user } = configPaths(home, cwd);
    for (const before of [undefined, '', ' \n']) {
      if (before !== undefined) writeFileSync(user, before);
      edit((text) => `${text}// as it came`);
      expect(readFileSync(user, 'utf8'), before).toBe('{}\n// as it came');
    }
    expect(modeOf(user)).toBe('600');
    expect(readdirSync(home)).toEqual(['config.json']);
  });

  test('leaves it as it was when the change is refused, and lets others in', () => {
    const { user } = configPaths(home, cwd);
    writeFileSync(user, '{"a": 1}\n');
    const refuse = (): never => {
      throw new Error('refused');
    };
    expect(() => edit(refuse)).toThrow('refused');
    expect(readFileSync(user, 'utf8')).toBe('{"a": 1}\n');
    edit((text) => text.replace('1', '2'));
    expect(readFileSync(user, 'utf8')).toBe('{"a": 2}\n');
  });

  test('writes where a link leads, and the link stays [D-33]', () => {
    const { user } = configPaths(home, cwd);
    const real = join(cwd, 'real.json');
    writeFileSync(real, '{}');
    symlinkSync(real, user);
    edit(() => '{"a": 1}');
    expect([readFileSync(real, 'utf8'), lstatSync(user).isSymbolicLink()]).toEqual(['{"a": 1}', true]);
  });

  test('is seen by whoever has read it before, and nothing else is', () => {
    const { user } = configPaths(home, cwd);
    const first = readChangedConfig(home, '');
    expect(first).toEqual({ stamp: 'none', text: undefined });
    expect(readChangedConfig(home, 'none')).toBeUndefined();
    writeFileSync(user, '{}');
    const second = readChangedConfig(home, 'none');
    expect(second?.text).toBe('{}');
    expect(readChangedConfig(home, second?.stamp ?? '')).toBeUndefined();
    rmSync(user);
    expect(readChangedConfig(home, second?.stamp ?? '')).toEqual(first);
  });
});
