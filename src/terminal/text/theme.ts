import type { ThemeName } from '../../domain/config/settings/program.ts';

/** A number of the palette of 256, which is the same on every terminal, one of the terminal's own sixteen, or faint letters. */
export type Shade = number | Sixteen | `${Sixteen}Bright` | 'dim';
type Sixteen = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'white';
export type Hue = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'quiet';
/** A colour that is missing is the one that the terminal writes in. */
export type Palette = Readonly<Partial<Record<Hue, Shade>>>;

/** `from` and `to`: the luminance of the backgrounds on which each colour has a contrast of 4.5 : 1 at least. */
type Row = { readonly from: number; readonly to: number; readonly palette: Palette };

const DARK = { from: 0, to: 0.0355 };
const LIGHT = { from: 0.72, to: 1 };

const dark: Row = { ...DARK, palette: { red: 210, green: 114, yellow: 179, blue: 111, magenta: 177, cyan: 80, quiet: 247 } };
const light: Row = { ...LIGHT, palette: { red: 124, green: 22, yellow: 58, blue: 25, magenta: 90, cyan: 24, quiet: 240 } };
/** 7 : 1 on the dark backgrounds of above, and from a luminance of 0.88 on. */
const highDark: Row = { from: 0, to: 0.08, palette: { red: 217, green: 120, yellow: 227, blue: 153, magenta: 219, cyan: 123 } };
const highLight: Row = { from: 0.55, to: 1, palette: { red: 88, green: 22, yellow: 54, blue: 55, magenta: 89, cyan: 18 } };
const sixteenDark: Row = {
  ...DARK,
  palette: {
    ...{ red: 'redBright', green: 'greenBright', yellow: 'yellowBright', blue: 'white' },
    ...{ magenta: 'magentaBright', cyan: 'cyanBright', quiet: 'white' },
  },
};
const sixteenLight: Row = { ...LIGHT, palette: { red: 'red', yellow: 'magenta', magenta: 'magenta', cyan: 'blue' } };
/** For a background that is not known. */
const sixteen: Palette = { red: 'red', green: 'green', yellow: 'yellow', blue: 'blue', magenta: 'magenta', cyan: 'cyan', quiet: 'dim' };
const none: Palette = {};

export const rows = { dark, light, highDark, highLight, sixteenDark, sixteenLight };

export type Theme = ReturnType<typeof createTheme>;

type Terminal = Readonly<Partial<Record<'TERM' | 'COLORTERM' | 'COLORFGBG', string>>>;

/** `keep` is called when another theme is chosen. What the terminal says of its background may come at any time, or never. */
export function createTheme(chosen: ThemeName, terminal: Terminal, keep: (name: ThemeName) => void) {
  let name = chosen;
  let background = byVariable(terminal);
  let palette = paletteOf(name, background, terminal);
  const renew = (): void => {
    palette = paletteOf(name, background, terminal);
  };
  return {
    name: () => name,
    palette: () => palette,
    hasColours: () => palette !== none,
    choose: (next: ThemeName): void => {
      name = next;
      renew();
      keep(next);
    },
    /** The answer to OSC 11: `rgb:1e1e/1e1e/1e1e`. */
    takeBackground: (answer: string): void => {
      background = luminanceOf(answer) ?? background;
      renew();
    },
  };
}

function paletteOf(name: ThemeName, background: number | undefined, { TERM = '', COLORTERM = '' }: Terminal): Palette {
  const ground = name === 'dark' ? DARK.from : name === 'light' ? LIGHT.to : background;
  const hasMany = COLORTERM !== '' || TERM === '' || /256|direct|kitty|ghostty|alacritty|foot|wezterm/.test(TERM);
  const isHigh = name === 'high-contrast';
  if (ground === undefined) return isHigh ? none : sixteen;
  const usual = isHigh ? [highDark, highLight] : [dark, light, highDark, highLight];
  const candidates = hasMany && name !== 'ansi16' ? usual : [sixteenDark, sixteenLight];
  return candidates.find(({ from, to }) => from <= ground && ground <= to)?.palette ?? none;
}

/** Of `15;0` the last is the background, as a colour of the terminal's sixteen. */
function byVariable({ COLORFGBG = '' }: Terminal): number | undefined {
  const colour = /;(\d+)$/.exec(COLORFGBG)?.[1];
  return colour === '0' || colour === '8' ? DARK.from : colour === '7' || colour === '15' ? LIGHT.to : undefined;
}

/** As WCAG 2 has it, from 0 for black to 1 for white. */
function luminanceOf(answer: string): number | undefined {
  const parts = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(answer)?.slice(1);
  const [red, green, blue] = (parts ?? []).map((part) => linear(Number.parseInt(part, 16) / (16 ** part.length - 1)));
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const linear = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
