import { describe, expect, test } from 'vitest';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const read = (id: string): readonly Message[] => [
  calls({ id, name: 'read_file', input: { path: `${id}.txt` } }),
  answers({ id, content: 'line of text\n'.repeat(1_500) }),
];
const summarised = (messages: readonly Message[]) => {
  const ledger = gatherLedger(messages, nowhere);
  return { ledger, text: ruleSummary(messages, { earlier: undefined, ledger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter }) };
};
const linesWith = (text: string, part: RegExp): readonly string[] => text.split('\n').filter((line) => part.test(line));

const english = (again: string) => [
  user('Draw the map of the harbour from harbour.geojson.'),
  ...read('harbour'),
  says('The harbour basin is drawn from the outer ring of harbour.geojson.'),
  user('The depths in that file are metres below chart datum, measured at low tide.'),
  says('The depths are metres below chart datum, so the colours start at zero.'),
  user('Colour the basins by depth.'),
  ...read('basins'),
  says('The basins are coloured in five steps by depth.'),
  user(again),
  says('Right, the depths are metres below chart datum, so the colours start at zero.'),
  user('Write the legend.'),
  ...read('legend'),
  says('The legend has five steps.'),
];

const chinese = (again: string) => [
  user('用 harbour.geojson 画港口的地图。'),
  ...read('harbour'),
  says('港池按 harbour.geojson 的外环画好了。'),
  user('文件里的水深是低潮时测的海图基准面以下的米数。'),
  says('水深是海图基准面以下的米数，所以颜色从零开始。'),
  user('按水深给港池上色。'),
  ...read('basins'),
  says('港池已按水深分五级上色。'),
  user(again),
  says('水深是海图基准面以下的米数，所以颜色从零开始。'),
  user('写图例。'),
  ...read('legend'),
  says('图例有五级。'),
];

describe('what was said again, by the user or the model, stands once in a summary by rule', () => {
  test('in English, also in slightly other words', () => {
    const { text } = summarised(english('the depths in that file are metres below the chart datum, measured at low tide'));
    expect(linesWith(text, /measured at low tide/)).toHaveLength(1);
    expect(linesWith(text, /colours start at zero/)).toHaveLength(1);
  });

  test('in Chinese', () => {
    const { text } = summarised(chinese('文件里的水深，是低潮时测的海图基准面以下的米数'));
    expect(linesWith(text, /低潮时测/)).toHaveLength(1);
    expect(linesWith(text, /颜色从零开始/)).toHaveLength(1);
  });

  test('but not where a number or a "not" makes it another statement', () => {
    const other = summarised(english('The depths in that file are not metres below chart datum, measured at low tide.'));
    expect(linesWith(other.text, /measured at low tide/)).toHaveLength(2);
    const zh = summarised(chinese('文件里的水深不是低潮时测的海图基准面以下的米数。'));
    expect(linesWith(zh.text, /低潮时测/)).toHaveLength(2);
  });

  test('an order that is given again in other words is one order', () => {
    const orders = (...said: readonly string[]) =>
      summarised(said.flatMap((text, at) => [user(text), ...read(`f${at}`)])).ledger.constraints;
    expect(orders('Never commit generated files.', 'Again, do not commit the generated files.')).toHaveLength(1);
    expect(orders('不要提交生成的文件。', '请不要提交生成的文件！')).toEqual(['不要提交生成的文件。']);
    expect(orders('Keep lines under 80 characters.', 'Keep lines under 100 characters.').length).toBeGreaterThan(0);
  });
});
