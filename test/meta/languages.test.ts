import ts from 'typescript-syntax';
import { expect, it } from 'vitest';
import { nodesOf, parseSource, sourceFiles } from '../support/source.ts';

/** Rooms and folders whose texts a person reads: all of them stand in both languages. */
const translated = ['src/terminal/', 'src/commands/', 'src/report/metrics/', 'src/context/history/collect-steps.ts'];

/** Words that are no text: for programs, for whoever reads a stack, or the model. */
const exempt: Readonly<Record<string, readonly string[]>> = {
  'src/terminal/slash/settings-commands.ts': ['readonly ask', 'readonly run'],
  'src/domain/session/skill.ts': ['Use the skill '],
  // Prompts in command lines.
  'src/commands/chat/chat-command.ts': ['sanbot -p "what does src/app.ts do?"', 'git diff | sanbot -p "review this"'],
  // Names in the JSON, each with its Chinese in terminal/views.
  'src/commands/context/context-view.ts': ['system prompt', 'your messages', 'tool results', 'carried pins', 'tool results to files'],
  'src/commands/mcp/mcp-rows.ts': ['not connected', 'does not answer'],
  // In place of what a recording has not.
  'src/context/history/collect-steps.ts': ['(no result of this call was recorded)', '(The recording begins here.)'],
  'src/report/metrics/collect.ts': [
    'at least',
    'sessions that broke off',
    'facts still in context after a compaction',
    'facts in context or one look-up away',
    'rollbacks that succeeded',
  ],
  // In a file, in an event, and in front of an error that nobody is shown.
  'src/commands/history/report.ts': [' of the audit log cannot be read.'],
  'src/commands/models/ask-choice.ts': ['list of models'],
};

/** Files of which nothing is for a person at the screen: a made-up project, what the model reads, what shells and Prometheus read. */
const exemptFiles = [
  'src/commands/demo/demo-job.ts',
  ...['records', 'server', 'stdio'].map((name) => `src/commands/mcp/serve/${name}.ts`),
  'src/commands/models/try-model.ts',
  'src/commands/sessions/exported/imported-texts.ts',
  'src/commands/sessions/import-recording.ts',
  'src/commands/usage/completion.ts',
  'src/report/metrics/prometheus.ts',
];

it.each(translated)('every text in %s stands in English and Chinese beside each other', (folder) => {
  const files = sourceFiles().filter((file) => file.startsWith(folder) && !exemptFiles.includes(file));
  expect(files).not.toEqual([]);
  const found = files.flatMap((file) =>
    nodesOf(parseSource(file))
      .filter(isText)
      .filter((node) => !isInBoth(node) && !isForNobody(node))
      .map((node) => node.text)
      .filter((text) => exempt[file]?.includes(text) !== true)
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

it('an English text has a Chinese one beside it, with Han characters', () => {
  const files = sourceFiles().filter((file) => translated.some((folder) => file.startsWith(folder)));
  const missing = files.flatMap((file) =>
    nodesOf(parseSource(file))
      .filter((node) => isPart(node, 'en') && hasEnglish(node))
      .filter((node) => !nodesOf(node.parent).some((other) => isText(other) && /\p{Script=Han}/u.test(other.text)))
      .map((node) => `${file}: ${node.getText()}`),
  );
  expect(missing).toEqual([]);
});

type Text = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

const isText = (node: ts.Node): node is Text =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);

const hasEnglish = (node: ts.Node): boolean => nodesOf(node).some((each) => isText(each) && isEnglish(each.text));

it('exempts nothing that is not there', () => {
  const texts = (file: string): readonly string[] =>
    nodesOf(parseSource(file))
      .filter(isText)
      .map((node) => node.text);
  const gone = Object.entries(exempt).flatMap(([file, words]) => words.filter((word) => !texts(file).includes(word)));
  expect([...gone, ...exemptFiles.filter((file) => !sourceFiles().includes(file))]).toEqual([]);
});

/** Two words with a blank between them, and not a command line. */
const isEnglish = (text: string): boolean =>
  !/\p{Script=Han}/u.test(text) && /(?:^|[\s("])[A-Za-z][a-z']+,? [a-z]{2,}/.test(text.replace(/\bsanbot( [a-z]+)+/g, ''));

/** It is an English one with another language beside it, or what such a one is made of in its function. */
function isInBoth(node: Text): boolean {
  const { parent } = node;
  if (!isEnglish(node.text) || (ts.isPropertyAssignment(parent) && parent.name === node)) return true;
  if (ts.findAncestor(node, (each) => isPart(each, 'en') || isSameInBoth(each)) !== undefined) return true;
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  return owner !== undefined && nodesOf(owner).some((each) => isPart(each, 'zh'));
}

const isPart = (node: ts.Node, language: 'en' | 'zh'): boolean => ts.isPropertyAssignment(node) && node.name.getText() === language;
const isSameInBoth = (node: ts.Node): boolean => ts.isCallExpression(node) && node.expression.getText() === 'sameInBoth';

/** The message of a fault of the program, which only its author reads. */
const isForNobody = (node: ts.Node): boolean =>
  ts.findAncestor(node, (each) => ts.isNewExpression(each) && ['Error', 'AbortedError'].includes(each.expression.getText())) !== undefined;

/** A text with `${}` for what is put in there; nothing for what is computed. */
const shapeOf = (node: ts.Node): string =>
  ts.isTemplateExpression(node)
    ? `${node.head.text}${node.templateSpans.map(({ literal }) => `\${}${literal.text}`).join('')}`
    : ts.isStringLiteralLike(node)
      ? node.text
      : '';

type Pair = { readonly file: string; readonly en: string; readonly zh: string };

const textIn = (node: ts.ObjectLiteralExpression, language: 'en' | 'zh'): string => {
  const part = node.properties.find((each) => isPart(each, language));
  return part !== undefined && ts.isPropertyAssignment(part) ? shapeOf(part.initializer) : '';
};

const pairs: readonly Pair[] = sourceFiles().flatMap((file) =>
  nodesOf(parseSource(file))
    .filter(ts.isObjectLiteralExpression)
    .map((node) => ({ file, en: textIn(node, 'en'), zh: textIn(node, 'zh') }))
    .filter(({ en, zh }) => en !== '' && zh !== ''),
);

const told = ({ file, en, zh }: Pair): string => `${file}: ${en} | ${zh}`;

it('a sentence ends with a full stop in both languages or in neither', () => {
  const ends = (text: string, stop: RegExp): boolean => stop.test(text.trimEnd());
  expect(pairs.length).toBeGreaterThan(900);
  expect(pairs.filter(({ en, zh }) => ends(en, /[^.]\.$/) !== ends(zh, /。$/)).map(told)).toEqual([]);
});

/** A command line has blanks where it likes. */
it('Chinese has its own punctuation, once', () => {
  const wrong =
    /\p{Script=Han}[,;:?!()]|[,;:?!(]\p{Script=Han}|[。，；：、]{2}|\p{Script=Han} \p{Script=Han}|[。，；：（] | [。，；：、）]/u;
  expect(pairs.filter(({ zh }) => !zh.startsWith('/') && wrong.test(zh)).map(told)).toEqual([]);
});
