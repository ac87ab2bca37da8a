/**
 * Finding files and text below a folder, by ripgrep, for a model: `search` looks in files and results, `list_files` folds a folder into
 * lines.
 *
 * A pattern or a folder comes in; lines come out, bounded in size, with the counts of what was left out, and why, in the first one. Ignore
 * files are obeyed, hidden files are walked, and nothing of git's or of SanBot's own is.
 *
 * ripgrep gets half a minute, no credentials, and a pattern that can never be taken for an option. Our memory is bounded by one record of
 * its output. Nothing is changed on disk, and no index is kept.
 */

import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, isBilingual, quotedText } from '../../domain/language.ts';
import { mediaInBody } from '../../domain/session/media.ts';
import { BODY_HEAD_CHARS, pageRoom } from '../page.ts';
import { statOf } from '../place/folders.ts';
import { bodyName, displayPath, knowTemporary, NO_BODY, type ResolvedPath, resolvePath, unlessMoved } from '../place/place.ts';
import { createRuledPaths } from '../place/ruled-paths.ts';
import { secretPatterns } from '../place/secret-files.ts';
import { visibleLine } from '../place/visible.ts';
import { defineTool, failure, failureOf, namingFailure, quantity, readPlan } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { leftOutNotes, searchOdd, secretsIn, unwalkedIn, walkedFiles } from './left-out.ts';
import { collectMatches, type Matches } from './matches.ts';
import { processOf, type RipgrepResult, ripgrep } from './ripgrep.ts';
import { nameInSession, othersThere, walkOf } from './temporary-walk.ts';

const inputSchema = z.strictObject({
  pattern: z.string().min(1).max(10_000).describe('The regular expression.'),
  path: z.string().min(1).default('.').describe('A file or folder; else the working folder.'),
  glob: z.string().min(1).max(1_000).optional().describe('Which files: *.ts or !*.test.ts.'),
  ignore_case: z.boolean().default(false),
  context: z.int().min(0).max(20).default(0).describe('Lines around each match.'),
});

type Input = Readonly<z.output<typeof inputSchema>>;

/** Searches files with ripgrep, or an offloaded body. The result is bounded; its first line counts what is left out. */
export const searchTool = defineTool('search', inputSchema, async (input, context: ToolContext) => {
  if (input.pattern.includes('\0') || input.glob?.includes('\0') === true)
    return { en: 'a NUL character cannot be searched for', zh: '无法搜索 NUL 字符' };
  await knowTemporary(input.path, context);
  const target = resolvePath(input.path, context);
  if (isBilingual(target)) return target;
  const run = (signal: AbortSignal): Promise<ToolOutcome> =>
    unlessMoved({ path: input.path, target, context }, { en: 'searched', zh: '搜索' }, () =>
      namingFailure(target.displayName, () => search(target, input, { context, signal })),
    );
  return readPlan(`search ${visibleLine(input.pattern, 200)} in ${target.displayName}`, run, target);
});

const MAX_CHARS = 60_000;
type SearchCall = { readonly context: ToolContext; readonly signal: AbortSignal };

async function search(target: ResolvedPath, input: Input, call: SearchCall): Promise<ToolOutcome> {
  const body = target.place === 'own_body' ? call.context.readBody(target.path) : undefined;
  if (body !== undefined && mediaInBody(body) !== undefined)
    return failureOf(bodyName(target.path), { en: 'is an image or a document; read_file shows it', zh: '是图片或文档；用 read_file 查看' });
  return body === undefined ? searchDisk(target, input, call) : searchBody(target, input, { ...call, body });
}

