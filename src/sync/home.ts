import { z } from 'zod';

/** Whole lines of one log. `objects`: the hashes of what they refer to. */
export type LogPart = {
  readonly bytes: Buffer;
  readonly first: number;
  readonly last: number;
  readonly objects: readonly string[];
  /** The hashes of objects that its writer has no more. */
  readonly dropped: readonly string[];
  /** How long the versions of files among the objects are together. */
  readonly versionBytes: number;
};

/** Objects by their hashes, as lines that are about to be written refer to them. */
export type Objects = ReadonlyMap<string, Buffer>;

/** `busy`: somebody has the session open. `changed`: it does not end any more where it did. Neither changes anything. */
export type LogAppend = 'appended' | 'busy' | 'changed';

const agreementSchema = z.object({
  /** The segment up to which both have the same; no hash where that is none. */
  chain: z.string(),
  hash: z.string().nullable(),
  seq: z.int().nonnegative(),
  /** Where that is in the log here, and the SHA-256 of the log until there. */
  end: z.int().nonnegative(),
  digest: z.string(),
  /** Which file that was, so that only one that was changed is read again. */
  file: z.string().optional(),
  /** What was purged of it by then. */
  purged: z.string().optional(),
  /** The session was deleted here, and has yet to be there. */
  deleted: z.boolean().optional(),
  /** The session went on elsewhere too, and came here as a fork of which nobody has been told yet. */
  untold: z.object({ of: z.string(), writer: z.string(), first: z.int() }).optional(),
});

/** How far a session and a target agree. */
export type Agreement = Readonly<z.infer<typeof agreementSchema>>;

const agreedSchema = z.object({ logs: z.record(z.string(), agreementSchema), purges: z.array(z.string()).readonly().default([]) });

/** `purges`: what was purged or deleted there, as machines confirm it. */
export type Agreed = Readonly<z.infer<typeof agreedSchema>>;

/** None from what is damaged, or of another version. */
export function parseAgreed(value: unknown): Agreed {
  const parsed = agreedSchema.extend({ v: z.literal(1) }).safeParse(value);
  return parsed.success ? parsed.data : { logs: {}, purges: [] };
}

/** The forks of the last exchange were shown. */
export function forksTold(file: AgreementFile): void {
  const { logs, purges } = parseAgreed(file.read());
  file.write({
    logs: Object.fromEntries(Object.entries(logs).map(([log, agreement]) => [log, { ...agreement, untold: undefined }])),
    purges,
  });
}

export type EndAt = { readonly chain: string; readonly hash: string; readonly seq: number; readonly end: number };

/** Of sessions of which only the end was brought here. */
type HomeEnds = {
  /** Where in the log is what was not brought here yet, and how far it went when it came; undefined for a log that is here as a whole. */
  readonly rest: (log: string) => { readonly from: number; readonly to: number; readonly at: EndAt } | undefined;
  /** Makes a session of its end: its header, and what follows from `to` on in the whole log. The rest stays to be filled in. */
  readonly appendEnd: (
    log: string,
    end: { readonly header: Buffer; readonly tail: Buffer; readonly to: number; readonly at: EndAt; readonly objects: Objects },
  ) => void;
  /** Brings lines that are at `at` in the whole log, as far as they are missing. */
  readonly fill: (log: string, at: number, lines: Buffer, objects: Objects) => void;
  /** Nothing is missing any more. `title`: the last that stands in what was. */
  readonly filled: (log: string, title: string | undefined) => void;
  /** Takes away what is here of a session that ends at `at`, as if it had never been brought: no target hears of it. */
  readonly discard: (log: string, at: number) => 'removed' | 'busy' | 'changed';
};

/** The logs of one home. All of it is on disk when a call returns; throws SanbotErrors. */
export type SyncHome = HomeEnds & {
  /** Names this machine to others. */
  readonly writer: string;
  /** The logs that are here, by the names of their sessions. */
  readonly logs: () => readonly string[];
  /** Whether a session has this name, also one that must not leave. */
  readonly has: (log: string) => boolean;
  /** `file` is another one after any change, also one that leaves the size of the log and its time. */
  readonly stat: (log: string) => { readonly bytes: number; readonly file: string };
  /** Whole lines from a byte on: as many as fit in so many bytes, and at least one. Undefined where there are none. */
  readonly read: (log: string, from: number, maxBytes: number) => LogPart | undefined;
  /** The SHA-256 of the first bytes of a log, without what was not brought here yet; undefined when it is shorter. */
  readonly digest: (log: string, end: number) => string | undefined;
  readonly object: (log: string, sha256: string) => Buffer | undefined;
  /**
   * Adds lines at the end, which must be at `at`; their objects before them. At 0 it makes a session, which says whose fork it is when its
   * name is another than in its header.
   */
  readonly append: (log: string, at: number, lines: Buffer, objects: Objects) => LogAppend;
  /** Deletes a session that ends at `at`. */
  readonly remove: (log: string, at: number) => 'removed' | 'busy' | 'changed';
  /** Takes texts out of the whole home, and first does what a purge that was killed has left. `busy`: something is open. `refused`: our own files could not be read without one. */
  readonly purge: (texts: readonly string[]) => 'obeyed' | 'busy' | 'refused';
};

/** Where it is kept how far the home and one target agree. What is lost of it is found again by comparing. */
export type AgreementFile = { readonly read: () => unknown; readonly write: (agreed: Agreed) => void };
