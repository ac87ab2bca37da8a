import { describe, expect, test } from 'vitest';
import { queryTerms } from '../../../../src/context/search/query-terms.ts';
import { indexTerms } from '../../../../src/context/search/search-terms.ts';
import { finds } from '../../../support/finds.ts';

describe('what a text is found by', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['const n = getUserName(id)', ['getUserName', 'user', 'NAME', 'get name'], ['sername', 'getuser']],
    ['parseHTTPHeader2', ['http', 'header2', 'parsehttpheader2'], ['httpheader']],
    ['MAX_RETRY_COUNT = 3', ['retry', 'max_retry_count', '3'], ['max_delay']],
    ['npm run build-all --dry-run', ['build-all', 'build', 'dry-run', '--dry-run'], ['all-none']],
    [
      'see src/store/logReader.ts:42:7',
      ['logReader.ts', 'src/store/logReader.ts', 'reader', 'store', '42', 'store/logReader.ts'],
      ['der.ts'],
    ],
    ['at C:\\work\\app.ts', ['work/app.ts', 'C:\\work\\app.ts', 'app.ts'], []],
    ['https://example.org/a/b?q=deep#top', ['example.org', 'https://example.org/a/b', 'deep', 'top'], ['ample']],
    ['我们决定使用关系数据库。', ['数据', '数据库', '决定', '库', '据', '关系 数据库'], ['据数']],
    ['在 src 里的Redis缓存', ['redis', '缓存', '里的'], ['的缓']],
    ['ＡＰＩ 全角', ['api', 'API'], []],
    ['cafe\u0301 ist offen', ['café', 'CAFÉ'], ['cafe']],
    ['𠮷野家の店', ['𠮷野', '野家', '𠮷'], ['家野']],
    ['เราตัดสินใจแล้ว', ['ตัดสินใจ'], []],
  ];
  test.each(cases)('%s', (text, found, missed) => {
    for (const query of found) expect(finds(indexTerms(text), query), query).toBe(true);
    for (const query of missed) expect(finds(indexTerms(text), query), query).toBe(false);
  });

  test('of several texts each has the terms that those before it do not have', () => {
    expect(indexTerms('open the log', 'the log of 数据', '', 'log')).toEqual(['open the log', 'of 数据 据', '', '']);
  });

  test('a star behind a word finds what begins so', () => {
    expect(finds(indexTerms('compaction and offloading'), 'compac*')).toBe(true);
    expect(finds(indexTerms('compaction and offloading'), 'paction*')).toBe(false);
  });

  test('a word of a megabyte is one short term, known by its beginning', () => {
    const blob = 'QUJD'.repeat(250_000);
    expect(indexTerms(blob)).toEqual(['qujd'.repeat(16)]);
    expect(finds(indexTerms(blob), blob)).toBe(true);
  });

  test('a query of nothing but signs has no word', () => {
    expect(queryTerms('!!! … ()')).toEqual([]);
  });
});
