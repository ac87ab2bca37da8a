import { memoizeRecent } from '../../domain/value/memoize.ts';
import { inLowerCase, lazily, sourceOf, sourceWith, type WordTable } from '../../domain/value/word-list.ts';
import { needsOf, type StandingWords, wordIndex } from './word-index.ts';
import { wordLines } from './word-lines.ts';
import { wordTables } from './words.ts';

/** A way to say something, with a sentence that it is for and one that it must not take. */
export type Form = {
  readonly name: string;
  readonly language: keyof WordTable;
  readonly template: string;
  /** What has one of these does not have the form. */
  readonly unless: readonly string[];
  readonly takes: string;
  readonly leaves: string;
  readonly fits: (clause: Clause) => boolean;
};

export type Forms = () => readonly Form[];

const known: Forms[] = [];
export const knownForms = (): readonly Form[] => known.flatMap((forms) => forms());

const HAN = /\p{Script=Han}/u;

/**
 * Takes a table of forms, each `name: template ~ unless ~ unless`, then `+ a sentence it is for - one it must not take` in each language
 * that has it. A form is compiled when it is first tried.
 */
export function readForms(text: () => string): Forms {
  const forms = lazily(() => formsIn(text()));
  known.push(forms);
  return forms;
}

const formsIn = (text: string): readonly Form[] =>
  text
    .trim()
    .split(/\n(?! )/)
    .flatMap((block) => {
      const [line = '', ...examples] = block.split(/\n +\+ /);
      const [, name = '', rest = ''] = /^([^:]{1,40}): (.*)$/.exec(line) ?? [];
      const [template = '', ...unless] = rest.split(' ~ ');
      return examples.map((example): Form => {
        const [takes = '', leaves = ''] = example.split(/ +- (.*)/);
        const language = HAN.test(takes) ? 'zh' : 'en';
        return { name, language, template, unless, takes, leaves, fits: formMatcher([template, ...unless], language) };
      });
    });

/** What a form looks at: a clause as it was written and in lower case, and which words stand in it. */
type Clause = { readonly text: string; readonly lower: string; readonly standing: (language: keyof WordTable) => StandingWords };
type Matcher = (clause: Clause) => boolean;

function formMatcher([template = '', ...unless]: readonly string[], language: keyof WordTable): Matcher {
  const form = matcher(template, language);
  const exceptions = unless.map((exception) => matcher(exception, language));
  return (clause) => form(clause) && !exceptions.some((exception) => exception(clause));
}

/** Names of their own are told by their capital letter: a template that speaks of one minds case. */
function matcher(template: string, language: keyof WordTable): Matcher {
  const mindsCase = template.includes('{PROPER}');
  const read = lazily(() => {
    const source = withShapes(template);
    return { source, needs: needsOf(source), isWordsAlone: /^\{[A-Z_|]+\}$/.test(source) };
  });
  const whole = lazily(() => {
    const source = sourceOf(read().source, wordTables(), language);
    return compiled(regExp(mindsCase ? source : inLowerCase(source)), language);
  });
  let tried = 0;
  return ({ text, lower, standing }) => {
    const { source, needs, isWordsAlone } = read();
    const words = standing(language);
    if (!needs(lower, words)) return false;
    if (isWordsAlone) return true;
    if (mindsCase) return whole().test(text);
    if (tried++ >= FEW) return whole().test(lower);
    return regExp(inLowerCase(sourceWith(source, (name) => words.get(name) ?? []))).test(lower);
  };
}

/**
 * So often a pattern is made of the words alone that stand in the clause, which V8 compiles in a fraction of the time of one with all
 * words.
 */
export const FEW = 3;

/** The slower way of matching only where a pattern speaks of scripts. */
const regExp = (source: string): RegExp => new RegExp(source, source.includes('\\p{') ? 'u' : '');

const withShapes = (template: string): string => template.replace(/(?<!\\p)\{([A-Z]+)\}/g, (slot, name: string) => shapes[name] ?? slot);

/** V8 interprets the first run of a pattern, at several times the price of compiling it, but for a text as long as this. */
function compiled(pattern: RegExp, language: keyof WordTable): RegExp {
  pattern.test(LONG_TEXTS[language]);
  return pattern;
}
const LONG_TEXTS = { en: ' '.repeat(1_000), zh: '\u3000'.repeat(1_000) } as const;

export const clauseOf = (text: string): Clause => {
  const lower = text.toLowerCase();
  return { text, lower, standing: (language) => standingWords(lower, language) };
};

/** Which words stand in a text in lower case. The same sentence is tried for one table of forms after the other. */
export const standingWords = (lower: string, language: keyof WordTable): StandingWords => standingIn[language](lower);

