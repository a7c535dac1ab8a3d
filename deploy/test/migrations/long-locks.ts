import type {
  AlterTableCmd,
  AlterTableStmt,
  ColumnDef,
  Constraint,
  IndexStmt,
  Node,
  RangeVar,
} from '@pgsql/types';
import { parse } from 'libpg-query';

export type Migration = { name: string; text: string };

/** Tables as the migrations find them: the names of partitioned tables, and of those that the migrations create and that are therefore empty. */
export type Tables = { partitioned: ReadonlySet<string>; created: ReadonlySet<string> };

/** Changes of a table that end at once, however many rows it has. All others are taken for long. */
const BRIEF_CHANGES = new Set<AlterTableCmd['subtype']>([
  'AT_ColumnDefault',
  'AT_DropColumn',
  'AT_DropConstraint',
  'AT_DropNotNull',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStatistics',
  'AT_SetStorage',
]);

/** Statements that lock no table that is there, or for a moment only. All others are taken for long. */
const BRIEF_STATEMENTS = new Set([
  'AlterSeqStmt',
  'CommentStmt',
  'CreateDomainStmt',
  'CreateEnumStmt',
  'CreateExtensionStmt',
  'CreateFunctionStmt',
  'CreateSeqStmt',
  'CreateStmt',
  'CreateTrigStmt',
  'DropStmt',
  'RenameStmt',
  'ViewStmt',
]);

const CHANGES_OF_ROWS = ['UpdateStmt', 'DeleteStmt', 'MergeStmt'];
const WITHOUT_TRANSACTION = /^-- no transaction$/m;

/** The tables that migrations create. */
export async function listCreated(migrations: readonly Migration[]): Promise<string[]> {
  const statements = await Promise.all(migrations.map(({ text }) => read(text)));
  return statements
    .flat()
    .flatMap((node) => ('CreateStmt' in node ? [nameOf(node.CreateStmt.relation)] : []));
}

/**
 * Sentences of why writes of a running platform would wait for a migration for longer than a moment; none when they would not. A lock
 * is held until the end of its transaction, so a brief one is long too before a statement that reads a table.
 */
export async function findLongLocks({ text }: Migration, tables: Tables): Promise<string[]> {
  const nodes = await read(text);
  if (WITHOUT_TRANSACTION.test(text))
    return nodes.flatMap((node) =>
      isConcurrent(node)
        ? []
        : [`${kindOf(node)} waits for its lock without a limit, since there is no transaction`],
    );
  const locks = nodes.some((node) => locksExisting(node, tables));
  return nodes.flatMap((node) => judge(node, tables, locks));
}

const COMPLETES = /^-- complete index (\w+)$/gm;

/** Sentences of indexes that new partitions get, and that no migration gives to those that are there. */
export async function findUncompleted(migrations: readonly Migration[], tables: Tables): Promise<string[]> {
  const completed = new Set(
    migrations.flatMap(({ text }) => [...text.matchAll(COMPLETES)].map(([, index]) => index)),
  );
  const found = migrations.map(async ({ name, text }) =>
    (await read(text)).flatMap((node) => {
      if (!('IndexStmt' in node) || !isOfParentAlone(node.IndexStmt, tables)) return [];
      const { idxname } = node.IndexStmt;
      return completed.has(idxname)
        ? []
        : [
            `${name}: partitions that are there do not get ${idxname}: "-- complete index ${idxname}" is missing`,
          ];
    }),
  );
  return (await Promise.all(found)).flat();
}

async function read(text: string): Promise<Node[]> {
  const { stmts = [] } = await parse(text);
  return stmts.flatMap(({ stmt }) => (stmt ? [stmt] : []));
}

const nameOf = (relation: RangeVar | undefined): string => relation?.relname ?? '';
const kindOf = (node: Node): string => Object.keys(node)[0] ?? '';

function isConcurrent(node: Node): boolean {
  if ('IndexStmt' in node) return node.IndexStmt.concurrent === true;
  return 'DropStmt' in node && node.DropStmt.concurrent === true;
}

