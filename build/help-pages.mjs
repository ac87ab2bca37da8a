/**
 * The help of every command as files of the bundle, one for a language and a width, from which `bin/sanbot.js` answers: { "memory add": text }.
 * They are what the program itself prints.
 */
import { loadSource } from './load-source.mjs';

const LANGUAGES = ['en', 'zh'];

/** The widths that many terminals have, and 120 for what is no terminal (src/runtime/io-streams.ts). */
const WIDTHS = [80, 120];

/** Resolves with the texts of the files by their names. `root` is the folder of the package. */
export async function helpPages(root) {
  const { runCli } = await loadSource(root, 'src/commands/program.ts');
  const files = new Map();
  for (const language of LANGUAGES)
    for (const columns of WIDTHS) {
      const pages = {};
      for (const command of await commandsBelow(runCli, root))
        pages[command] = await printed(runCli, root, { words: [...wordsOf(command), '--help'], language, columns });
      files.set(`help-${language}-${columns}.json`, JSON.stringify(pages));
    }
  return files;
}

const wordsOf = (command) => command.split(' ').filter((word) => word !== '');

/** "" for the program itself, then "history", "memory", "memory add"… */
async function commandsBelow(runCli, root, command = '') {
  const help = await printed(runCli, root, { words: [...wordsOf(command), '--help'], language: 'en', columns: 120 });
  const sections = help.split('\n\n').filter((section) => /^(?:Commands|Sessions|Memory|Settings|Figures and care):\n/.test(section));
  const names = sections.flatMap((section) => [...section.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name));
  const below = [];
  for (const name of names.filter((each) => each !== 'help'))
    below.push(...(await commandsBelow(runCli, root, `${command} ${name}`.trim())));
  return [command, ...below];
}

async function printed(runCli, root, { words, language, columns }) {
  let out = '';
  let err = '';
  const environment = { env: { SANBOT_LANGUAGE: language }, packageRoot: root, stdout: {}, now: () => new Date() };
  const io = { out: (text) => (out += text), err: (text) => (err += text), warn: (text) => (err += text), columns, colour: false };
  const code = await runCli(words, { environment, io });
  if (code !== 0 || err !== '') throw new Error(`sanbot ${words.join(' ')} ended with ${code}: ${err}`);
  return out;
}
