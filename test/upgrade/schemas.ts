type Column = { type: string; mayBeNull: boolean; isRequired: boolean };
/** `keys`: what `on conflict` can name. `rules`: what a row has to meet, keys among them. */
type Table = { columns: Map<string, Column>; keys: Set<string>; rules: Set<string> };

const COLUMN = /^ {2}(?<name>\S+) (?<rest>.*)$/;
const KEY =
  /^ {2}(?:constraint \S+ (?<constraint>(?:PRIMARY KEY|UNIQUE) .*)|CREATE (?<index>UNIQUE INDEX .*))$/;
const RULE =
  /^ {2}(?:constraint \S+ (?<constraint>.*)|CREATE (?<definition>(?:UNIQUE INDEX|(?:CONSTRAINT )?TRIGGER) .*))$/;
const OTHER = /^ {2}(?:constraint|CREATE|trigger) /;

/** Tables of a golden schema (`services/<name>/schema.sql`): columns, and the keys that `on conflict` can name. */
function parseSchema(text: string): Map<string, Table> {
  const tables = new Map<string, Table>();
  let table: Table | undefined;
  for (const line of text.split('\n')) {
    const name = /^table (\S+)/.exec(line)?.[1];
    if (name) tables.set(name, (table = { columns: new Map(), keys: new Set(), rules: new Set() }));
    else if (!line.startsWith('  ')) table = undefined;
    if (name || !table) continue;
    const key = KEY.exec(line)?.groups;
    if (key) table.keys.add(key['constraint'] ?? key['index'] ?? '');
    const rule = RULE.exec(line)?.groups;
    if (rule) table.rules.add(rule['constraint'] ?? rule['definition'] ?? '');
    const column = OTHER.test(line) ? undefined : COLUMN.exec(line)?.groups;
    if (column) table.columns.set(column['name'] ?? '', parseColumn(column['rest'] ?? ''));
  }
  return tables;
}

function parseColumn(rest: string): Column {
  const type = rest.replace(/ (?:not null|default|generated)\b.*$/, '');
  const mayBeNull = !/ not null/.test(` ${rest}`);
  return { type, mayBeNull, isRequired: !mayBeNull && !/ (?:default|generated) /.test(` ${rest} `) };
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
    return [...columnBreaks(name, table, later), ...ruleBreaks(name, table, later)];
  });
}

function columnBreaks(name: string, before: Table, later: Table): string[] {
  const changed = [...before.columns].flatMap(([column, { type, mayBeNull, isRequired }]) => {
    const present = later.columns.get(column);
    if (!present) return [`column ${name}.${column} is gone`];
    if (present.type !== type) return [`column ${name}.${column} is ${present.type} instead of ${type}`];
    if (present.mayBeNull && !mayBeNull) return [`column ${name}.${column} may be null now`];
    return present.isRequired && !isRequired ? [`column ${name}.${column} has to be given now`] : [];
  });
  const added = [...later.columns]
    .filter(([column, { isRequired }]) => isRequired && !before.columns.has(column))
    .map(([column]) => `column ${name}.${column} is new, and has no default`);
  return [...changed, ...added];
}

function ruleBreaks(name: string, before: Table, later: Table): string[] {
  const lost = [...before.keys].filter((key) => !later.keys.has(key));
  const added = [...later.rules].filter((rule) => !before.rules.has(rule));
  return [
    ...lost.map((key) => `table ${name} has lost: ${key}`),
    ...added.map((rule) => `table ${name} has a new rule: ${rule}`),
  ];
}