/** Whether the statement locks out writes of an existing table, if only for a moment. */
function locksExisting(node: Node, { created }: Tables): boolean {
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [] } = node.AlterTableStmt;
    const isLock = (cmd: Node) =>
      !('AlterTableCmd' in cmd) || cmd.AlterTableCmd.subtype !== 'AT_ValidateConstraint';
    return !created.has(nameOf(relation)) && cmds.some(isLock);
  }
  if ('CreateTrigStmt' in node) return !created.has(nameOf(node.CreateTrigStmt.relation));
  return 'IndexStmt' in node && !created.has(nameOf(node.IndexStmt.relation));
}

function judge(node: Node, tables: Tables, locks: boolean): string[] {
  const kind = kindOf(node);
  if ('IndexStmt' in node) return judgeIndex(node.IndexStmt, tables);
  if ('AlterTableStmt' in node) return judgeChanges(node.AlterTableStmt, tables, locks);
  if ('InsertStmt' in node) {
    const reads = JSON.stringify(node.InsertStmt.selectStmt ?? {}).includes('"fromClause"');
    return locks && reads ? ['InsertStmt reads tables while others are locked'] : [];
  }
  if (CHANGES_OF_ROWS.includes(kind)) {
    const { relation } = Object.values(node)[0] as { relation?: RangeVar };
    return tables.created.has(nameOf(relation))
      ? []
      : [`${kind} locks rows of ${nameOf(relation)} until the commit`];
  }
  return BRIEF_STATEMENTS.has(kind) ? [] : [`${kind} may lock for long`];
}

/** Then it is an entry of the catalog: no partition is read, and none is locked. */
function isOfParentAlone({ relation }: IndexStmt, { partitioned }: Tables): boolean {
  return relation?.inh !== true && partitioned.has(nameOf(relation));
}

function judgeIndex(statement: IndexStmt, tables: Tables): string[] {
  const { relation, concurrent } = statement;
  const table = nameOf(relation);
  if (tables.created.has(table) || isOfParentAlone(statement, tables)) return [];
  return concurrent
    ? [`the index on ${table} needs the line "-- no transaction"`]
    : [`an index on ${table} that is not created concurrently stops writes while it is built`];
}

function judgeChanges(
  { relation, cmds = [] }: AlterTableStmt,
  { created }: Tables,
  locks: boolean,
): string[] {
  const table = nameOf(relation);
  if (created.has(table)) return [];
  return cmds
    .flatMap((cmd) => ('AlterTableCmd' in cmd ? [cmd.AlterTableCmd] : []))
    .filter((cmd) => !isBrief(cmd, locks))
    .map(
      ({ subtype, name }) => `${subtype} of ${table}${name ? `.${name}` : ''} reads or rewrites the table`,
    );
}

function isBrief({ subtype, def }: AlterTableCmd, locks: boolean): boolean {
  if (subtype === 'AT_AddColumn')
    return def !== undefined && 'ColumnDef' in def && isBriefColumn(def.ColumnDef);
  if (subtype === 'AT_AddConstraint')
    return def !== undefined && 'Constraint' in def && isBriefConstraint(def.Constraint);
  // It locks out no writes by itself; a lock that the same transaction took before does.
  if (subtype === 'AT_ValidateConstraint') return !locks;
  return BRIEF_CHANGES.has(subtype);
}

/** The rows that are there get a constant; a volatile default, a key or a check would be written or proved for each. */
function isBriefColumn({ constraints = [], typeName }: ColumnDef): boolean {
  if (/serial/.test(JSON.stringify(typeName ?? {}))) return false;
  return constraints.every((one) => {
    if (!('Constraint' in one)) return false;
    const { contype, raw_expr } = one.Constraint;
    if (contype === 'CONSTR_NOTNULL' || contype === 'CONSTR_NULL') return true;
    return contype === 'CONSTR_DEFAULT' && !callsVolatile(raw_expr);
  });
}

/** `now()` is the same in the whole transaction; every other function is taken for volatile. */
function callsVolatile(expression: Node | undefined): boolean {
  const calls = JSON.stringify(expression ?? {}).matchAll(/"funcname":(\[.*?\])/g);
  return [...calls].some(([, names]) => !/"sval":"now"\}\}\]$/.test(names ?? ''));
}

function isBriefConstraint({ contype, skip_validation, indexname }: Constraint): boolean {
  if (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN') return skip_validation === true;
  return (contype === 'CONSTR_UNIQUE' || contype === 'CONSTR_PRIMARY') && Boolean(indexname);
}
