import { column } from './statement.ts';

/** Rows as parameters of a statement. */
export type Given = {
  /** Text for `from`: the rows, with the alias of their `RowParameters`. */
  sql: string;
  values: unknown[];
  /** Distinguishes the statement's name: its text is another one for a single row. */
  suffix: '' | '_1';
};

export type RowParameters<Row> = {
  /** `after`: the number of the statement's parameters before them. */
  of(rows: readonly Row[], after?: number): Given;
};

/**
 * Rows that a statement gets as an array for each column; `types` are the SQL types of the columns. A single row is given as plain
 * values instead, since Postgres reads them faster than arrays, and plans for one row. `ordinal`: the name of a further column
 * that numbers the rows from 1.
 * docs/decisions/database.md#one-row-is-not-an-array
 */
export function rowParameters<Row extends object>(
  alias: string,
  types: { readonly [Name in keyof Row]?: string },
  { ordinal }: { ordinal?: string } = {},
): RowParameters<Row> {
  const names = Object.keys(types) as (keyof Row & string)[];
  const texts = new Map<string, string>();

  function listOf(isOne: boolean, after: number): string {
    const places = names.map((name, index) => `$${after + index + 1}::${types[name]}`);
    const listed = ordinal === undefined ? names : [...names, ordinal];
    const rows = isOne ? oneRow(places, ordinal) : arrays(places, ordinal);
    return `${rows} as ${alias} (${listed.join(', ')})`;
  }

  return {
    of(rows, after = 0) {
      const [only] = rows.length === 1 ? rows : [];
      const key = `${only !== undefined} ${after}`;
      let sql = texts.get(key);
      if (sql === undefined) texts.set(key, (sql = listOf(only !== undefined, after)));
      const values = names.map((name) => (only ? only[name] : column(rows, name)));
      return { sql, values, suffix: only ? '_1' : '' };
    },
  };
}

function oneRow(places: readonly string[], ordinal?: string): string {
  return `(values (${[...places, ...(ordinal === undefined ? [] : ['1::int8'])].join(', ')}))`;
}

function arrays(places: readonly string[], ordinal?: string): string {
  const columns = places.map((place) => `${place}[]`).join(', ');
  return `unnest(${columns})${ordinal === undefined ? '' : ' with ordinality'}`;
}
