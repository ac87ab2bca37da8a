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
    console.log(`in all: ${sum(/kills: (\d+) of/g)} kills, ${disk} times a full disk, problems: ${sum(/problems: (\d+)/g)}`);
  }
}
