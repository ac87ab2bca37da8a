import { describe, expect, test } from 'vitest';
import { clauseOf, type Form, knownForms, shapes } from '../../../../src/context/sentence/form.ts';
import { clausesOf, withoutFillers } from '../../../../src/context/sentence/judge.ts';
import '../../../../src/context/sentence/judge.ts';
import { wordTables } from '../../../../src/context/sentence/words.ts';

const fits = ({ fits: has }: Form, sentence: string): boolean =>
  [sentence.replace(/[.。]$/, ''), ...clausesOf(withoutFillers(sentence))].some((clause) => has(clauseOf(clause)));

describe('each form of the tables', () => {
  test('has a sentence that it is for, and takes it', () => {
    const forms = knownForms();
    expect(forms.length).toBeGreaterThan(200);
    expect(forms.filter((form) => form.takes === '' || !fits(form, form.takes)).map(({ name, takes }) => `${name}: ${takes}`)).toEqual([]);
  });

  test('has one that it must not take, and leaves it', () => {
    const forms = knownForms();
    expect(forms.filter((form) => form.leaves === '' || fits(form, form.leaves)).map(({ name, leaves }) => `${name}: ${leaves}`)).toEqual(
      [],
    );
  });

  test('speaks only of tables and shapes that there are', () => {
    const names = knownForms().flatMap(({ template, unless }) =>
      [template, ...unless].flatMap((text) => [...text.matchAll(/(?<!\\p)\{([A-Z_|]+)\}/g)].flatMap(([, slot = '']) => slot.split('|'))),
    );
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name) => !wordTables().has(name) && !(name in shapes))).toEqual([]);
  });

  test('is short by its own text, and so is each of its exceptions', () => {
    const texts = knownForms().flatMap(({ name, template, unless }) =>
      [template, ...unless].map((text) => ({ name, length: text.length })),
    );
    expect(texts.filter(({ length }) => length > MAX_FORM_CHARS)).toEqual([]);
  });
});

const MAX_FORM_CHARS = 120;
