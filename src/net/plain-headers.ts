type Pairs = Iterable<readonly [string, string]>;

/**
 * The headers of a request, as the platform's own class has them, which is loaded with fetch. The bundle gives it to the library that asks
 * the Messages API (build/bundle.mjs). What no header can hold is refused where it is sent.
 */
export class PlainHeaders {
  readonly #values = new Map<string, string>();

  constructor(init: Pairs | Readonly<Record<string, string>> = []) {
    for (const [name, value] of Symbol.iterator in init ? init : Object.entries(init)) this.append(name, value);
  }

  append(name: string, value: string): void {
    const earlier = this.get(name);
    this.#values.set(name.toLowerCase(), earlier === null ? trimmed(value) : `${earlier}, ${trimmed(value)}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), trimmed(value));
  }

  forEach(visit: (value: string, name: string, headers: PlainHeaders) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this);
  }

  /** In the order of their names. */
  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  keys(): IterableIterator<string> {
    return [...this.entries()].map(([name]) => name).values();
  }

  values(): IterableIterator<string> {
    return [...this.entries()].map(([, value]) => value).values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

const trimmed = (value: string): string => String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
