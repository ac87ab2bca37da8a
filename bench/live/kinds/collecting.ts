/** Work that reads many files and writes down one thing. */
import { json, type Kind } from '../task.ts';
import { between, filler, numbers, pick, shuffled, two } from '../words.ts';

const logs: Kind = {
  name: 'logs',
  make: (random, language) => {
    const count = 72;
    const [wrongDay, wrongLine] = [between(random, 48, 66), between(random, 3, 9)];
    const files = new Map<string, string>();
    let [balance, version, found] = [between(random, 1_000, 2_000), 1, {}];
    for (const day of numbers(count)) {
      const lines: string[] = [];
      if (day % 3 === 1) lines.push(`00:00 deploy ledger v1.${++version}.${between(random, 0, 9)}`);
      for (const line of numbers(12)) {
        const amount = between(random, -90, 120);
        const request = `req-${between(random, 10_000, 99_999)}`;
        const isWrong = day === wrongDay && line === wrongLine;
        balance += amount + (isWrong ? between(random, 1, 9) : 0);
        if (isWrong) found = { request, day: two(day), deploy: lastDeploy([...files.values(), lines.join('\n')]) };
        lines.push(`${two(line + 6)}:${two(between(random, 0, 59))} ledger ${request} amount ${amount} balance ${balance}`);
        if (random() < 0.2) lines.push(`${two(line + 6)}:59 gateway ERROR upstream closed the connection, sent again`);
      }
      files.set(`logs/day-${two(day)}.txt`, `${lines.join('\n')}\n${filler(random, language, 900, 'note ')}`);
    }
    const what = {
      en: 'Somewhere in logs the ledger goes wrong: each balance has to be the balance before, also that of the day before, plus the amount. Find the first request at which it is not (an ERROR of the gateway is not it), and write finding.json: { "request": "req-…", "day": "NN", "deploy": the version of the ledger that was deployed last before it, as "v1.…" }.',
      zh: 'logs 里的账本在某处出了错：每个 balance 都应等于前一个 balance（也可能在前一天）加上 amount。请找出第一个不符的请求（gateway 的 ERROR 不算），并写入 finding.json：{ "request": "req-…", "day": "NN", "deploy": 在它之前最后部署的账本版本，如 "v1.…" }。',
    }[language];
    return { files, wanted: new Map([['finding.json', json(found)]]), what };
  },
};

const lastDeploy = (texts: readonly string[]): string => /.*deploy ledger (\S+)/s.exec(texts.join('\n'))?.[1] ?? '';

const accounts: Kind = {
  name: 'accounts',
  make: (random, language) => {
    const rates: Readonly<Record<string, number>> = { EUR: 100, USD: 90, CNY: 13 };
    const receipts = numbers(84).map((n) => ({
      n,
      customer: pick(random, ['Almeida', 'Birch', '陈记', 'Dorsey', 'Eklund']),
      currency: pick(random, ['EUR', 'USD', 'CNY']),
      amount: between(random, 10, 900),
      isVoid: random() < 0.1,
      // None of those that cancel: whether that brought the first one back would be anybody's guess.
      cancels: n > 25 && n % 7 === 0 ? n - pick(random, [8, 15, 20, 22]) : undefined,
    }));
    const cancelled = new Set(receipts.flatMap(({ cancels }) => (cancels === undefined ? [] : [cancels])));
    const totals: Record<string, number> = {};
    for (const { n, customer, currency, amount, isVoid, cancels } of receipts)
      if (!isVoid && cancels === undefined && !cancelled.has(n))
        totals[customer] = (totals[customer] ?? 0) + amount * (rates[currency] ?? 0);
    const files = new Map(
      receipts.map(({ n, customer, currency, amount, isVoid, cancels }) => {
        const kind = cancels === undefined ? (isVoid ? 'void' : 'sale') : `cancels ${two(cancels)}`;
        return [
          `receipts/${two(n)}.txt`,
          `${filler(random, language, 800)}receipt ${two(n)} | ${customer} | ${currency} ${amount} | ${kind}\n${filler(random, language, 540)}`,
        ] as const;
      }),
    );
    const what = {
      en: 'Write totals.json: what each customer has bought by the receipts, { "NAME": cents, … }. One EUR is 100 cents, one USD 90, one CNY 13. A receipt that is void counts nothing. A receipt that cancels another counts nothing itself, nor does the one it cancels. A customer for whom nothing counts is left out.',
      zh: '请写出 totals.json：按收据统计每位客户的购买额，{ "NAME": 分, … }。1 EUR 为 100 分，1 USD 为 90 分，1 CNY 为 13 分。void 的收据不计。注明 cancels 的收据本身不计，被它取消的那张也不计。没有任何可计金额的客户不列出。',
    }[language];
    return { files, wanted: new Map([['totals.json', json(totals)]]), what };
  },
};

