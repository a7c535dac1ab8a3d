type Column = { type: string; isRequired: boolean };
type Table = { columns: Map<string, Column>; keys: Set<string> };

const COLUMN = /^ {2}(?<name>\S+) (?<rest>.*)$/;
const KEY =
  /^ {2}(?:constraint \S+ (?<constraint>(?:PRIMARY KEY|UNIQUE) .*)|CREATE (?<index>UNIQUE INDEX .*))$/;
const OTHER = /^ {2}(?:constraint|CREATE|trigger) /;

/** Tables of a golden schema (`services/<name>/schema.sql`): columns, and the keys that `on conflict` can name. */
function parseSchema(text: string): Map<string, Table> {
  const tables = new Map<string, Table>();
  let table: Table | undefined;
  for (const line of text.split('\n')) {
    const name = /^table (\S+)/.exec(line)?.[1];
    if (name) tables.set(name, (table = { columns: new Map(), keys: new Set() }));
    else if (!line.startsWith('  ')) table = undefined;
    if (name || !table) continue;
    const key = KEY.exec(line)?.groups;
    if (key) table.keys.add(key['constraint'] ?? key['index'] ?? '');
    const column = OTHER.test(line) ? undefined : COLUMN.exec(line)?.groups;
    if (column) table.columns.set(column['name'] ?? '', parseColumn(column['rest'] ?? ''));
  }
  return tables;
}

function parseColumn(rest: string): Column {
  const type = rest.replace(/ (?:not null|default|generated)\b.*$/, '');
  return { type, isRequired: / not null/.test(` ${rest}`) && !/ (?:default|generated) /.test(` ${rest} `) };
}

/**
 * Sentences of why processes of a release cannot work with a later schema; none when they can. What they read and write has
 * to stay as it is, and they leave out every column that is new.
 */
export function findBreaks(released: string, present: string): string[] {
  const now = parseSchema(present);
  return [...parseSchema(released)].flatMap(([name, table]) => {
    const later = now.get(name);
    if (!later) return [`table ${name} is gone`];
    return [...columnBreaks(name, table, later), ...keyBreaks(name, table, later)];
  });
}

function columnBreaks(name: string, before: Table, later: Table): string[] {
  const changed = [...before.columns].flatMap(([column, { type, isRequired }]) => {
    const present = later.columns.get(column);
    if (!present) return [`column ${name}.${column} is gone`];
    if (present.type !== type) return [`column ${name}.${column} is ${present.type} instead of ${type}`];
    return present.isRequired && !isRequired ? [`column ${name}.${column} has to be given now`] : [];
  });
  const added = [...later.columns]
    .filter(([column, { isRequired }]) => isRequired && !before.columns.has(column))
    .map(([column]) => `column ${name}.${column} is new, and has no default`);
  return [...changed, ...added];
}

function keyBreaks(name: string, before: Table, later: Table): string[] {
  return [...before.keys]
    .filter((key) => !later.keys.has(key))
    .map((key) => `table ${name} has lost: ${key}`);
}
