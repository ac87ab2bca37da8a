/** Work that changes many files. */
import { json, type Kind } from '../task.ts';
import { between, filler, numbers, pick, two } from '../words.ts';

const refactoring: Kind = {
  name: 'refactoring',
  make: (random, language) => {
    const files = new Map<string, string>();
    const wanted = new Map<string, string>();
    for (const n of numbers(60)) {
      const isVendor = n % 6 === 0;
      const path = isVendor ? `src/vendor/part-${two(n)}.ts` : `src/part-${two(n)}.ts`;
      const [amount, isUrgent] = [between(random, 100, 9_999), random() < 0.5];
      const [before, after] = [filler(random, language, 420, '// '), filler(random, language, 420, '// ')];
      const whole = (call: string) =>
        `import { charge } from './charge';\n\n${before}export function part${n}(customer: string) {\n  return ${call};\n}\n${after}`;
      files.set(path, whole(`charge(customer, ${amount}, ${isUrgent})`));
      if (!isVendor) wanted.set(path, whole(`charge({ customer, cents: ${amount}, urgent: ${isUrgent} })`));
    }
    const what = {
      en: 'charge(customer, cents, urgent) now takes one object. In every file of src change the call to charge({ customer, cents: …, urgent: … }), with the keys in that order, on the line where it stands. What is in src/vendor is not ours: it keeps the old call.',
      zh: 'charge(customer, cents, urgent) 现在只接受一个对象。请把 src 里每个文件中的调用改成 charge({ customer, cents: …, urgent: … })，键的顺序不变，仍在原来那一行。src/vendor 里的代码不是我们的，保留旧的调用。',
    }[language];
    return { files, wanted, what };
  },
};

const migration: Kind = {
  name: 'migration',
  make: (random, language) => {
    const files = new Map<string, string>();
    const wanted = new Map<string, string>();
    for (const n of numbers(45)) {
      const path = `config/service-${two(n)}.json`;
      const [port, seconds, owner] = [between(random, 3_000, 9_000), between(random, 2, 90), pick(random, ['mira', 'tomas', 'yun', ''])];
      const region = pick(random, ['eu', 'us', 'cn']);
      const [isDebug, isFrozen] = [random() < 0.5, n % 9 === 0];
      const about = filler(random, language, 900).trim().split('\n');
      const name = `service-${two(n)}`;
      const old = { version: 1, name, port, timeout: seconds, region, owner, debug: isDebug, ...(isFrozen && { frozen: true }), about };
      files.set(path, json(old));
      const next = { version: 2, name: `${region}/${name}`, listen: { port }, timeoutMs: seconds * 1_000, owner: owner || 'platform' };
      if (!isFrozen) wanted.set(path, json({ ...next, logLevel: isDebug ? 'debug' : 'info', about }));
    }
    const what = {
      en: 'Migrate every file of config from version 1 to 2: version is 2; name becomes REGION/NAME and region goes; port becomes listen: { "port": … }; timeout, in seconds, becomes timeoutMs, in milliseconds; an empty owner becomes "platform"; debug goes, and logLevel is "debug" where it was true and "info" where it was false; about stays as it is. A file with "frozen": true is not migrated.',
      zh: '请把 config 里的每个文件从版本 1 迁移到版本 2：version 为 2；name 变为“REGION/NAME”，并去掉 region；port 变为 listen: { "port": … }；以秒计的 timeout 变为以毫秒计的 timeoutMs；空的 owner 变为 "platform"；去掉 debug，原来为 true 时 logLevel 为 "debug"，为 false 时为 "info"；about 不变。带有 "frozen": true 的文件不迁移。',
    }[language];
    return { files, wanted, what };
  },
};

const glossary = {
  en: { storehouse: 'warehouse', 'bill of carriage': 'waybill', 'returned goods slip': 'return note', 'stock keeper': 'inventory clerk' },
  zh: { 库房: '仓库', 运货单: '运单', 退货条: '退货单', 管库员: '库存管理员' },
} as const;