const KEPT = { minChars: 0, maxChars: 2_000, keptChars: 4_000 };
const lines = lazily(wordLines);
const standingInOf = (language: keyof WordTable) => {
  const find = lazily(() => wordIndex(lines()[language]));
  return memoizeRecent((lower) => find()(lower), KEPT);
};
const standingIn = { en: standingInOf('en'), zh: standingInOf('zh') } as const;

export const hasForm = (clause: Clause, forms: Forms, language?: keyof WordTable): boolean =>
  forms().some((form) => (language === undefined || form.language === language) && form.fits(clause));

/** True when a sentence has one of the forms; of a long one, its beginning is looked at. */
export const says = (sentence: string, forms: Forms): boolean => hasForm(clauseOf(sentence.slice(0, MAX_CHARS)), forms);

const MAX_CHARS = 500;

export function saysOne(text: () => string): (sentence: string) => boolean {
  const forms = readForms(text);
  return (sentence) => says(sentence, forms);
}

export const namesOne =
  (table: string) =>
  (sentence: string): boolean => {
    const { standing } = clauseOf(sentence.slice(0, MAX_CHARS));
    return standing('en').has(table) || standing('zh').has(table);
  };

/** What is told by how it is written and not by which word it is. */
export const shapes: Readonly<Record<string, string>> = {
  EXACT: '(?:[\\w-]*\\d[\\w.:\\/%-]*|https?:|[\\w-]+[.\\/@:][\\w.\\/@:-]+|\\w*_\\w+|\\w+ dot \\w+|["“`\'\\/#][^"”`\']+)',
  PROPER: '(?:[A-Z][\\p{L}\\d.+#]+)',
  CLOCK: '(?:\\d{1,2}:\\d\\d|\\d{1,2} ?(?:am|pm|h)\\b|at \\d{1,2}\\b|\\d+ (?:seconds|minutes|hours|days|weeks|months|years))',
  DATE: '(?:(?:19|20)\\d\\d(?:-\\d\\d-\\d\\d)?|\\bq[1-4]\\b|\\d{1,2}(?:st|nd|rd|th)\\b|from \\d{1,2} to \\d{1,2})',
  ZHTIME:
    '(?:[\\d一二两三四五六七八九十]{1,4} ?(?:月|号|日|点|點)(?!了|击|儿|开|心)|\\d{1,2}[:：]\\d{2}|(?:周|星期|礼拜|禮拜)[一二三四五六日天末])',
  ZHVALUE: '(?:[A-Za-z\\d\\/~@#.「『《"“`][\\w.\\/:@~%#-]*|[\\p{Script=Han}]{2,})',
  ZHEXACT: '(?:#[\\w-]+|\\/[\\w.-]+|[A-Za-z]*\\d[\\w.:\\/%-]*|[\\w-]+[.\\/@:_][\\w.\\/@:-]+|「|《|[A-Za-z][A-Za-z\\d_+-]+)',
  DIGIT: '(?:\\d|[一二两三四五六七八九十百千万几半])',
  HAN: '[\\p{Script=Han}]',
  SOME: '[\\p{Script=Han}\\w\\s.+\\/-]',
  OPENER: '(?:{CHEER}[,.!: —–-]+){0,3}',
  THOUGHT: '(?:(?:{CHEER}|but|actually|also)[,.…!: —–-]+)*',
  PHRASE: "[\\w .'\\/,_-]{1,60}?",
  THINGS: "(?!{IT|I|YOU|WE} |(?:the )?{PROBLEM} )[\\w .'\\/,_-]{1,60}?",
  IAM: "(?:i|we)(?:['’]m| am|['’]re| are)",
  ITSNAME: "(?:{OURS} )?(?:[\\w.'\\/-]+ ){0,4}?",
  ASIS: '(?:{SETS})(?! not)(?: {ADV|PREP}| set to| called| named)?',
  DECIDER: '(?:the |our )?(?:\\w+ )?{WHO}(?: ?{HAVE})? ?(?:{ADV} )?',
  FROM: '(?:^|^(?:after|for|in|on|with) [\\w ]{2,40} |\\b(?:{AND}|\\w+,) )',
  LASTING: '(?!(?:be )?{ONCE})\\w',
  ONENAME: '(?:[a-z][\\w.+#-]*)',
  ABSTRACT: '\\b(?:\\w{2,}[^suir]s|\\w+(?:tion|ance|ence|ity|ness|ing|ment|ism))\\b',
  ZHTHING: '(?!{DOING|IT|YOU}|我(?!们))[^，。；]{1,20}?(?:{SO_FAR})?',
};
