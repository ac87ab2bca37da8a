/** What this conversation works with. */
export type SettingsPort = {
  /** The settings in force whose key begins so, with where each comes from, as a table; empty when there is none. */
  readonly table: (keyPrefix: string, columns: number) => string;
  /** The keys of all settings. */
  readonly keys: () => readonly string[];
  /** The tools that the model of this session is told of. */
  readonly tools: () => readonly SessionToolRow[];
};

export type SessionToolRow = { readonly name: string; readonly description: string };
