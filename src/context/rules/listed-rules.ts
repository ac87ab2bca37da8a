import { isListItem, ownLines, stripListMark } from '../text/sentences.ts';

const RULES_HEADING =
  /\b(?:rules?|constraints?|requirements?|must|never|always|don'?t|do not|important|guidelines?|conventions?|limits?|keep in mind|avoid|preferences?)\b|约束|要求|规则|注意|必须|禁止|规范|限制|约定|偏好|不要/i;
/** A longer heading is a sentence about something else. */
const HEADING_CHARS = 80;

/** Returns the items of a list under a line such as "Rules:", whether or not they contain a word of command. */
export function listedRules(text: string): readonly string[] {
  const rules: string[] = [];
  let underHeading = false;
  for (const line of ownLines(text)) {
    if (underHeading && isListItem(line)) rules.push(stripListMark(line));
    else if (line !== '') underHeading = line.length <= HEADING_CHARS && /[:：]["”*_]{0,3}$/.test(line) && RULES_HEADING.test(line);
  }
  return rules.filter((rule) => rule.length > 2);
}
