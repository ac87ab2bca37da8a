import type { Bilingual } from '../../domain/language.ts';
import type { Fields } from '../../domain/value/json.ts';

/** A tool as its server describes it. */
export type McpTool = { readonly name: string; readonly description: string; readonly inputSchema: Fields };

/** An entry of a server's list that is no tool that can be used, and why. Its name is as the server gives it. */
export type LeftOutTool = { readonly name: string; readonly why: Bilingual };

/** A result as its server gave it: blocks of any shape. */
export type McpResult = {
  readonly isError: boolean;
  readonly content: readonly unknown[];
  readonly structured: unknown;
  /** Where its structured part is not what the tool promises. */
  readonly problem?: string | undefined;
};

export type CallLimits = {
  readonly signal: AbortSignal;
  /** Without a word of progress for so long, the call is given up. */
  readonly timeoutMs: number;
  readonly onProgress: (text: string) => void;
};

/** What it lists, an entry at a time: a wrong one takes no other with it. */
export type ToolListing = { readonly tools: readonly McpTool[]; readonly leftOut: readonly LeftOutTool[] };

/** A server that answers. Its functions reject with AbortedError when the signal aborts, and with an Error that says in a line what went wrong. */
export type McpConnection = {
  readonly listTools: (signal: AbortSignal) => Promise<ToolListing>;
  readonly callTool: (name: string, input: Fields, limits: CallLimits) => Promise<McpResult>;
  /** Ends it, and whatever it runs. Never rejects. */
  readonly close: () => Promise<void>;
};

export type ConnectionEvents = {
  /** The server says that its tools are others now. */
  readonly onToolsChanged: () => void;
  /** It is gone, and nobody had asked it to go. */
  readonly onLost: (why: Bilingual) => void;
};

/** Rejects with AbortedError when the signal aborts, and with an Error that says why there is no connection. */
export type Connect = (events: ConnectionEvents, signal: AbortSignal) => Promise<McpConnection>;

/** The definitions that the user has agreed to, kept in the home. */
export type KnownTools = {
  /** Undefined for a server that has never answered. */
  readonly read: () => readonly McpTool[] | undefined;
  /** Throws SanbotError when the disk refuses it. */
  readonly write: (tools: readonly McpTool[]) => void;
};

/** Where a person signs in, and where codes, secrets and tokens are sent for it: what was shown to them, and what they said yes to. */
export type SignInEndpoints = {
  readonly issuer: string;
  readonly authorization: string;
  readonly token: string;
  /** Where SanBot registers itself; a server may have none. */
  readonly registration?: string | undefined;
  /** How the token endpoint wants a program to show who it is. */
  readonly authMethods?: readonly string[] | undefined;
};

/** What a person is asked before anything secret is sent there for the first time, or once it has changed. */
export type SignInQuestion = {
  readonly endpoints: SignInEndpoints;
  /** What was agreed to before, where there was anything. */
  readonly before: SignInEndpoints | undefined;
  /** Whether a secret of the settings goes to the token endpoint. */
  readonly sendsSecret: boolean;
};

/** What signing in to a server gave, as the home keeps it. */
export type SavedSignIn = {
  /** The address that it is for; to no other is it sent. */
  readonly url: string;
  /** The authorization server that gave it, and that renews it. */
  readonly issuer: string;
  /** As agreed to; 0.2.0 and before kept the issuer alone. */
  readonly endpoints?: SignInEndpoints | undefined;
  readonly resource?: string | undefined;
  readonly client: {
    readonly client_id: string;
    readonly client_secret?: string | undefined;
    readonly token_endpoint_auth_method?: string | undefined;
  };
  readonly tokens: {
    readonly access_token: string;
    readonly token_type: string;
    readonly refresh_token?: string | undefined;
    readonly scope?: string | undefined;
  };
};

/** Kept in the home, for its owner alone. `write` and `remove` throw SanbotError when the disk refuses. */
export type SignIns = {
  /** Undefined while the user is not signed in. */
  readonly read: () => SavedSignIn | undefined;
  readonly write: (signIn: SavedSignIn) => void;
  /** False when there was none. */
  readonly remove: () => boolean;
};
