import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { CodePart, Paint, SyntaxPart } from '../text/paint.ts';

const languages: readonly (readonly [names: readonly string[], language: typeof bash])[] = [
  [['bash', 'sh', 'shell', 'zsh', 'console'], bash],
  [['c', 'h'], c],
  [['cpp', 'c++', 'cc', 'hpp'], cpp],
  [['css', 'scss'], css],
  [['diff', 'patch'], diff],
  [['dockerfile', 'docker'], dockerfile],
  [['go', 'golang'], go],
  [['ini', 'toml'], ini],
  [['java'], java],
  [['javascript', 'js', 'jsx', 'mjs', 'cjs'], javascript],
  [['json', 'jsonc', 'json5'], json],
  [['python', 'py'], python],
  [['rust', 'rs'], rust],
  [['sql'], sql],
  [['typescript', 'ts', 'tsx', 'mts'], typescript],
  [['xml', 'html', 'svg', 'vue'], xml],
  [['yaml', 'yml'], yaml],
];

const byName = new Map(languages.flatMap(([names, language]) => names.map((name) => [name, { name: names[0] ?? '', language }] as const)));

/** More than this is not coloured: it would be noticed. */
const MAX_CHARS = 20_000;
/** Nor are longer words and lines, which nobody reads: the library looks at the rest of one from many places in it. */
const LONG = /(?<![\w$.])[\w$.]{200}|(?:^|\n)[^\n]{1000}/;

export function highlight(code: string, info: string, paint: Paint): readonly string[] {
  const lines = paint.hasColour ? codeParts(code, info) : undefined;
  if (lines === undefined || lines.flat().every(({ kind }) => kind === undefined))
    return code.split('\n').map((line) => (line === '' ? '' : paint.code(line)));
  return lines.map((parts) => parts.map(({ text, kind }) => (kind === undefined ? text : paint.syntax(kind, text))).join(''));
}

/** The lines of a code, each in its parts; undefined where its language, by name or by what the file's name ends with, is not known. */
export function codeParts(code: string, info: string): readonly (readonly CodePart[])[] | undefined {
  const known = byName.get(info.split(/[\s,{:]/, 1)[0]?.toLowerCase() ?? '');
  if (known === undefined || code.length > MAX_CHARS || LONG.test(code)) return undefined;
  if (hljs.getLanguage(known.name) === undefined) hljs.registerLanguage(known.name, known.language);
  return partsOfMarkup(hljs.highlight(code, { language: known.name, ignoreIllegals: true }).value);
}

function partsOfMarkup(markup: string): readonly (readonly CodePart[])[] {
  const scopes: string[] = [];
  let line: CodePart[] = [];
  const lines = [line];
  for (const [part] of markup.matchAll(/<[^>]*>|[^<]+/g)) {
    const opened = /^<span class="([^"]*)">$/.exec(part)?.[1];
    if (opened !== undefined) scopes.push(opened);
    else if (part === '</span>') scopes.pop();
    else {
      const kind = kinds.get(/^hljs-([\w-]+)/.exec(scopes.at(-1) ?? '')?.[1] ?? '');
      for (const [at, text] of unescapeMarkup(part).split('\n').entries()) {
        if (at > 0) {
          line = [];
          lines.push(line);
        }
        if (text !== '') line.push({ text, kind });
      }
    }
  }
  return lines;
}

const kinds: ReadonlyMap<string, SyntaxPart> = new Map<string, SyntaxPart>([
  ...['keyword', 'literal', 'selector-tag', 'doctag'].map((name) => [name, 'keyword'] as const),
  ...['string', 'regexp', 'link', 'selector-attr'].map((name) => [name, 'string'] as const),
  ...['number', 'symbol', 'bullet', 'variable', 'template-variable'].map((name) => [name, 'number'] as const),
  ...['comment', 'quote', 'meta'].map((name) => [name, 'comment'] as const),
  ...['title', 'name', 'section', 'attr', 'attribute', 'built_in', 'type', 'property'].map((name) => [name, 'name'] as const),
  ['addition', 'added'],
  ['deletion', 'removed'],
]);

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#x27;': "'" };
const unescapeMarkup = (text: string): string => text.replace(/&(?:lt|gt|amp|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
