import { randomFrom } from '../seeded-random.ts';
import { changing } from './kinds/changing.ts';
import { collecting } from './kinds/collecting.ts';
import { deciding } from './kinds/deciding.ts';
import type { Kind, Language, Task, Work } from './task.ts';
import { pick } from './words.ts';

export const kinds: readonly Kind[] = [...changing, ...collecting, ...deciding];
export const languages: readonly Language[] = ['en', 'zh'];

/** Ten kinds of work in two languages, or the first so many, the same ones each time for one seed. Both languages of a kind stand together. */
export function makeTasks(seed: number, count = kinds.length * languages.length): readonly Task[] {
  return kinds.slice(0, Math.ceil(count / languages.length)).flatMap(({ name, make }, k) =>
    languages.slice(0, count - k * languages.length).map((language, l): Task => {
      const random = randomFrom(seed * 1_000 + k * 10 + l);
      // The first numbers of neighbouring seeds are alike.
      for (let i = 0; i < 10; i++) random();
      const mark = pick(random, ['amber', 'cobalt', 'juniper', 'saffron', 'willow', 'granite', 'marigold', 'pewter']);
      const closing = `DONE ${pick(random, ['heron', 'otter', 'badger', 'lynx', 'plover', 'marten'])}-${Math.floor(100 + random() * 900)}`;
      const work = make(random, language);
      return { ...work, id: `${name}-${language}`, language, mark, closing, prompt: promptOf(work, language, mark, closing) };
    }),
  );
}

function promptOf({ files, wanted, what }: Work, language: Language, mark: string, closing: string): string {
  const made = [...wanted.keys()].filter((path) => !files.has(path));
  if (language === 'zh')
    return `${what}

以下几条从头到尾都有效，后面不会再说：
1. 只改动任务要求改动的文件；其他文件一个字节也不要动。
2. ${made.length === 0 ? '不要新建任何文件。' : `除了 ${made.join('、')}，不要新建任何文件。`}
3. 你改动或新建的每个文件都要带标记。JSON 文件：顶层加上 "checked": "${mark}"。其他文件：第一行加上一行标记，.ts 为“// checked: ${mark}”，.md 为“<!-- checked: ${mark} -->”，.txt 为“# checked: ${mark}”。没有改动的文件不加标记。
4. 全部完成以后，最后一条消息只写这一行，别的都不写：${closing}

请用 read_file 逐个完整地读文件，自己判断；不要用命令或脚本，也不要交给助手代理。没有人会回答问题，请一直做到完成。`;
  return `${what}

These hold from beginning to end and will not be said again:
1. Change only the files that the task asks you to change; every other file stays as it is, to the byte.
2. ${made.length === 0 ? 'Make no new file.' : `Make no new file besides ${made.join(', ')}.`}
3. Every file that you change or make has a mark. In a JSON file: "checked": "${mark}" at the top level. In any other file: a line of its own before all others, "// checked: ${mark}" in .ts, "<!-- checked: ${mark} -->" in .md, "# checked: ${mark}" in .txt. A file that you do not change gets no mark.
4. When everything is done, your last message is this one line and nothing else: ${closing}

Read the files whole with read_file, one after the other, and judge for yourself: no commands, no scripts, no helpers. Nobody will answer questions, so go on until it is done.`;
}
