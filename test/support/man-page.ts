/** Text for roff: a backslash is written \e, a minus that can be copied \-, and a line that begins with a dot or a quote is masked. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');

/** A page for `man` from the texts that `--help` prints, by the words after `sanbot`: the program's own first, then each command's. */
export function manPage(
  helps: ReadonlyMap<string, string>,
  { description, version }: { readonly description: string; readonly version: string },
): string {
  const sections = [...helps].map(([command, help]) => `.SS ${roff(`sanbot ${command}`.trim())}\n.nf\n${roff(help)}\n.fi`);
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
