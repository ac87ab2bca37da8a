import { describe, expect, test } from 'vitest';
import { type ThemeName, themeNames } from '../../../../src/domain/config/settings/program.ts';
import { createScreenPaint } from '../../../../src/terminal/text/paint.ts';
import { createTheme, type Palette, rows } from '../../../../src/terminal/text/theme.ts';

/** WCAG 2: https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const contrast = (one: number, other: number): number => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

/** The palette of 256 above the sixteen: a cube of six steps, then greys. */
function fixedColour(code: number): readonly number[] {
  if (code >= 232) return [0, 0, 0].map(() => 8 + 10 * (code - 232));
  return [36, 6, 1].map((size) => Math.floor((code - 16) / size) % 6).map((step) => (step === 0 ? 0 : 55 + 40 * step));
}

const rgb = (text: string): readonly number[] => [0, 2, 4].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
const vga = '000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff';
const xterm = '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff';

const first = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const names = [...first, ...first.map((name) => `${name}Bright`)];

/** The colours of a theme by their numbers. */
const shadesOf = (palette: Palette): readonly (readonly [string, number])[] =>
  Object.entries(palette).flatMap(([hue, shade]) =>
    shade === 'dim' ? [] : [[hue, typeof shade === 'number' ? shade : names.indexOf(shade)]],
  );

describe('each colour can be read', () => {
  const { sixteenDark, sixteenLight, ...fixed } = rows;

  test.each(Object.entries(fixed))('of %s, on every background that it is chosen for: 4.5 : 1', (_, { from, to, palette }) => {
    const shades = shadesOf(palette);
    expect(shades.length).toBeGreaterThanOrEqual(6);
    // Marked words of a difference stand in the background's colour on this one: the ratio is the same.
    for (const [hue, shade] of shades)
      for (const ground of [from, to])
        expect([hue, ground, contrast(luminance(fixedColour(shade)), ground)]).toEqual([
          hue,
          ground,
          expect.toSatisfy((ratio) => ratio >= 4.5),
        ]);
  });

  test.each([
    ['dark', rows.highDark, [rows.dark.from, rows.dark.to]],
    ['light', rows.highLight, [0.88, 1]],
  ])('of high-contrast, on a %s background: 7 : 1', (_, { palette }, grounds) => {
    for (const [hue, shade] of shadesOf(palette))
      for (const ground of grounds)
        expect([hue, contrast(luminance(fixedColour(shade)), ground)]).toEqual([hue, expect.toSatisfy((ratio) => ratio >= 7)]);
  });

  test.each([
    ['VGA', vga],
    ['xterm', xterm],
  ])('of the sixteen, in those of %s on black and white: 4.5 : 1', (_, colours) => {
    const sixteen = colours.split(' ').map((text) => luminance(rgb(text)));
    for (const [{ palette }, ground] of [[sixteenDark, 0] as const, [sixteenLight, 1] as const])
      for (const [hue, shade] of shadesOf(palette))
        expect([hue, contrast(sixteen[shade] ?? 0, ground)]).toEqual([hue, expect.toSatisfy((ratio) => ratio >= 4.5)]);
  });
});

describe('a theme', () => {
  const many = { TERM: 'xterm-256color' };
  type Asked = { readonly env?: Readonly<Record<string, string>>; readonly answer?: string };
  const rowOf = (name: ThemeName, { env = many, answer }: Asked = {}): string | undefined => {
    const theme = createTheme(name, env, () => undefined);
    if (answer !== undefined) theme.takeBackground(answer);
    return Object.entries(rows).find(([, { palette }]) => palette === theme.palette())?.[0];
  };

  test('follows the background that the terminal tells, in the forms that there are', () => {
    expect(rowOf('auto', { answer: 'rgb:0000/0000/0000' })).toBe('dark');
    for (const known of ['1e1e1e', '282a36', '002b36', '2e3440', '300a24']) expect(rowOf('auto', { answer: answerOf(known) })).toBe('dark');
    for (const known of ['ffffff', 'fdf6e3', 'eff1f5', 'fbf1c7']) expect(rowOf('auto', { answer: answerOf(known) })).toBe('light');
    expect(rowOf('auto', { answer: 'rgb:ff/ff/ff' })).toBe('light');
    expect(rowOf('auto', { answer: 'rgba:ffff/ffff/ffff/ffff' })).toBe('light');
    expect(rowOf('auto', { answer: answerOf('3f3f3f') })).toBe('highDark');
    expect(rowOf('high-contrast', { answer: answerOf('000000') })).toBe('highDark');
    expect(rowOf('high-contrast', { answer: answerOf('ffffff') })).toBe('highLight');
  });

  test('of a background on which no colour can be read has none', () => {
    const theme = createTheme('auto', many, () => undefined);
    theme.takeBackground(answerOf('808080'));
    const paint = createScreenPaint(true, theme);
    expect([paint.bad('x'), paint.hasColour, paint.strong('x')]).toEqual(['x', false, '\u001b[1mx\u001b[22m']);
  });

  test('without an answer is that of COLORFGBG, else the colours of the terminal as they are', () => {
    expect(rowOf('auto', { env: { ...many, COLORFGBG: '15;0' } })).toBe('dark');
    expect(rowOf('auto', { env: { ...many, COLORFGBG: '0;default;15' } })).toBe('light');
    expect(rowOf('auto', { env: { ...many, COLORFGBG: '15;0' }, answer: 'rgb:ffff/ffff/ffff' })).toBe('light');
    for (const answer of ['', 'rgb:', 'red', 'rgb:12/zz/00'])
      expect(createTheme('auto', many, () => undefined).palette()).toEqual(
        createTheme('auto', { COLORFGBG: answer }, () => undefined).palette(),
      );
    expect(
      createScreenPaint(
        true,
        createTheme('auto', many, () => undefined),
      ).bad('x'),
    ).toBe('\u001b[31mx\u001b[39m');
    expect(
      createScreenPaint(
        true,
        createTheme('high-contrast', many, () => undefined),
      ).bad('x'),
    ).toBe('x');
  });

  test('that was chosen does not follow the background, and one of sixteen colours has no others', () => {
    expect(rowOf('dark', { answer: answerOf('ffffff') })).toBe('dark');
    expect(rowOf('light', { answer: answerOf('000000') })).toBe('light');
    expect(rowOf('ansi16', { answer: answerOf('000000') })).toBe('sixteenDark');
    for (const name of themeNames) expect(rowOf(name, { env: { TERM: 'xterm' }, answer: answerOf('000000') })).toMatch(/^sixteen/);
  });

  test('draws by its number in the palette, marked words inverted', () => {
    const paint = createScreenPaint(
      true,
      createTheme('dark', many, () => undefined),
    );
    expect(paint.added(paint.changed('x'))).toBe('\u001b[38;5;114m\u001b[7mx\u001b[27m\u001b[39m');
    expect(
      createScreenPaint(
        false,
        createTheme('dark', many, () => undefined),
      ).added('x'),
    ).toBe('x');
  });
});

const answerOf = (colour: string): string => `rgb:${[0, 2, 4].map((at) => colour.slice(at, at + 2).repeat(2)).join('/')}`;
