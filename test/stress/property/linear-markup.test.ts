import { describe, expect, test } from 'vitest';
import { newestStep } from '../../../src/context/rules/repeated-steps.ts';
import { expandCommand } from '../../../src/domain/session/skill.ts';
import { readCommandFile, readFrontMatter } from '../../../src/domain/session/skill-front-matter.ts';
import { readArguments } from '../../../src/model/http/answer-fields.ts';
import { readOverflow } from '../../../src/model/http/overflow.ts';
import { readEvents } from '../../../src/model/http/read-answer.ts';
import { importsIn } from '../../../src/runtime/prompt/project-context.ts';
import { highlight } from '../../../src/terminal/markdown/highlight.ts';
import { renderBlock } from '../../../src/terminal/markdown/render-block.ts';
import { createBlockSplitter } from '../../../src/terminal/markdown/split-blocks.ts';
import { createPaint } from '../../../src/terminal/text/paint.ts';
import { parseShell } from '../../../src/tools/command/parse-command.ts';
import { renderPreview } from '../../../src/tools/files/diff.ts';
import { outcomeOf } from '../../../src/tools/mcp/result-text.ts';
import { inertLine, nameTools, schemaText } from '../../../src/tools/mcp/tool-names.ts';
import { searchTools } from '../../../src/tools/mcp/tool-search.ts';
import { markdownOf } from '../../../src/tools/web/page-text.ts';
import { answers, calls } from '../../support/build.ts';
import { growsTooFast, inTime, runOf } from '../../support/linear.ts';

const drawing = { paint: createPaint(true), columns: 80, breaksCode: false };

/** What reads a form that others write: a page, a stream, a tool's description, a difference, a command. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the blocks of Markdown': (text) => {
    const blocks = createBlockSplitter();
    for (const line of text.split('\n')) blocks.push(line);
    return blocks.end();
  },
  'a page': (text) => markdownOf(`<p>${text}`),
  'a title of a page': (text) => markdownOf(`<title>${text}</title><p>x`),
  'a link of a page': (text) => markdownOf(`<a href="${text}">x</a>`),
  'events of a stream': (text) => readAll(text),
  'one event of a stream': (text) => readAll(`data: ${text}`),
  'a description of a tool': (text) => inertLine(text),
  'a schema of a tool': (text) => schemaText({ type: 'object', description: text }, 5_000),
  'names of tools': (text) => nameTools('server', [toolOf(text, '')]),
  'a search of tools': (text) => searchTools(nameTools('server', [toolOf('tool', text)]), text),
  'a result of a tool': (text) =>
    outcomeOf(
      {
        isError: false,
        content: [
          { type: 'text', text },
          { type: 'resource_link', uri: text, description: text },
        ],
        structured: undefined,
      },
      { sees: false },
    ),
  'a difference': (text) => renderPreview({ name: 'file', before: text, after: `${text}y` }),
  'a new file': (text) => renderPreview({ name: 'file', before: undefined, after: text }),
  'a command': (text) => parseShell(text),
  'a refusal of a model': (text) => readOverflow({ status: 400, type: undefined, message: text }),
  // As much as is repaired; what is longer is not looked at.
  'arguments of a call that is whole': (text) => readArguments(`\`\`\`json\n{"path":"${text.slice(0, 250_000)}x`, { mends: true }),
  'a failure of a helper': (text) =>
    newestStep([
      calls({ id: 'c1', name: 'task' }),
      answers({ id: 'c1', content: `Helper h1 failed: ${text.replaceAll('*', '-')}`, isError: true }),
    ]),
  'arguments of a call': (text) => readArguments(`{"path":"${text}`),
  'imports of instructions': (text) => importsIn(text, '/project/AGENTS.md'),
  'a command of a project': (text) => readCommandFile(`---\n---\n${text}`, 'name'),
  'front matter of a command': (text) => readCommandFile(`---\n${text}\n---\nDo it.`, 'name'),
  'front matter of a skill': (text) => readFrontMatter(`---\ndescription: ${text}\n---\n`, 'name'),
  'words for a command of a project': (text) => expandCommand('$1 $9', text),
};

const toolOf = (name: string, description: string) => ({ name, description, inputSchema: {} });

async function readAll(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 4_096));
      at += 4_096;
    },
  });
  for await (const _ of readEvents(body));
}

const marks = ['!', '-a', '*a', '__a', '~~a', '`a', '> ', '- ', '1. ', '[a](', '![', '<', '<b>'];
const signs = [' ', 'a', 'a ', '.', '"', '&amp;', '{"a":', '$(', '<!-- ', 'data: ', '中'];

test.each(Object.entries(readers))('%s: a megabyte of the worst takes time that grows with the text', async (_, read) => {
  expect(await growsTooFast(read, [...marks, ...signs])).toEqual([]);
});

/** The longest block that is drawn as Markdown, and the longest code that is coloured. */
const LONGEST = 19_900;
/** The live area draws a part of it many times; the whole is drawn once. */
const MOST_MS = 400;

test('the most front matter that is read is read before anybody notices', async () => {
  const slow: string[] = [];
  for (const unit of [...marks, ...signs]) {
    const read = (length: number) => readFrontMatter(`---\ndescription: ${runOf(unit, length, 'x')}\n---\n`, 'name');
    if (!(await inTime(read, { longest: 16_000, mostMs: MOST_MS }))) slow.push(unit);
  }
  expect(slow).toEqual([]);
});

describe('a block of the worst is drawn before anybody notices', () => {
  test('as Markdown', async () => {
    const slow: string[] = [];
    for (const unit of [...marks, ...signs]) {
      for (const end of ['', 'x']) {
        const draw = (length: number) =>
          renderBlock({ text: runOf(unit, length, end), isApart: false, isBesideCode: false, code: undefined }, drawing);
        if (!(await inTime(draw, { longest: LONGEST, mostMs: MOST_MS }))) slow.push(unit + end);
      }
    }
    expect(slow).toEqual([]);
  });

  test.each('bash c cpp css diff dockerfile go ini java js json python rust sql ts xml yaml'.split(' '))('as %s', async (language) => {
    const slow: string[] = [];
    for (const unit of [...signs, '-', '_', '0', '1.', 'a.', 'a(', '<a', '/*', '"""', '#']) {
      for (const inLines of [false, true]) {
        const colour = (length: number) => {
          const long = runOf(unit, length, '');
          return highlight(inLines ? long.replace(/.{900}/g, '$&\n') : long, language, drawing.paint);
        };
        if (!(await inTime(colour, { longest: LONGEST, mostMs: MOST_MS })))
          slow.push(`${JSON.stringify(unit)}${inLines ? ' in lines' : ''}`);
      }
    }
    expect(slow).toEqual([]);
  });
});
