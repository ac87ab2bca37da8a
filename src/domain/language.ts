import { isObject, isString } from './value/json.ts';

/** The languages of the interface. Never translated: JSON, events, exit codes, files on disk, and what the model reads. */
export const languages = ['en', 'zh'] as const;
export type UiLanguage = (typeof languages)[number];

export type Bilingual<Text = string> = Readonly<Record<UiLanguage, Text>>;

let current: UiLanguage = 'en';

export function setLanguage(language: UiLanguage): void {
  current = language;
}

/** The text in the language of the interface. Call it when the text is shown, not when a module loads: the language is not known then. */
export const localize = <Text>(text: Bilingual<Text>): Text => text[current];

/** What `write` returns, written in English whatever the language of the interface: for files, JSON and what the model reads. */
export function inEnglish<T>(write: () => T): T {
  const before = current;
  current = 'en';
  try {
    return write();
  } finally {
    current = before;
  }
}

export const because = (text: Bilingual, why: Bilingual): Bilingual => ({ en: `${text.en}: ${why.en}`, zh: `${text.zh}：${why.zh}` });

export const joinTexts = (texts: readonly Bilingual[], between: Bilingual): Bilingual => ({
  en: texts.map(({ en }) => en).join(between.en),
  zh: texts.map(({ zh }) => zh).join(between.zh),
});

/** What a schema expects, for its `refine`: the message in English, the other language beside it. */
export const expecting = ({ en, zh }: Bilingual) => ({ error: en, params: { zh } });

/** Told to a person on the screen, and to nobody else. */
export type Warn = (text: Bilingual) => void;

export const isBilingual = (value: unknown): value is Bilingual => isObject(value) && isString(value.en) && isString(value.zh);

/** For what is the same in each: a name, a message of the system. */
export const sameInBoth = (text: string): Bilingual => ({ en: text, zh: text });

/** What another program, a library or the system says in English: in a Chinese sentence it is a quotation. */
export const quotedText = (text: string): Bilingual => ({ en: text, zh: text === '' ? '' : `“${text}”` });

/** What is set as long as it is not `auto`, else that of the locale on a terminal, else English. */
export function chooseLanguage({ set, env, isTerminal }: LanguageChoice): UiLanguage {
  const named = languages.find((language) => language === set);
  if (named !== undefined) return named;
  const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value !== undefined && value !== '') ?? '';
  return isTerminal && /^zh(?:[^a-z]|$)/i.test(locale) ? 'zh' : 'en';
}

type LanguageChoice = {
  readonly set: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
};
