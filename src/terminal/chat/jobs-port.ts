/** The commands that run in the background. */
export type JobsPort = {
  readonly jobs: () => readonly JobLine[];
  /** Ends it and all that it started; false when it still runs. */
  readonly stop: (name: string) => Promise<boolean>;
  /** From now on it goes on when the session is left. */
  readonly keep: (name: string) => void;
};

export type JobLine = {
  readonly name: string;
  readonly command: string;
  readonly status: string;
  readonly isLive: boolean;
  readonly keep: boolean;
  readonly pid: number | undefined;
};
