import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../../../../src/domain/language.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';
import { type AgentRow, agentsText } from '../../../../src/terminal/views/agents-text.ts';

afterEach(() => setLanguage('en'));

const reviewer: AgentRow = {
  ...{
    name: 'reviewer',
    description: 'Use it after changes: it lists what is wrong, the worst first, and changes nothing.',
    source: 'project',
  },
  ...{ path: '.claude/agents/reviewer.md', tools: ['read_file', 'search', 'run_command'], model: 'haiku', effort: 'low' },
  ...{ mode: 'plan', worktree: true },
};
const 翻译: AgentRow = {
  ...reviewer,
  name: '翻译',
  description: '把文档翻译成中文\u001b[2J',
  source: 'user',
  path: '~/.sanbot/agents/翻译.md',
  mode: undefined,
};
const wrong = {
  en: '.claude/agents/broken.md: line 2 of its front matter cannot be read; put the text in quotes',
  zh: '.claude/agents/broken.md：无法读取',
};

test.each([40, 80, 200])(
  'agents fit into %i columns, in both languages, with all that is said of them, and what is wrong once',
  (columns) => {
    for (const language of ['en', 'zh'] as const) {
      setLanguage(language);
      const text = agentsText([reviewer, 翻译], [wrong], columns);
      const rows = text.trimEnd().split('\n');
      expect(rows.filter((row) => textWidth(row) > columns)).toEqual([]);
      const whole = text.replace(/\s+/g, '');
      for (const part of ['@agent-reviewer', '@agent-翻译', '.claude/agents/reviewer.md', 'changesnothing.', 'haiku', 'run_command'])
        expect(whole).toContain(part);
      expect(whole.split('broken.md')).toHaveLength(2);
      expect(text).not.toContain('\u001b');
    }
  },
);
