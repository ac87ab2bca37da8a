import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage, localize, setLanguage } from '../../../src/domain/language.ts';

afterEach(() => setLanguage('en'));

describe('the language of the interface', () => {
  it.each([
    { what: 'a Chinese locale on a terminal', env: { LANG: 'zh_CN.UTF-8' }, isTerminal: true, set: undefined, expected: 'zh' },
    { what: 'a Chinese locale by name alone', env: { LANG: 'zh' }, isTerminal: true, set: 'auto', expected: 'zh' },
    { what: 'LC_ALL before LANG', env: { LC_ALL: 'C', LANG: 'zh_CN.UTF-8' }, isTerminal: true, set: undefined, expected: 'en' },
    {
      what: 'LC_MESSAGES before LANG',
      env: { LC_ALL: '', LC_MESSAGES: 'zh_TW', LANG: 'C' },
      isTerminal: true,
      set: 'auto',
      expected: 'zh',
    },
    { what: 'another language that begins alike', env: { LANG: 'zha_CN' }, isTerminal: true, set: undefined, expected: 'en' },
    { what: 'no terminal', env: { LANG: 'zh_CN.UTF-8' }, isTerminal: false, set: undefined, expected: 'en' },
    { what: 'no terminal, but a setting', env: {}, isTerminal: false, set: 'zh', expected: 'zh' },
    { what: 'a setting against the locale', env: { LANG: 'zh_CN.UTF-8' }, isTerminal: true, set: 'en', expected: 'en' },
    { what: 'a setting that does not exist', env: { LANG: 'C' }, isTerminal: true, set: 'klingon', expected: 'en' },
  ] as const)('with $what it is $expected', ({ env, isTerminal, set, expected }) => {
    expect(chooseLanguage({ set, env, isTerminal })).toBe(expected);
  });

  it('is asked for when a text is shown', () => {
    const text = { en: 'saved', zh: '已保存' };
    expect(localize(text)).toBe('saved');
    setLanguage('zh');
    expect(localize(text)).toBe('已保存');
  });
});
