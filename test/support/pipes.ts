import { Socket } from 'node:net';
import type { ReadStream, WriteStream } from 'node:tty';

/** Standard input as a pipe from which this text comes, then its end. Like a real pipe it has nothing of a terminal, whatever its type says. */
export class InputPipe extends Socket {
  declare readonly isTTY: boolean;
  declare readonly isRaw: boolean;
  declare readonly setRawMode: ReadStream['setRawMode'];
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override _read(): void {
    if (this.#text !== '') this.push(Buffer.from(this.#text));
    this.push(null);
  }
}

/** Standard input as a pipe that stays open: what is sent comes at once. */
export class LiveInput extends InputPipe {
  constructor() {
    super('');
  }

  override _read(): void {
    // Comes when it is sent.
  }

  send(piece: Uint8Array | string): void {
    if (!this.destroyed && !this.readableEnded) this.push(Buffer.from(piece));
  }

  close(): void {
    if (!this.destroyed) this.push(null);
  }
}

/** Standard output or standard error as a pipe that keeps what is written. */
export class OutputPipe extends Socket {
  declare readonly isTTY: boolean;
  declare readonly columns: number;
  declare readonly rows: number;
  declare readonly clearLine: WriteStream['clearLine'];
  declare readonly clearScreenDown: WriteStream['clearScreenDown'];
  declare readonly cursorTo: WriteStream['cursorTo'];
  declare readonly moveCursor: WriteStream['moveCursor'];
  declare readonly getColorDepth: WriteStream['getColorDepth'];
  declare readonly hasColors: WriteStream['hasColors'];
  declare readonly getWindowSize: WriteStream['getWindowSize'];
  readonly #pieces: Buffer[] = [];
  readonly #hear: (piece: Buffer) => void;

  constructor(hear: (piece: Buffer) => void = () => undefined) {
    super();
    this.#hear = hear;
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  override _write(piece: Buffer | string, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece, encoding) : piece;
    this.#pieces.push(bytes);
    this.#hear(bytes);
    done();
  }

  override _writev(pieces: readonly { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of pieces) this._write(chunk, encoding, () => undefined);
    done();
  }
}
