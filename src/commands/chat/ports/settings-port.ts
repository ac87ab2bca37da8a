import type { Settings } from '../../../runtime/settings.ts';
import type { SettingsPort } from '../../../terminal/chat/settings-port.ts';
import { configTable, effectiveSettings } from '../../config/config-table.ts';
import type { Current } from './current.ts';

export const createSettingsPort = ({ conversation }: Current, settings: Settings): SettingsPort => ({
  table: (keyPrefix, columns) => configTable(settings, { columns, keyPrefix }),
  keys: () => effectiveSettings(settings).map(({ key }) => key),
  tools: () => conversation().session.context.tools,
});
