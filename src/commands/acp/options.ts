import { efforts, isEffort, splitEffort, withEffort } from '../../domain/config/effort.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import { modeTexts, type PermissionMode, permissionModes } from '../../domain/permission.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { groupsOf, pathsOf } from '../../store/files/paths.ts';
import type { NamedModel } from '../../terminal/chat/context-port.ts';
import { modelChoice } from '../../terminal/views/views.ts';
import type { Chat } from '../chat/chat.ts';
import type { Editor } from './editor.ts';
import type { SessionConfigOption, SessionModeState } from './protocol.ts';

const modeNames: Readonly<Record<PermissionMode, Bilingual>> = {
  ask: { en: 'Ask', zh: '询问' },
  'accept-edits': { en: 'Accept edits', zh: '接受编辑' },
  plan: { en: 'Plan', zh: '计划' },
  'read-only': { en: 'Read only', zh: '只读' },
  bypass: { en: 'Bypass', zh: '绕过' },
};

const DEFAULT_EFFORT = 'default';
const categories = { mode: 'mode', model: 'model', effort: 'thought_level', group: '_group' } as const;

type Value = { readonly value: string; readonly name: string; readonly description?: string | null };
type OptionParts = { readonly chat: Chat; readonly runtime: Runtime; readonly editor: Editor };

/** What of a session can be chosen in an editor: the same that its own commands change. */
export function createOptions({ chat, runtime, editor }: OptionParts) {
  let models: readonly NamedModel[] = [{ name: chat.model.current().name, isCurrent: true, windowTokens: undefined }];
  const modeNow = (): PermissionMode => chat.conversation().deps.person.mode;
  const told = { mode: modeNow(), options: '' };
  const modes = (): SessionModeState => ({
    currentModeId: modeNow(),
    availableModes: permissionModes
      .filter((mode) => mode === modeNow() || (mode !== 'bypass' && (mode !== 'accept-edits' || runtime.trustsFolder)))
      .map((id) => ({ id, name: localize(modeNames[id]), description: localize(modeTexts[id]) })),
  });
  /** Those to choose from: the session's own alone, once something was said in it. */
  const groups = (): readonly string[] => {
    const { session, resumed } = chat.conversation();
    const isFixed = resumed || session.context.messages.length > 0;
    return isFixed ? [session.group] : [...new Set([session.group, ...groupsOf(pathsOf(runtime.home))])];
  };
  const all = (): SessionConfigOption[] => optionList({ chat, models, modes: modes(), groups: groups() });
  /** Tells the editor what has changed since it was last told. */
  const tell = (): void => {
    const [mode, configOptions] = [modeNow(), all()];
    const options = JSON.stringify(configOptions);
    if (mode !== told.mode) void editor.send({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    if (options !== told.options) void editor.send({ sessionUpdate: 'config_option_update', configOptions });
    Object.assign(told, { mode, options });
  };
  return {
    ...{ modes, tell },
    /** As an answer has them. */
    all: (): SessionConfigOption[] => {
      const options = all();
      told.options = JSON.stringify(options);
      return options;
    },
    setMode: (id: string): void => {
      changeMode(id, chat);
      tell();
    },
    /** Throws usage for what is no option or no value of one. */
    set: async (id: string, value: string, signal: AbortSignal): Promise<SessionConfigOption[]> => {
      if (id === 'group' && groups().includes(value)) await chat.changeGroup(value);
      else await change(id, value, chat, signal);
      tell();
      return all();
    },
    /** Asks the endpoints what they have, in bounded time. */
    learnModels: async (): Promise<void> => {
      models = await chat.model.choices(new AbortController().signal);
      tell();
    },
  };
}

function changeMode(id: string, { permissions }: Chat): void {
  const mode = permissionModes.find((each) => each === id);
  if (mode === undefined) throw noSuchValue('mode', id);
  permissions.changeMode(mode);
}

async function change(id: string, value: string, chat: Chat, signal: AbortSignal): Promise<void> {
  const { name } = chat.model.current();
  if (id === 'mode') changeMode(value, chat);
  else if (id === 'model') await chat.model.change(withEffort(value, undefined, value, name), signal);
  else if (id === 'effort' && (isEffort(value) || value === DEFAULT_EFFORT))
    await chat.model.change(withEffort(splitEffort(name).name, isEffort(value) ? value : undefined), signal);
  else throw noSuchValue(id, value);
}

type ListParts = {
  readonly chat: Chat;
  readonly models: readonly NamedModel[];
  readonly modes: SessionModeState;
  readonly groups: readonly string[];
};

function optionList({ chat, models, modes, groups }: ListParts): SessionConfigOption[] {
  const { name, takesEffort } = chat.model.current();
  const { name: model, effort = DEFAULT_EFFORT } = splitEffort(name);
  const select = (id: keyof typeof categories, label: Bilingual, currentValue: string, options: Value[]): SessionConfigOption => ({
    ...{ id, name: localize(label), type: 'select', currentValue, options },
    category: categories[id],
  });
  const named = (values: readonly string[]): Value[] => values.map((value) => ({ value, name: value }));
  const listed = models.map((one) => ({ value: splitEffort(one.name).name, name: modelChoice({ ...one, isCurrent: false }) }));
  const modeValues = modes.availableModes.map(({ id, ...mode }) => ({ value: id, ...mode }));
  return [
    select('mode', { en: 'Permissions', zh: '权限' }, modes.currentModeId, modeValues),
    select(
      'model',
      { en: 'Model', zh: '模型' },
      model,
      listed.some(({ value }) => value === model) ? listed : [...named([model]), ...listed],
    ),
    ...(takesEffort === false ? [] : [select('effort', { en: 'Effort', zh: '思考力度' }, effort, named([DEFAULT_EFFORT, ...efforts]))]),
    select('group', { en: 'Group', zh: '组' }, chat.conversation().session.group, named(groups)),
  ];
}

const noSuchValue = (option: string, value: string): SanbotError =>
  new SanbotError('usage', {
    en: `There is no value ${JSON.stringify(value)} for the option ${JSON.stringify(option)}`,
    zh: `选项 ${JSON.stringify(option)} 没有值 ${JSON.stringify(value)}`,
  });
