import { namesOne } from '../sentence/form.ts';
import { isListItem, ownLines, stripListMark } from '../text/sentences.ts';

const isRulesHeading = namesOne('RULES');
const HEADING_CHARS = 80;

/** Returns the items of a list under a line such as "Rules:", whether or not they contain a word of command. */
export function listedRules(text: string): readonly string[] {
  const rules: string[] = [];
  let underHeading = false;
  for (const line of ownLines(text)) {
    if (underHeading && isListItem(line)) rules.push(stripListMark(line));
    else if (line !== '') underHeading = line.length <= HEADING_CHARS && /[:：]["”*_]{0,3}$/.test(line) && isRulesHeading(line);
  }
  return rules.filter((rule) => rule.length > 2);
}
