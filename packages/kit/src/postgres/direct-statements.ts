import pg from 'pg';
import { arrayText } from './array-text.ts';
import type { Query } from './connection.ts';

/** The part of the driver's connection that sends statements. */
export type Wire = {
  stream: { cork(): void; uncork(): void; destroy(error?: Error): void };
  parsedStatements: Record<string, string>;
  parse(query: { name: string; text: string; types: number[] }): void;
  bind(query: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  execute(query?: object): void;
  sync(): void;
};

/** The driver's function that encodes values. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

function valueOf(value: unknown): unknown {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return bufferOf(value);
  return prepareValue(Array.isArray(value) ? (arrayText(value) ?? value) : value);
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Statements in the driver's format: prepared by name once per connection, and sent in one piece that ends with one Sync, so that they form
 * one transaction. Column descriptions are not requested: only the first value of the last statement's first row is read.
 */
export class DirectStatements {
  /** The statement being answered, for the driver, which records its name as parsed. */
  name: string | undefined;
  text: string | undefined;
  /** The Sync has been written: the server may commit. */
  isSent = false;
  readonly #statements: readonly Query[];
  readonly #settle: (error: unknown, value: string | null | undefined) => void;
  #done = 0;
  #value: string | null | undefined;
  #isSettled = false;

  constructor(
    statements: readonly Query[],
    settle: (error: unknown, value: string | null | undefined) => void,
  ) {
    this.#statements = statements;
    this.#settle = settle;
  }

  submit(connection: Wire): void {
    const { stream, parsedStatements } = connection;
    const parsed = new Set<string>();
    stream.cork();
    try {
      for (const { name = '', text, values = [] } of this.#statements) {
        if (parsedStatements[name] === undefined && !parsed.has(name))
          connection.parse({ name, text, types: [] });
        parsed.add(name);
        connection.bind({ statement: name, values, valueMapper: valueOf });
        connection.execute();
      }
      connection.sync();
      this.isSent = true;
    } catch (error) {
      // Without the Sync, the messages written so far have no effect.
      stream.destroy();
      this.#end(error);
    } finally {
      stream.uncork();
    }
    this.#show();
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#done === this.#statements.length - 1 && this.#value === undefined) this.#value = fields[0];
  }

  handleCommandComplete(): void {
    this.#done += 1;
    this.#show();
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  /** The transaction is committed. */
  handleReadyForQuery(): void {
    this.#end(undefined);
  }

  handleError(error: unknown): void {
    this.#end(error);
  }

  #end(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(error, this.#value);
  }

  #show(): void {
    const { name, text } = this.#statements[this.#done] ?? {};
    this.name = name;
    this.text = text;
  }
}