const reference: Kind = {
  name: 'reference',
  make: (random, language) => {
    const options = numbers(84).map((n) => ({
      file: `src/module-${two(n)}.ts`,
      name: `${pick(random, ['batch', 'retry', 'page', 'cache', 'queue'])}${pick(random, ['Size', 'Delay', 'Limit', 'Depth'])}${two(n)}`,
      value: between(random, 2, 999),
      isInternal: random() < 0.2,
    }));
    const files = new Map(
      options.map(({ file, name, value, isInternal }) => [
        file,
        `${filler(random, language, 800, '// ')}${isInternal ? '/** @internal */\n' : ''}export const ${name} = option(${value});\n${filler(random, language, 540, '// ')}`,
      ]),
    );
    const rows = options.filter(({ isInternal }) => !isInternal).map(({ name, value }) => `| ${name} | ${value} |`);
    const page = `${['| option | default |', '| --- | --- |', ...rows.toSorted()].join('\n')}\n`;
    const what = {
      en: 'Write reference.md: a table of all options that the modules of src export, without those that are @internal. Its first lines are "| option | default |" and "| --- | --- |"; then a row for each option, "| NAME | VALUE |", sorted by name as plain text (capitals before small letters). Nothing but the table is in it.',
      zh: '请写出 reference.md：一张表，列出 src 各模块导出的所有选项，不含标有 @internal 的。前两行为“| option | default |”和“| --- | --- |”；之后每个选项一行“| NAME | VALUE |”，按名称的纯文本顺序排列（大写在小写之前）。除表格外不写别的。',
    }[language];
    return { files, wanted: new Map([['reference.md', page]]), what };
  },
};

const trail: Kind = {
  name: 'trail',
  make: (random, language) => {
    const count = 80;
    const names = shuffled(
      random,
      numbers(90).map((n) => `stop-${two(n + 9)}`),
    ).slice(0, count);
    const words = names.map(() => `${pick(random, ['blue', 'low', 'tall', 'odd', 'warm', 'thin'])}${between(random, 10, 99)}`);
    const files = new Map(
      names.map((name, i) => [
        `stops/${name}.txt`,
        `${filler(random, language, 800)}word ${words[i]}\nnext ${names[i + 1] ?? 'nothing'}\n${filler(random, language, 600)}`,
      ]),
    );
    const line = words.filter((_, i) => (i + 1) % 5 === 0).join(' ');
    const what = {
      en: `Follow the trail: it begins with stops/${names[0]}.txt, and each stop names the next one. The first stop is number 1. Write trail.txt: the words of every fifth stop (5, 10, 15, …) in their order, on one line with a space between them.`,
      zh: `请沿着线索走：从 stops/${names[0]}.txt 开始，每一站都写明下一站。第一站是第 1 站。请写出 trail.txt：每逢第五站（5、10、15……）的 word，按顺序写在一行，以空格分隔。`,
    }[language];
    return { files, wanted: new Map([['trail.txt', `${line}\n`]]), what };
  },
};

export const collecting: readonly Kind[] = [logs, accounts, reference, trail];