async function searchDisk(target: ResolvedPath, input: Input, { context, signal }: SearchCall): Promise<ToolOutcome> {
  const stats = statOf(target.path);
  if (stats === undefined) return failureOf(target.displayName, { en: 'no such file or folder', zh: '没有此文件或文件夹' });
  const isBody = target.place === 'own_body';
  const isFolder = stats.isDirectory();
  if (!isFolder && !stats.isFile())
    return failureOf(target.displayName, { en: 'is neither a file nor a folder', zh: '既不是文件也不是文件夹' });
  if (isBody && !isFolder) return failureOf(target.displayName, NO_BODY);
  const root = isFolder ? target.path : dirname(target.path);
  const ruled = createRuledPaths(isFolder && !isBody ? context.pathRules?.() : undefined, {
    ...{ tool: 'search', cwd: target.cwd },
    nameOf: (path) => nameInSession(target, isFolder, path) ?? join(root, path),
  });
  const matches = collectMatches({
    ...{ redactSecrets: context.redactSecrets, root, isLeftOut: ruled.isRuled },
    maxChars: isBody ? pageRoom(context, BODY_HEAD_CHARS) : MAX_CHARS,
    nameOf: (path) => visibleLine(displayPath(target.cwd, nameInSession(target, isFolder, path) ?? join(root, path)), 400),
  });
  const glob = input.glob === undefined ? [] : [`--glob=${input.glob}`];
  const walk = isFolder ? await walkOf(target, isBody ? join(root, 'none') : context.home, context) : [];
  const where = { ...processOf(context), cwd: root, signal };
  const place = ['--', isFolder ? '.' : `./${basename(target.path)}`];
  const args = [...JSON_ARGS, `--context=${input.context}`, ...patternArgs(input), ...glob, ...walk, ...(isFolder ? SKIP_SECRETS : [])];
  const run = await ripgrep([...args, '--sort=path', ...place], { ...where, separator: '\n', onRecord: matches.push });
  const results = matches.result();
  const placeholders = context.temporary?.placeholders() ?? new Set();
  const isNone = (path: string): boolean => path === context.home || placeholders.has(path);
  const notes = isBody
    ? []
    : await leftOut(input, { isFolder, ruled, glob, walk, place, where }, (path) => isNone(join(root, path)), results.paths);
  return outcomeOf(run, results, { target, isBody, isFolder, notes: [...notes, ruled.note()] });
}

type Walk = {
  readonly isFolder: boolean;
  readonly ruled: ReturnType<typeof createRuledPaths>;
  readonly glob: readonly string[];
  readonly walk: readonly string[];
  readonly place: readonly string[];
  readonly where: Parameters<typeof walkedFiles>[1];
};

/** What the search did not look into, for the first line. Files that rules leave out are counted, by the rules alone: how many of them match would tell what stands in them. */
async function leftOut(
  input: Input,
  { isFolder, ruled, glob, walk, place, where }: Walk,
  isNone: (path: string) => boolean,
  seen: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { files, odd, isWhole } = await walkedFiles([...glob, ...walk, ...place], where);
  const secrets = isFolder ? secretsIn(files).filter((path) => !ruled.isRuled(path)) : [];
  const isHeldBack = new Set(secrets);
  const open = [...files].filter((path) => !isHeldBack.has(path) && !(ruled.has && ruled.isLeftOut(path)));
  const isOpen = new Set(open);
  const oddFiles = await searchOdd(
    odd.filter((path) => isOpen.has(path)),
    patternArgs(input),
    where,
    seen,
  );
  const all = isFolder && glob.length > 0 ? await walkedFiles([...walk, ...place], where) : { files, isWhole };
  const hidden = (path: string): boolean => files.has(path) || isNone(path) || ruled.isRuled(path);
  const unwalked = isFolder ? unwalkedIn(where.cwd, all.files, hidden) : NOTHING;
  // What a glob asks for is searched even where it is ignored; what it does not ask for is not missed.
  const isAskedFor = (path: string): boolean =>
    GIT.test(path) ? GIT.test(input.glob ?? '') : path.endsWith('/') || input.glob === undefined || input.glob.startsWith('!');
  const named = { ...unwalked, ignored: unwalked.ignored.filter(isAskedFor), links: unwalked.links, secrets };
  return leftOutNotes({ ...named, odd: oddFiles, isWhole: isWhole && all.isWhole });
}