const terms: Kind = {
  name: 'terms',
  make: (random, language) => {
    const pairs = Object.entries(glossary[language]);
    const files = new Map<string, string>();
    const wanted = new Map<string, string>();
    for (const n of numbers(40)) {
      const path = `pages/page-${two(n)}.md`;
      const [old, now] = pairs[between(random, 0, pairs.length - 1)] ?? ['', ''];
      const begin = n % 4 === 0 ? '> ' : '';
      const said = { en: (term: string) => `${begin}Ask about the ${term} first.\n`, zh: (term: string) => `${begin}先问清楚${term}。\n` }[
        language
      ];
      const [before, after] = [filler(random, language, 600), filler(random, language, 600)];
      const whole = (term: string) => `# ${n}\n\n${before}\n${said(term)}\n${after}`;
      files.set(path, whole(old));
      if (begin === '') wanted.set(path, whole(now));
    }
    const list = pairs.map(([old, now]) => `${old} → ${now}`).join(language === 'zh' ? '；' : '; ');
    const what = {
      en: `Our pages are to use one word for one thing. In every page of pages replace: ${list}. Lines that begin with > are quotations and stay; a page in which nothing else is to be replaced is not changed.`,
      zh: `我们的页面要统一用词。请在 pages 的每个页面里替换：${list}。以 > 开头的行是引文，保持不变；除引文外没有可替换内容的页面不要改动。`,
    }[language];
    return { files, wanted, what };
  },
};

const specification: Kind = {
  name: 'specification',
  make: (random, language) => {
    const count = 36;
    const values = new Map(numbers(count).map((n) => [n, { retries: between(random, 1, 9), limit: between(random, 20, 400) }] as const));
    const superseded = new Map<number, { readonly by: number; readonly retries: number }>();
    for (const n of [5, 11, 14, 20]) superseded.set(n, { by: n + 13, retries: between(random, 10, 19) });
    const files = new Map<string, string>();
    const wanted = new Map<string, string>();
    for (const [n, { retries, limit }] of values) {
      const later = [...superseded].find(([, { by }]) => by === n);
      const more = later === undefined ? [] : [{ page: two(later[0]), retries: later[1].retries }];
      const said = {
        en: [
          `The rule of part ${two(n)}: retries ${retries}, limit ${limit}.`,
          ...more.map((m) => `This also replaces page ${m.page}: retries of part ${m.page} is ${m.retries}.`),
        ],
        zh: [
          `第 ${two(n)} 部分的规则：retries 为 ${retries}，limit 为 ${limit}。`,
          ...more.map((m) => `同时取代第 ${m.page} 页：第 ${m.page} 部分的 retries 为 ${m.retries}。`),
        ],
      }[language];
      files.set(`spec/page-${two(n)}.md`, `${filler(random, language, 1_450)}\n${said.join('\n')}\n`);
      const code = (r: number, l: number) => `export const part${two(n)} = { retries: ${r}, limit: ${l} };\n`;
      const right = code(superseded.get(n)?.retries ?? retries, limit);
      const is = random() < 0.4 ? code(superseded.get(n)?.retries ?? retries, limit + between(random, 1, 9)) : code(retries, limit);
      files.set(`src/part-${two(n)}.ts`, is);
      if (is !== right) wanted.set(`src/part-${two(n)}.ts`, right);
    }
    const what = {
      en: 'Each page of spec says which values a part in src has to have; a later page may replace a value of an earlier one. Correct every part whose values are not those of the specification, and change nothing else.',
      zh: 'spec 的每一页规定了 src 中一个部分应有的值；后面的页可能取代前面某页的值。请改正每个与规范不符的部分，其他一概不改。',
    }[language];
    return { files, wanted, what };
  },
};

export const changing: readonly Kind[] = [refactoring, migration, terms, specification];
