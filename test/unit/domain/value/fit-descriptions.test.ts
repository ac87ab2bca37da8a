import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAtSentence, fitDescriptions } from '../../../../src/domain/value/fit-descriptions.ts';

const chars = (text: string): number => text.length;
const fitted = (texts: readonly string[], most: number) => fitDescriptions(texts, most, chars);

describe('descriptions in a list', () => {
  test('stand whole up to 1,024 characters where there is room', () => {
    const long = `${'Fills government forms neatly with a violet crayon. '.repeat(19).trim()} ${'x'.repeat(30)}`;
    expect(long.length).toBeLessThanOrEqual(1_024);
    expect(fitted([long, 'Short.'], 5_000)).toEqual([long, 'Short.']);
  });

  test('are cut where a sentence ends, all but the short ones equally short', () => {
    const texts = ['One sentence here. Another one here. A third one.', 'Brief.', '第一句话很短。第二句话也不长。第三句。'];
    expect(fitted(texts, 60)).toEqual(['One sentence here.', 'Brief.', '第一句话很短。第二句话也不长。第三句。']);
    expect(fitted(texts, 40)).toEqual(['One sentence here.', 'Brief.', '第一句话很短。第二句话也不长。']);
  });

  test('of which some come last stay whole as long as the others have their first words', () => {
    const texts = ['a', 'b', 'c'].map((name) => `Skill ${name} ${'writes one more form for the office. '.repeat(6).trim()}`);
    const shown = (most: number) => fitDescriptions(texts, most, chars, [2, 0]).map((text, at) => text === texts[at]);
    expect(shown(texts.join('').length)).toEqual([true, true, true]);
    expect(shown(texts.join('').length - 20)).toEqual([true, false, true]);
    expect(shown((texts[0] ?? '').length + 160)).toEqual([false, false, true]);
    expect(shown(200)).toEqual([false, false, false]);
  });

  test('end with a whole word and a mark where not even the first sentence has room; an abbreviation ends none', () => {
    expect(cutAtSentence('Fills government forms neatly with a violet crayon', 30)).toBe('Fills government forms neatly…');
    expect(cutAtSentence('Reads files, e.g. pictures and tables. Then more of it.', 45)).toBe('Reads files, e.g. pictures and tables.');
    expect(cutAtSentence('整理所有政府表格并用紫色蜡笔填写', 9)).toBe('整理所有政府表格…');
  });

  test('never take more than there is, nor change what is kept', () => {
    const anyText = fc.array(fc.constantFrom('Reads forms.', 'Writes', ' ', '整理文件。', 'and, e.g. more', '😀', 'X!'), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 12 }), fc.nat(6_000), (parts, most) => {
        const texts = parts.map((each) => each.join(' '));
        const cut = fitted(texts, most);
        expect(cut.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(most);
        for (const [at, text] of cut.entries()) {
          expect(text.length).toBeLessThanOrEqual(1_024);
          expect(text.isWellFormed()).toBe(true);
          expect(texts[at]?.startsWith(text.replace(/…$/, ''))).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
