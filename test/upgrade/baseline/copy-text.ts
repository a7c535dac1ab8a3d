const NULL = String.raw`\N`;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const CHARACTERS: Record<string, string> = { t: '\t', n: '\n', r: '\r' };

/** Values as Postgres writes them; null is no value. */
export type Row = readonly (string | null)[];

/** Rows in the text format of COPY, which `psql` reads too: a line each. */
export function formatRows(rows: readonly Row[]): string {
  const write = (value: string | null): string =>
    value === null ? NULL : value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
  return rows.map((row) => `${row.map(write).join('\t')}\n`).join('');
}

/** The rows of a text in the format of COPY. */
export function parseRows(text: string): Row[] {
  const read = (value: string): string | null =>
    value === NULL ? null : value.replaceAll(/\\(.)/g, (_, letter: string) => CHARACTERS[letter] ?? letter);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map(read));
}
