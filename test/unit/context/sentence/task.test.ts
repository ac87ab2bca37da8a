import { describe, expect, test } from 'vitest';
import { describesFeature } from '../../../../src/context/sentence/task.ts';
import { sentencesOf } from '../../../../src/context/text/sentences.ts';
import { says, user } from '../../../support/build.ts';
import { gatherLedger } from '../../../support/ledger.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/b' };
const constraintsOf = (...said: readonly string[]): readonly string[] =>
  gatherLedger(
    said.flatMap((text) => [user(text), says('Done.')]),
    nowhere,
  ).constraints;

describe('how one feature is to behave', () => {
  test.each([
    'The preview pane must close when I press escape.',
    'a long label must wrap when the column is narrow',
    'a shortened caption must end where the first line ends',
    'the cursor must jump to the end when text is pasted',
    'The menu has to open when the user right-clicks',
    'search must start as soon as three letters are typed',
    'the dialog must show the reason if the upload fails',
    'Tooltips should be hidden while the user scrolls',
    'the spinner must disappear once the upload is done',
    'a moved lamp must blink when it hits the wall ...',
  ])('is no standing constraint: %s', (text) => {
    expect(describesFeature(text)).toBe(true);
    expect(constraintsOf(text)).toEqual([]);
  });

  test.each([
    'All requests must time out after 30 seconds.',
    'The build must fail if a warning appears.',
    'Every worker must stop when the queue is empty',
    'Secrets must be rotated when someone leaves.',
    'You must stop when a test fails',
    'Invalid maps must never crash the app when they are loaded',
    'Endpoints must return 404 when a record is missing',
    'The release must wait until the review is over',
    'the old format must still load when the new one is missing',
    'Always ask when a file must be deleted',
  ])('is told from what holds for all of the work: %s', (text) => {
    expect(describesFeature(text)).toBe(false);
    expect(constraintsOf(text)).toEqual([text]);
  });
});

describe('a ban that puts the task at hand right', () => {
  test.each([
    "add a retry to the client. but don't assume a timeout, just read it from the options.",
    "no, don't wrap the client. wrap the response",
    "don't replace the old index. add a second index.",
    "sort the rows and print them. but don't print the header row.",
    "no, don't mock `fetchTide`.",
    "no don't mock time. mock the clock that the scheduler reads",
    'show the tide table. but dont include the moon in it',
    'no, do not guess the encoding. read the mark at the beginning',
    "but don't show the banner on small screens",
    "no, don't return the list. return the count",
  ])('is no standing constraint: %s', (text) => {
    expect(constraintsOf(text)).toEqual([]);
  });

  test.each([
    "no, don't touch the vendored parser.",
    "but don't change the public API",
    "And don't rename any of the exported functions.",
    "no, don't log secrets",
    'But never print the token.',
    "don't use moment. use dayjs.",
    "but don't commit the lock file",
    "no, don't ever mock the clock",
    "but don't swallow errors",
    "Don't push to the main branch. Open a pull request.",
    "but don't store the passwords in plain text",
    "don't modify `send_twice`",
  ])('is told from one that protects something: %s', (text) => {
    expect(constraintsOf(text)).toContain(sentencesOf(text)[0]);
  });
});

describe('a rule said in the middle of a complaint', () => {
  const trace = Array.from({ length: 12 }, (_, at) => `    at load (/src/map/load.ts:${at + 10}:9)`).join('\n');
  const complaint = `argh, this blew up again. broken maps must NEVER crash the game\n\nError: bad tile: #12x\n${trace}\nWaiting ...`;
  const rule = 'broken maps must NEVER crash the game';

  test('is kept beside what was pasted behind it', () => {
    expect(constraintsOf(complaint)).toEqual([rule]);
  });

  test('is not ended by a report that it is kept', () => {
    expect(constraintsOf(complaint, 'good, broken maps no longer crash the game. now the lamps')).toEqual([rule]);
    expect(constraintsOf("don't touch the maps folder", 'the maps folder is no longer off limits')).toEqual([]);
    expect(constraintsOf('Always use tabs in the maps.', 'we no longer use tabs in the maps')).not.toContain(
      'Always use tabs in the maps.',
    );
  });

  test('is not ended by a difference that was copied from a screen', () => {
    const pasted = [
      ' + 16 - **Maps**: Broken maps may crash the  ',
      ' game again. On start, broken maps crash now.  ',
      ' + 17   ',
      '',
      'remove that, we just say that there are maps',
    ].join('\n');
    expect(constraintsOf(complaint, pasted)).toEqual([rule]);
  });
});
