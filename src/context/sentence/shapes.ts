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
  // Parts that many forms have.
  PHRASE: "[\\w .'\\/,_-]{1,60}?",
  THINGS: "(?!{IT|I|YOU|WE} |(?:the )?{PROBLEM} )[\\w .'\\/,_-]{1,60}?",
  IAM: "(?:i|we)(?:['’]m| am|['’]re| are)",
  ITSNAME: "(?:{OURS} )?(?:[\\w.'\\/-]+ ){0,4}?",
  ASIS: '(?:{SETS})(?! not)(?: {ADV|PREP}| set to| called| named)?',
  DECIDER: '(?:the |our )?(?:\\w+ )?{WHO}(?: ?{HAVE})? ?(?:{ADV} )?',
  FROM: '(?:^|^(?:after|for|in|on|with) [\\w ]{2,40} |\\b(?:{AND}|\\w+,) )',
  LASTING: '(?!(?:be )?{ONCE})\\w',
  ZHTHING: '(?!{DOING|IT|YOU}|我(?!们))[^，。；]{1,20}?(?:{SO_FAR})?',
};
