import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './source.ts';

/** Every page of the project that a person reads, as a path from its root. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  // The pictures have a test of their own.
  ...readdirSync(join(root, 'docs'), { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [`docs/${entry.name}`] : [])),
].sort();

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The cells of a page's table rows, without their outer bars; heads and rulers among them. */
export const rowsOf = (page: string): readonly (readonly string[])[] =>
  readPage(page)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.replace(/^\| | \|$/g, '').split(' | '));

/** Links of a page that lead nowhere: to a file that is not there, or to a heading that its page does not have. */
export function deadLinks(page: string): readonly string[] {
  const targets = [...withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    const [path = '', heading] = target.split('#');
    const linked = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, linked))) return true;
    return heading !== undefined && !headingsOf(linked).includes(heading);
  });
}

/** The headings of a page as links name them. */
const headingsOf = (page: string): readonly string[] =>
  [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Command lines of SanBot that a page shows in shell blocks and in backticks, as words after `sanbot`; what is quoted counts as one. */
export function commandLines(page: string): readonly (readonly string[])[] {
  const text = readPage(page);
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].flatMap(([, language = '', block = '']) =>
    ['', 'sh'].includes(language) ? block.split('\n') : [],
  );
  return [...blocks, ...codeIn(text)].flatMap(commandLinesIn);
}

/** Command lines of SanBot in a line of a shell. */
export const commandLinesIn = (line: string): readonly (readonly string[])[] =>
  [
    ...line
      .replace(/"[^"]*"/g, 'QUOTED')
      .replace(/ #.*$/, '')
      .matchAll(/(?:^|[ |])(?:sanbot|node bin\/sanbot\.js)((?: [^|]+)?)(?=$| \|)/g),
  ].map(([, words = '']) => wordsOf(words));

/** Commands of the conversation that a page shows in backticks, without their slash. */
export const slashCommands = (page: string): readonly string[] =>
  codeIn(readPage(page)).flatMap((code) => /^\/(?!tmp$)([a-z]+)(?: |$)/.exec(code)?.[1] ?? []);

/** Scripts of the manifest that a page names. */
export const npmScripts = (page: string): readonly string[] =>
  [...readPage(page).matchAll(/\bnpm (run )?([a-z]+(?::[a-z0-9]+)*)/g)]
    .filter(([, isRun, name = '']) => isRun !== undefined || !['ci', 'install', 'pack'].includes(name))
    .map(([, , name = '']) => name);

const codeIn = (text: string): readonly string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
const wordsOf = (line: string): readonly string[] => line.split(/\s+/).filter((word) => word !== '');

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

const ROOMS = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Paths in backticks that a page names, from the root of the project or from src/, and that are not there. */
export function missingPaths(page: string): readonly string[] {
  const names = [...readPage(page).matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);
  const tops = ['src', 'test', 'bench', 'docs', 'prompts', 'bin', '.ci'];
  return names.filter((name) => {
    const [top = ''] = name.split('/');
    if (!name.includes('/')) return name.endsWith('.ts') && !existsSync(join(root, 'src', name));
    if (tops.includes(top)) return !existsSync(join(root, name));
    return ROOMS.includes(top) && !existsSync(join(root, 'src', name));
  });
}
