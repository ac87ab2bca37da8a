/**
 * True for a word that can only name something in the working folder, or be a plain word: not where another folder begins, in no part of a
 * list either; no option, no file to read more words from, no address of a host, no setting (`CC=x`), nothing that a shell would evaluate,
 * and nothing of git's own folder. A pattern may stay below the folder that it is in.
 */
export const isInside = (word: string): boolean =>
  /^[\p{L}\p{M}\p{N}_.*([][\p{L}\p{M}\p{N}_.*()[\],/#@+~ -]*$/u.test(word) &&
  !/[, ][/~]|(?:^|[, /])(?:\.\.|\.[^/]*\*[^/]*|\.git|[.[\]]*\[[.[\]]*)(?:$|[, /])/i.test(word);

/** The same, or a name that has parts: test:unit. */
export const isTarget = (word: string): boolean => isInside(word) || /^[\w-]+(?::[\w-]+)+$/.test(word);

/** The same, where it can be nothing but the path of a file: no name of another program, subcommand or machine. */
export const isFile = (word: string): boolean => isInside(word) && /^\S*[./]\S*$|^\d+$/.test(word);

/** What a word may be, by its kind; a kind that is not here is a choice of words parted by `|`. */
const KINDS: ReadonlyMap<string, (word: string) => boolean> = new Map([
  ['files', isInside],
  ['targets', isTarget],
  ['*', () => true],
  ['text', () => true],
  ['none', () => false],
  // A text where some program of that name takes a file instead.
  ['phrase', (word) => !/^[-/~@]|:\/\/|(?:^|\/)\.\.(?:\/|$)/.test(word)],
  // What a build or a script of the project makes, and not what it puts elsewhere or takes away.
  ['parts', (word) => isTarget(word) && !/install|deploy|publish|upload|release|destroy|drop|purge|wipe/i.test(word)],
  // Without a colon, and from no folder.
  ['names', (word) => /^@?\w[\w.@/-]*$/.test(word) && isInside(word.replace(/^@/, ''))],
  ['words', (word) => /^\w[\w.-]*$/.test(word)],
  // What git reads as a commit, a range or a file of one: HEAD~2, main..x, stash@{0}, v1^{}, ^main, -. To push or fetch, `a:b` is something else.
  ['refs', (word) => isRevision(word)],
  ['revs', (word) => isRevision(word) || (/^[\w.@^~/{}-]+:/.test(word) && isInside(word.replace(/^[^:]*:/, '')))],
  // A test in a file: a.py::TestA::test_b[x-1], a_spec.rb:12, module::test.
  ['ids', (word) => !word.includes('://') && isInside(word.replace(/\[[\w ./-]*\]$/, '').replace(/::?/g, '/'))],
  // A task of a project: :app:test.
  ['tasks', (word) => /^:?[\w.-]+(?::[\w.-]+)*$/.test(word)],
  // What a cluster has, but for its secrets.
  ['resources', (word) => /^\w[\w.,/-]*$/.test(word) && !/secret/i.test(word) && isInside(word)],
  // A part of a service's address, with a query.
  ['routes', (word) => /^\/?[\w{][\w{}.-]*(?:\/[\w{}.%:-]+)*\/?(?:\?[\w=&.%+,:-]*)?$/.test(word) && !/\/\.\.(?:\/|$)/.test(word)],
  // What jq and yq do with what it reads, but for what stands in the environment or in other files.
  ['filters', (word) => !/env|import|include|input_filename|load|^-/i.test(word)],
  // Letters as tar takes them without a dash, but for those that name a program or leave the folder.
  ['letters', (word) => isInside(word) && !/^[A-Za-z]*[IFPTCXV][A-Za-z]*$/.test(word)],
]);

const isRevision = (word: string): boolean =>
  word === '-' ||
  isInside(
    word
      .replace(/@?\{[\w -]*\}/g, 'x')
      .replaceAll('^', '')
      .replace(/^@/, 'x'),
  );

export const isOfKind = (word: string, kind: string): boolean => KINDS.get(kind)?.(word) ?? kind.split('|').includes(word);

export const isKind = (kind: string): boolean => KINDS.has(kind) || kind.includes('|');
