import { z } from 'zod';
import { efforts, isEffort } from '../config/effort.ts';
import { modeNamed, ownToolName, sdkModes } from '../hook/sdk-tools.ts';
import { type Bilingual, isBilingual, sameInBoth } from '../language.ts';
import { permissionModes, toolNames } from '../permission.ts';
import { MCP_PREFIX } from '../session/called-tool.ts';
import { type FrontMatterBudget, isOwnName, readFields } from '../session/skill-front-matter.ts';
import type { AgentFile } from './agent.ts';

/** `notes`: what of it does not count; the rest does. */
type ReadAgent = { readonly agent: Omit<AgentFile, 'source' | 'path'>; readonly notes: readonly Bilingual[] };

const text = z.string().trim().min(1);
const names = z.union([z.string(), z.array(z.string())]);
const fieldsSchema = z.looseObject({
  name: text.optional(),
  description: text,
  tools: names.nullish(),
  disallowedTools: names.nullish(),
  model: text.nullish(),
  effort: text.nullish(),
  permissionMode: text.nullish(),
  maxTurns: z.int().positive().nullish(),
  worktree: z.boolean().nullish(),
  isolation: text.nullish(),
});

/** An agent's file, in the form that Claude Code has as well; a text says what is wrong, and what is right there. */
export function readAgentFile(content: string, fileName: string, budget: FrontMatterBudget): ReadAgent | Bilingual {
  const read = readFields(content, budget);
  if (isBilingual(read)) return read;
  const parsed = fieldsSchema.safeParse(read.fields);
  if (!parsed.success) return wrongField(String(parsed.error.issues[0]?.path[0] ?? ''));
  const { name = fileName, description, model, permissionMode, maxTurns, ...rest } = parsed.data;
  // A level that Claude Code has below its max.
  const effort = rest.effort === 'xhigh' ? 'max' : rest.effort;
  if (!isOwnName(name)) return oneOf('name', name, ['letters, digits, - and _ (64 at most)']);
  if (read.body === '')
    return { en: 'there is no text below its front matter: that is its prompt', zh: 'front matter 之下没有文字：那是它的提示词' };
  if (effort != null && !isEffort(effort)) return oneOf('effort', effort, efforts);
  const mode = permissionMode == null ? undefined : modeNamed(permissionMode);
  if (permissionMode != null && mode === undefined)
    return oneOf('permissionMode', permissionMode, [...permissionModes, ...Object.values(sdkModes)]);
  const denied = toolsIn(rest.disallowedTools).tools;
  const { tools, unknown } = toolsIn(rest.tools);
  const all = rest.tools == null || tools.includes('*') ? (denied.length === 0 ? undefined : toolNames) : tools;
  return {
    agent: {
      name,
      description: description.replace(/\s+/g, ' ').toWellFormed(),
      tools: all?.filter((tool) => !denied.includes(tool)),
      model: model == null || model === 'inherit' ? undefined : model,
      effort: effort ?? undefined,
      mode,
      maxSteps: maxTurns ?? undefined,
      worktree: rest.worktree === true || rest.isolation === 'worktree',
      prompt: read.body,
    },
    notes: unknown.length === 0 ? [] : [unknownTools(unknown)],
  };
}

/** The tools of a list, which may be one text with commas; what stands in brackets behind a name cannot be kept, so the name is not taken. */
function toolsIn(list: string | readonly string[] | null | undefined): {
  readonly tools: readonly string[];
  readonly unknown: readonly string[];
} {
  const words = (typeof list === 'string' ? (list.match(/[^,\s(]+(?:\([^)]*\))?/g) ?? []) : (list ?? [])).map((word) => word.trim());
  const isKnown = (word: string): boolean => word === '*' || toolNames.includes(ownToolName(word)) || word.startsWith(MCP_PREFIX);
  return { tools: [...new Set(words.filter(isKnown).map(ownToolName))], unknown: words.filter((word) => !isKnown(word)) };
}

const MAX_SHOWN = 60;
const shown = (word: string): string => JSON.stringify(word.slice(0, MAX_SHOWN).toWellFormed());

const unknownTools = (words: readonly string[]): Bilingual => {
  const list = words.slice(0, 5).map(shown);
  return {
    en: `tools without ${list.join(', ')}: there ${list.length === 1 ? 'is no such tool' : 'are no such tools'} to give; sanbot agents --help names them`,
    zh: `tools 不含 ${list.join('、')}：没有可给的此类工具；sanbot agents --help 列出可用的`,
  };
};

const oneOf = (field: string, word: string, right: readonly string[]): Bilingual => ({
  en: `its ${field} is ${shown(word)}; write ${[...new Set(right)].join(', ')}`,
  zh: `${field} 为 ${shown(word)}；应写 ${[...new Set(right)].join('、')}`,
});

const FORMS: Readonly<Record<string, Bilingual>> = {
  tools: { en: 'names separated by commas, or a list', zh: '以逗号分隔的名称，或列表' },
  disallowedTools: { en: 'names separated by commas, or a list', zh: '以逗号分隔的名称，或列表' },
  worktree: { en: 'true or false', zh: 'true 或 false' },
  maxTurns: { en: 'a whole number from 1', zh: '不小于 1 的整数' },
  effort: sameInBoth(efforts.join(', ')),
};

function wrongField(field: string): Bilingual {
  // No field is wrong where it is no table of them.
  if (field === 'description' || field === '')
    return { en: 'its front matter has no description: write when to use it', zh: 'front matter 中没有 description：请写明何时使用' };
  const form = FORMS[field] ?? { en: 'one text', zh: '一段文字' };
  return { en: `its ${field} cannot be read; write ${form.en}`, zh: `无法读取 ${field}；应写${form.zh}` };
}
