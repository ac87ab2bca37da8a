/** A reporter of `npm run test:crash`: adds up the lines of figures that the tests print. */
export default class Total {
  readonly #said: string[] = [];

  onUserConsoleLog({ content }: { readonly content: string }): void {
    this.#said.push(content);
  }

  onTestRunEnd(): void {
    const text = this.#said.join('\n');
    const sum = (pattern: RegExp) => [...text.matchAll(pattern)].reduce((all, [, figure]) => all + Number(figure), 0);
    const disk = sum(/full disk.*?: (\d+) of \d+ (?:steps|levels)/g);
    const shareOf = (what: string) => {
      const pairs = [...text.matchAll(new RegExp(`${what}.*?: (\\d+) of (\\d+)`, 'g'))];
      const add = (at: number) => pairs.reduce((all, pair) => all + Number(pair[at]), 0);
      return pairs.length === 0 ? '' : `, ${what}: ${add(1)} of ${add(2)}`;
    };
    const shares = ['truncations', 'parallel sessions', 'flips noticed'].map(shareOf).join('');
    console.log(`in all: ${sum(/kills: (\d+) of/g)} kills, ${disk} times a full disk${shares}, problems: ${sum(/problems: (\d+)/g)}`);
  }
}
