import { Chalk } from 'chalk';

/** Colours for text that is safe already; without colour each of them returns the text as it is. */
export type Paint = Readonly<Record<Tone | 'strong' | 'code' | 'removed' | 'added', (text: string) => string>> & {
  /** For kinds of things beside each other, by their place: no two neighbours look alike. */
  readonly kind: (place: number, text: string) => string;
};

export function createPaint(colour: boolean): Paint {
  const chalk = new Chalk({ level: colour ? 1 : 0 });
  return {
    plain: (text) => text,
    quiet: (text) => chalk.dim(text),
    good: (text) => chalk.green(text),
    notice: (text) => chalk.yellow(text),
    bad: (text) => chalk.red(text),
    strong: (text) => chalk.bold(text),
    code: (text) => chalk.cyan(text),
    removed: (text) => chalk.red(text),
    added: (text) => chalk.green(text),
    kind: (place, text) => chalk[kindColours[place % kindColours.length] ?? 'white'](text),
  };
}

const kindColours = ['cyan', 'blue', 'magenta', 'green', 'yellow', 'red'] as const;

export type Tone = 'plain' | 'quiet' | 'good' | 'notice' | 'bad';
