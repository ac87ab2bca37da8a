import { dirname, join } from 'node:path';

/** An import may import others, so deep. */
export const MAX_IMPORT_DEPTH = 5;
/** Of one file. */
const MAX_IMPORTS = 50;

/**
 * The paths that an instruction file imports, absolute, in order: each @path that stands after white space or at the start of a line, and
 * neither in a block of code nor between backticks. Whether there is such a file is not looked at.
 */
export function importsIn(text: string, file: string): readonly string[] {
  const paths = linesOutsideCode(text).flatMap((line) =>
    [...line.replace(/`[^`\n]*`/g, '` `').matchAll(/(?:^|\s)@([^\s@`"'<>()[\]{}]{1,500})/g)].map(([, path = '']) =>
      path.replace(/[.,;:!?]+$/, ''),
    ),
  );
  const inProject = paths.filter((path) => path !== '' && !path.startsWith('~') && !path.startsWith('/'));
  return [...new Set(inProject.map((path) => join(dirname(file), path)))].slice(0, MAX_IMPORTS);
}

function linesOutsideCode(text: string): readonly string[] {
  let fence: string | undefined;
  return text.split('\n').filter((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined;
    }
    if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    return false;
  });
}