const NOTHING = { ignored: [], closed: [], empty: [], links: [], special: [], isAll: true };

/** Nobody looks there for what a project says, and to be told so at each search says nothing. */
const GIT = /(?:^|\/)\.git(?:\/|$)/;

/** A search of a folder needs no permission, and reading such a file does. */
const SKIP_SECRETS = secretPatterns.map((pattern) => `--iglob=!**/${pattern}`);

async function searchBody(target: ResolvedPath, input: Input, call: SearchCall & { readonly body: string }): Promise<ToolOutcome> {
  const { context, signal, body } = call;
  const matches = collectMatches({
    ...{ maxChars: pageRoom(context, BODY_HEAD_CHARS), redactSecrets: context.redactSecrets, text: body },
    nameOf: () => bodyName(target.path),
  });
  const args = [...JSON_ARGS, `--context=${input.context}`, ...patternArgs(input), '--text', '--', '-'];
  const cwd = dirname(context.sessionFolder);
  const run = await ripgrep(args, { ...processOf(context), cwd, signal, input: body, separator: '\n', onRecord: matches.push });
  return outcomeOf(run, matches.result(), { target, isBody: true, isFolder: false, notes: [] });
}

/** With `-e` the pattern cannot be an option, whatever it starts with. */
function patternArgs(input: Input): readonly string[] {
  const lines = /\n|\\n|\\r/.test(input.pattern) ? ['--multiline'] : [];
  const ignoreCase = input.ignore_case ? ['--ignore-case'] : ['--case-sensitive'];
  return ['--crlf', ...lines, ...ignoreCase, '-e', input.pattern];
}

const JSON_ARGS = ['--json'] as const;

type SearchTarget = {
  readonly target: ResolvedPath;
  readonly isBody: boolean;
  readonly isFolder: boolean;
  readonly notes: readonly string[];
};

/** What may not be read is counted with what else was not searched. */
const COUNTED = /^rg: .*: Permission denied \(os error 13\)\n?/gm;

function outcomeOf(run: RipgrepResult, results: Matches, { target, isBody, isFolder, notes }: SearchTarget): ToolOutcome {
  if (run.kind === 'failed' && !results.ran)
    return failure(
      run.stderr === ''
        ? { en: 'the search failed', zh: '搜索失败' }
        : { en: run.stderr, zh: `ripgrep 无法搜索：${quotedText(visibleLine(run.stderr, 300)).zh}` },
      { en: 'not searched', zh: '未搜索' },
    );
  const readBack = isBody ? { readBack: true } : {};
  const timeoutNote = run.kind === 'timed_out' ? 'stopped after 30 s, so there may be more' : '';
  const others = othersThere(target);
  const errors = isFolder ? run.stderr.replace(COUNTED, '') : run.stderr;
  const errorNote = errors.trim() === '' ? '' : `not all could be searched: ${visibleLine(errors, 200)}`;
  const size = `${quantity(results.matches, 'match', 'matches')} in ${quantity(results.files, 'file')}`;
  const summary = results.matches === 0 ? `no matches in ${target.displayName}` : run.kind === 'stopped' ? `more than ${size}` : size;
  const omittedNote =
    results.shownCount < results.matches
      ? `${results.shownCount === 0 ? 'none fits here' : `the first ${results.shownCount} are shown`}; narrow the pattern, the path or the glob for others`
      : '';
  const head = [summary, omittedNote, ...notes, timeoutNote, errorNote, ...others].filter((note) => note !== '').join('; ');
  const ok = results.matches > 0 || timeoutNote === '';
  return { ok, content: [head, ...results.lines].join('\n'), note: matchesText(results, size), ...readBack };
}

const matchesText = ({ matches, files }: Matches, size: string): Bilingual =>
  matches === 0 ? { en: 'no matches', zh: '没有匹配' } : { en: size, zh: `${files} 个文件中 ${matches} 处匹配` };
