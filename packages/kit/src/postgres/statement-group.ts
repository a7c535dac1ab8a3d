import pg from 'pg';
import { VALUE_TYPES } from './values.ts';
import type { Query } from './connection.ts';

/** Methods that the driver calls during a query but omits from its types. */
type Handlers = {
  name?: string | undefined;
  text?: string | undefined;
  submit(connection: Wire): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleReadyForQuery(connection: Wire): void;
  handleError(error: unknown, connection: Wire): void;
};

/** The driver's connection. */
type Wire = {
  stream: { cork(): void; uncork(): void; destroy(error: Error): void };
  sync(): void;
  describe(): void;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
};

/**
 * Column descriptions of a connection's prepared statements, by name; null: no columns. They are requested once, since Postgres refuses to
 * run a prepared statement whose columns have changed.
 */
type Columns = Map<string, unknown>;

/** Interfaces through which groups use a connection: one without Sync, and one without Describe, too. */
type Views = { columns: Columns; unsynced: Wire; undescribed: Wire };

const VIEWS = new WeakMap<Wire, Views>();

type DriverQuery = new (
  config: object,
  values?: unknown,
  callback?: (error: unknown, result: pg.QueryResult) => void,
) => Handlers;

const DriverQuery = pg.Query as unknown as DriverQuery;

/**
 * Statements of a transaction that are sent together with one Sync at the end: the server answers all of them at once, which wakes this
 * process once. When one fails, the server skips the later ones, which fail with its error.
 */
export class StatementGroup extends DriverQuery {
  readonly #statements: Handlers[] = [];
  /** Number of statements that the server has completed. */
  #done = 0;
  /** Whether the columns of the current statement's answer have arrived. */
  #hasColumns = false;
  #columns: Columns = new Map();
  #hasFailed = false;
  /** For a group that is a whole transaction: its `begin`, which is not sent, and the promise of the commit. */
  #transaction: { begin: Handlers | undefined; end: PromiseWithResolvers<void> } | undefined;
  readonly #count: () => void;

  /** `count` is called for each statement that is sent. */
  constructor(count: () => void) {
    super({ text: '' });
    this.#count = count;
  }

  add(query: Query): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const config = { ...query, types: VALUE_TYPES, queryMode: 'extended' };
      const settle = (error: unknown, result: pg.QueryResult): void => {
        if (!error) return resolve(result);
        this.#hasFailed = true;
        reject(error as Error);
      };
      this.#statements.push(new DriverQuery(config, undefined, settle));
    });
  }

  /**
   * Makes the group one transaction of the server's own, which begins with its first statement and is committed at the Sync: no
   * `begin`, which was added first, is sent, and no `commit`. Resolves when the transaction is committed.
   */
  commitAtEnd(): Promise<void> {
    return this.#endAsTransaction(this.#statements.shift());
  }

  /** Makes a group without a `begin` one transaction in the same way. */
  commitAll(): Promise<void> {
    return this.#endAsTransaction(undefined);
  }

  #endAsTransaction(begin: Handlers | undefined): Promise<void> {
    const end = Promise.withResolvers<void>();
    this.#transaction = { begin, end };
    return end.promise;
  }

  override submit(connection: Wire): null {
    const { columns, unsynced, undescribed } = viewsOf(connection);
    this.#columns = columns;
    connection.stream.cork();
    try {
      for (const statement of this.#statements) {
        const isKnown = this.#columns.has(statement.name ?? '');
        this.#count();
        const fault = statement.submit(isKnown ? undescribed : unsynced);
        if (fault) statement.handleError(fault, connection);
        // A value that cannot be encoded: later statements, such as the commit, must not take effect without this one.
        if (this.#hasFailed) return this.#abandon(connection);
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    this.#show();
    return null;
  }

  override handleRowDescription(message: unknown): void {
    this.#hasColumns = true;
    if (this.name) this.#columns.set(this.name, message);
    this.#current?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#hasColumns) this.handleRowDescription(this.#columns.get(this.name ?? ''));
    this.#current?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.name && !this.#hasColumns && !this.#columns.has(this.name)) this.#columns.set(this.name, null);
    this.#current?.handleCommandComplete(message, connection);
    this.#done += 1;
    this.#hasColumns = false;
    this.#show();
  }

  override handleReadyForQuery(connection: Wire): void {
    this.#transaction?.begin?.handleReadyForQuery(connection);
    for (const statement of this.#statements) statement.handleReadyForQuery(connection);
    this.#transaction?.end.resolve();
  }

  override handleError(error: unknown, connection: Wire): void {
    this.#transaction?.begin?.handleReadyForQuery(connection);
    for (const statement of this.#statements.splice(0, this.#done)) statement.handleReadyForQuery(connection);
    for (const statement of this.#statements.splice(0)) {
      // The statement was not parsed either.
      if (statement.name && connection.parsedStatements[statement.name] === undefined)
        delete connection.submittedNamedStatements[statement.name];
      statement.handleError(error, connection);
    }
    this.#transaction?.end.reject(error);
  }

  #abandon(connection: Wire): null {
    connection.stream.destroy(new Error('a statement could not be sent'));
    return null;
  }

  get #current(): Handlers | undefined {
    return this.#statements[this.#done];
  }

  // The driver records the statement with this name as parsed.
  #show(): void {
    this.name = this.#current?.name;
    this.text = this.#current?.text;
  }
}

function ignore(): void {}

function viewsOf(connection: Wire): Views {
  let views = VIEWS.get(connection);
  if (!views) {
    const unsynced = Object.create(connection, { sync: { value: ignore } }) as Wire;
    const undescribed = Object.create(unsynced, { describe: { value: ignore } }) as Wire;
    VIEWS.set(connection, (views = { columns: new Map(), unsynced, undescribed }));
  }
  return views;
}
