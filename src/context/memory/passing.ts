import { anyOf, isOneOf } from '../../domain/value/word-list.ts';

/** True for what by its own words ends with one attempt, and for a line that is meant for a shell. */
export const isPassing = (sentence: string): boolean => isForOnce(sentence) || isShellLine(sentence);

const TRIED = anyOf('experiment, trial, attempt, demo, session');
const isForOnce = isOneOf(
  /(?<!\bnot )\b(?:only|just) (?:for )?(?:this time|(?:this )?once|now|today)\b/i,
  /\bthis (?:one )?time only\b/i,
  new RegExp(`(?<!\\bnot (?:only |just )?)\\b(?:for|in|during) this (?:one )?${TRIED}\\b`, 'i'),
  /(?<![不非])(?:[只仅就](?:是|限|在|有)?(?:[这此本]一?[次回])|仅此一[次回])|下不为例/,
  /(?<![不非][只仅止]?是?在?)(?:[这此本][次个场轮回]?)(?:实验|试验|会话)(?!室)/,
);

/** Programs that begin a line, and hardly ever a sentence. */
const PROGRAM = anyOf(
  'awk, bash, bun, cargo, cat, cd, chmod, chown, cp, curl, docker, echo, env, export, git, grep, jq, kubectl, ln, ls, mkdir, mv, node, npm, npx, pip, pnpm, ps, psql, pytest, python, python3, rg, rm, rsync, scp, sed, sh, ssh, sudo, tail, tar, uv, wget, xargs, yarn, zsh',
);
const isShellLine = isOneOf(
  /^(?:(?:please )?run:? |! ?|\$ )?exec \S/i,
  new RegExp(
    `^(?:(?:please )?run:? |! ?|\\$ )?(?:\\w+=\\S+ )*${PROGRAM} .*(?:&&|\\|\\|| \\| |; *(?:\\w+=\\S+ )*(?:${PROGRAM}|exit|make|test|true)\\b)`,
  ),
  // A command with options, and no word that only a sentence has.
  new RegExp(
    `^(?:! ?|\\$ )?${PROGRAM} (?!.*\\b(?:is|are|was|we|i|you|the|never|always|must|should|only|when|for|to|with|how)\\b)[\\x20-\\x7e]* --?[a-z]`,
    'i',
  ),
);
