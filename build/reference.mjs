/**
 * What is made of the program's own help beside `--help` itself: the page for `man`, and one page with the help of every command.
 * `helps` has the English texts by the words after `sanbot`, the program's own first (build/help-pages.mjs).
 */

/** Text for roff: a backslash is written \e, a minus that can be copied \-, and a line that begins with a dot or a quote is masked. */
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

const titleOf = (command) => `sanbot ${command}`.trim();

export function manPage(helps, { description, version }) {
  const sections = Object.entries(helps).map(([command, help]) => `.SS ${roff(titleOf(command))}\n.nf\n${roff(help.trimEnd())}\n.fi`);
  return `.TH SANBOT 1 "" "SanBot ${version}" "User Commands"
.SH NAME
sanbot \\- ${roff(description)}
.SH SYNOPSIS
.B sanbot
[options] [command]
.SH COMMANDS
${sections.join('\n')}
.SH FILES
.TP
.I ~/.sanbot
Sessions, snapshots, memories, settings and the audit log; SANBOT_HOME or \\-\\-home names another folder.
.TP
.I .sanbot.json
Settings of a project. They count in a folder that you have trusted.
.SH SEE ALSO
The folder docs of the package: commands.md has the exit codes, settings.md the settings and environment variables.
`;
}

export function referencePage(helps) {
  const sections = Object.entries(helps).map(([command, help]) => `## ${titleOf(command)}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`);
  return `# Reference\n\nThe help of every command, as \`sanbot help\` prints it.\n\n${sections.join('\n')}`;
}
