import { describe, expect, it, vi } from 'vitest';
import { anyOf, isOneOf, lazily, lazyTest } from '../../../../src/domain/value/word-list.ts';

describe('lists of words in patterns', () => {
  it('takes words as pieces of text, of several lists and lines', () => {
    const pattern = new RegExp(`^${anyOf('home.arpa, a|b', 'can (not),\n  no/yes')}$`);
    const found = ['home.arpa', 'a|b', 'can (not)', 'no/yes', 'homexarpa', 'a', 'can not', 'a|b, home.arpa'].filter((text) =>
      pattern.test(text),
    );
    expect(found).toEqual(['home.arpa', 'a|b', 'can (not)', 'no/yes']);
  });

  it('has one alternative for each, whatever stands beside them', () => {
    expect('x-one-two'.replace(new RegExp(`-${anyOf('one, two')}$`), '')).toBe('x-one');
    expect(anyOf('一、二', '三')).toBe('(?:一|二|三)');
  });

  it('makes a pattern when the first text is held against it, and once', () => {
    const source = vi.fn(() => anyOf('one, two'));
    const test = lazyTest(source, 'i');
    expect(source).not.toHaveBeenCalled();
    expect(['say ONE', 'three', 'two'].map(test)).toEqual([true, false, true]);
    expect(source).toHaveBeenCalledTimes(1);
  });

  it('keeps what it made', () => {
    const list = lazily(() => [1]);
    expect(list()).toBe(list());
  });

  it('takes a text that has one of several forms', () => {
    const isNumber = isOneOf(/^\d+$/, /^[ivx]+$/i);
    expect(['12', 'XIV', 'a12', ''].map(isNumber)).toEqual([true, true, false, false]);
  });
});
