const MAX_COMMAND_CHARS = 40_000;

/** The files that a shell command plainly writes. Leaves out names with variables or patterns, devices, and output redirected to /tmp. */
export function filesWrittenBy(command: string): readonly string[] {
  const text = command.slice(0, MAX_COMMAND_CHARS);
  const patchPaths = text.includes('*** Begin Patch') ? filesInPatch(text) : [];
  const paths = segmentsOf(text).flatMap(({ words, targets }) => [
    ...targets.filter((path) => !path.startsWith('/tmp/')),
    ...filesWrittenByProgram(words),
  ]);
  return [...new Set([...patchPaths, ...paths])].filter(isPlainName);
}

export function filesInPatch(patch: string): readonly string[] {
  return patch.split('\n').flatMap((line) => {
    const prefix = /^\*\*\* (?:Update|Add|Delete) File: |^\*\*\* Move to: /.exec(line)?.[0];
    return prefix === undefined ? [] : [line.slice(prefix.length).trim()];
  });
}

const isPlainName = (path: string): boolean =>
  path.length <= 500 && /^[^-&$`*?{}()|<>"'\\\s][^$`*?{}()|<>"'\\\n\0]*$/.test(path) && !/^\/dev\/|:\/\/|^\.\.?$/.test(path);

function filesWrittenByProgram(words: readonly string[]): readonly string[] {
  const argv = words.slice(words.findIndex((word) => word !== 'sudo' && !/^\w+=/.test(word)));
  const program = argv[0] === 'git' ? `git ${argv[1]}` : argv[0];
  const rest = argv.slice(program?.startsWith('git ') ? 2 : 1);
  const names = rest.filter((word) => !word.startsWith('-'));
  if (program === 'cp') return names.length === 2 ? names.slice(1) : [];
  if (program !== 'sed' && program !== 'perl') return WRITE_ALL_NAMES.has(program ?? '') ? names : [];
  const isInPlace = rest.some((word) => /^-(?:\w*i|-in-place)/.test(word));
  return isInPlace ? names.slice(1).filter((name) => /[./]/.test(name) && !/^s[/|#]/.test(name)) : [];
}

const WRITE_ALL_NAMES = new Set(['tee', 'touch', 'rm', 'mv', 'git mv', 'git rm']);

type Segment = { readonly words: string[]; readonly targets: string[] };

/** Splits at `;`, `&`, `|`, brackets and line ends outside quotes; skips the bodies of here-documents. */
function segmentsOf(command: string): readonly Segment[] {
  let segment: Segment = { words: [], targets: [] };
  const segments = [segment];
  const delimiters: string[] = [];
  let redirect: 'from' | 'to' | undefined;
  for (let i = 0; i < command.length; ) {
    const char = command.charAt(i);
    if (char === '>') {
      i += command.startsWith('>>', i) ? 2 : 1;
      redirect = command.charAt(i) === '&' ? undefined : 'to';
    } else if (command.startsWith('<<', i) && !command.startsWith('<<<', i)) {
      const word = wordAt(command, i + (command.startsWith('<<-', i) ? 3 : 2));
      delimiters.push(word.text);
      i = word.end;
    } else if ('\n;|&()'.includes(char)) {
      i = char === '\n' ? skipHereDocuments(command, i + 1, delimiters.splice(0)) : i + 1;
      segment = { words: [], targets: [] };
      segments.push(segment);
      redirect = undefined;
    } else if (' \t\r<'.includes(char)) {
      if (char === '<') redirect = 'from';
      i += 1;
    } else {
      const word = wordAt(command, i);
      const isStreamNumber = /^\d$/.test(word.text) && command.charAt(word.end) === '>';
      if (!isStreamNumber && redirect !== 'from') (redirect === 'to' ? segment.targets : segment.words).push(word.text);
      redirect = undefined;
      i = Math.max(word.end, i + 1);
    }
  }
  return segments;
}

/** Returns a shell word without its quotes, and where it ends; skips leading blanks. */
function wordAt(command: string, from: number): { readonly text: string; readonly end: number } {
  let at = from;
  while (command.charAt(at) === ' ') at += 1;
  let text = '';
  while (at < command.length && !/[\s;|&()<>]/.test(command.charAt(at))) {
    const char = command.charAt(at);
    if (char === "'" || char === '"') {
      const close = command.indexOf(char, at + 1);
      text += command.slice(at + 1, close === -1 ? command.length : close);
      at = close === -1 ? command.length : close + 1;
    } else if (char === '\\') {
      text += command.charAt(at + 1);
      at += 2;
    } else {
      text += char;
      at += 1;
    }
  }
  return { text, end: at };
}

function skipHereDocuments(command: string, from: number, delimiters: readonly string[]): number {
  let at = from;
  for (const delimiter of delimiters) {
    while (at < command.length) {
      const end = command.indexOf('\n', at);
      const line = command.slice(at, end === -1 ? command.length : end);
      at = end === -1 ? command.length : end + 1;
      if (line.trim() === delimiter) break;
    }
  }
  return at;
}
