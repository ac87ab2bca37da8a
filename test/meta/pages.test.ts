import { basename, dirname } from 'node:path';
import ts from 'typescript-syntax';
import { expect, test } from 'vitest';
import { holdsForEach } from '../support/each-row.ts';
import { parseSource, sourceFiles } from '../support/source.ts';

/** Up to so many files explain themselves. */
const MAX_FILES_WITHOUT_PAGE = 3;
const MIN_PAGE_LINES = 5;
const MAX_PAGE_LINES = 15;

/** The roof of a folder, where a newcomer looks first, when no file bears the folder's name. */
const roofs: Record<string, string> = {
  'src/agent/compaction': 'compact.ts',
  'src/agent/memory': 'remember.ts',
  'src/agent/ports': 'effects.ts',
  'src/commands': 'program.ts',
  'src/commands/acp': 'protocol.ts',
  'src/commands/care': 'doctor.ts',
  'src/commands/chat/ports': 'current.ts',
  'src/commands/config': 'show-config.ts',
  'src/commands/context': 'compact.ts',
  'src/commands/sessions/exported': 'import-exported.ts',
  'src/commands/sessions/recordings': 'import-transcript.ts',
  'src/commands/usage': 'help-text.ts',
  'src/context/history': 'apply-record.ts',
  'src/context/memory': 'extract-memories.ts',
  'src/context/permission': 'rules.ts',
  'src/context/permission/irreversible': 'losses.ts',
  'src/sync': 'exchange.ts',
  'src/sync/folder': 'folder-target.ts',
  'src/tools/command/processes': 'process-group.ts',
  'src/tools/mcp/connection': 'connect.ts',
  'src/tools/parse': 'parser.ts',
  'src/tools/web': 'fetch-url.ts',
  'src/context/rules': 'rule-summary.ts',
  'src/context/search': 'search-terms.ts',
  'src/context/summary': 'summary-request.ts',
  'src/context/sentence': 'judge.ts',
  'src/domain': 'errors.ts',
  'src/domain/event': 'event-schema.ts',
  'src/domain/session': 'message.ts',
  'src/domain/value': 'json.ts',
  'src/library': 'context.ts',
  'src/model': 'catalog.ts',
  'src/model/http': 'ask-over-http.ts',
  'src/net': 'send.ts',
  'src/report/session': 'report-page.ts',
  'src/runtime/prompt': 'render-system.ts',
  'src/terminal/live': 'live-area.ts',
  'src/store/changes/git': 'repository.ts',
  'src/store/changes/look': 'recorder.ts',
  'src/store/files': 'disk.ts',
  'src/store/memory': 'memories.ts',
  'src/store/search': 'search-store.ts',
  'src/store/session': 'sessions.ts',
  'src/store/snapshot': 'snapshots.ts',
  'src/terminal/markdown': 'render-block.ts',
  'src/terminal/chat': 'chat-port.ts',
  'src/terminal/input': 'keyboard.ts',
  'src/terminal/slash': 'slash-commands.ts',
  'src/terminal/text': 'safe-text.ts',
  'src/tools/command': 'shell.ts',
  'src/tools/command/lost': 'find-irreversible.ts',
  'src/tools/files': 'text-file.ts',
  'src/tools/session': 'todo.ts',
};

const files = sourceFiles();
const filesIn = (folder: string): readonly string[] => files.filter((file) => dirname(file) === folder);
const folders = [...new Set(files.map(dirname))].filter((folder) => filesIn(folder).length > MAX_FILES_WITHOUT_PAGE);

test('each folder opens with a page on what it is for', () =>
  holdsForEach(folders, String, (folder) => {
    const roof = `${folder}/${roofs[folder] ?? `${basename(folder)}.ts`}`;
    expect(filesIn(folder)).toContain(roof);
    const lines = pageOf(parseSource(roof));
    expect(lines.length, `lines of the comment that opens ${roof}`).toBeGreaterThanOrEqual(MIN_PAGE_LINES);
    expect(lines.length, `lines of the comment that opens ${roof}`).toBeLessThanOrEqual(MAX_PAGE_LINES);
  }));

test('each row of the table is a folder that needs it', () => {
  expect(Object.keys(roofs).filter((folder) => !folders.includes(folder) || roofs[folder] === `${basename(folder)}.ts`)).toEqual([]);
});

/** The lines of text in the comment that a file opens with; none when the comment belongs to what follows it. */
function pageOf({ text }: ts.SourceFile): readonly string[] {
  const [comment] = ts.getLeadingCommentRanges(text, 0) ?? [];
  if (comment === undefined || comment.pos !== 0 || !text.startsWith('\n\n', comment.end)) return [];
  const lines = text.slice(comment.pos, comment.end).split('\n');
  return lines.filter((line) => !['', '/**', '*', '*/'].includes(line.trim()));
}
