import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@parley/proto/parley/identity/v1/app_pb';
import { ADMIN } from '../../api/admin.ts';
import { ADMIN_PAGE_ROWS, lastIdOf } from '../../api/next-page.ts';
import type { PagedList } from '../../api/pages.ts';
import { AUDIT_KEY } from '../../api/query-keys.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredPages, NoMatch } from '../../ui/filtered-pages.tsx';
import { Empty } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { textsOf, whoOf } from './entry-texts.ts';

/** The newest first; of all applications without an id, and of one object where its id is given. */
function auditList(appUuid: string, objectId = ''): PagedList<AuditEntry> {
  return {
    queryKey: [...AUDIT_KEY, appUuid, objectId],
    async read(fromId, signal) {
      const request = { appUuid, objectId, pageSize: ADMIN_PAGE_ROWS, fromId };
      const { entries } = await ADMIN.listAuditEntries(request, { signal });
      return { rows: entries, next: lastIdOf(entries), count: undefined };
    },
  };
}

const WHEN: Column<AuditEntry> = {
  id: 'when',
  header: 'When',
  width: '120px',
  cell: ({ createdAt }) => <Time at={createdAt} />,
};
const ACTION: Column<AuditEntry> = {
  id: 'action',
  header: 'Action',
  width: '2fr',
  cell: (entry) => (
    <>
      <code title={entry.method}>{entry.action}</code>
      {entry.count !== undefined && ` × ${entry.count}`}
      <span className="only-narrow cell-note">{whoOf(entry)}</span>
    </>
  ),
};
const TONES: Readonly<Record<string, 'good' | 'bad' | 'waiting' | 'neutral'>> = {
  done: 'good',
  refused: 'waiting',
  failed: 'bad',
};
const OUTCOME: Column<AuditEntry> = {
  id: 'outcome',
  header: 'Outcome',
  width: '110px',
  cell: ({ outcome = 'done', code }) => (
    <Tag tone={TONES[outcome] ?? 'neutral'} title={code}>
      {outcome}
    </Tag>
  ),
};
const ACTOR: Column<AuditEntry> = {
  id: 'actor',
  header: 'Who',
  width: '2fr',
  isWide: true,
  cell: (entry) => <span title={whoOf(entry)}>{whoOf(entry)}</span>,
};
const SUBJECT: Column<AuditEntry> = {
  id: 'subject',
  header: 'Of what',
  width: '2fr',
  isWide: true,
  cell: ({ subject }) => (subject ? <CopyText text={subject} label="Copy the id" /> : '–'),
};
const APPLICATION: Column<AuditEntry> = {
  id: 'app',
  header: 'Application',
  width: '110px',
  isWide: true,
  cell: ({ appUuid }) =>
    appUuid ? (
      <Link to="/apps/$app" params={{ app: appUuid }} className="cell-link">
        {appUuid.slice(-8)}
      </Link>
    ) : (
      '–'
    ),
};
export const COLUMNS_OF_APP = [WHEN, ACTION, OUTCOME, ACTOR, SUBJECT] as const;
export const COLUMNS_OF_ALL = [...COLUMNS_OF_APP, APPLICATION];

type Props = {
  appUuid: string;
  /** Entries about this object alone. */
  objectId?: string;
  columns: readonly Column<AuditEntry>[];
  /** The parameter of the address, where the page has another table. */
  filter?: string;
};

export function AuditTable({ appUuid, objectId, columns, filter }: Props) {
  return (
    <FilteredPages
      label="Audit log"
      what="the audit log"
      list={auditList(appUuid, objectId)}
      columns={columns}
      idOf={({ id }) => id}
      filter={{ name: filter, hint: 'Filter by action, person or id', textsOf }}
      empty={(text) => (text ? <NoMatch icon="audit" title="No entry matches" /> : <NoEntry />)}
    />
  );
}

function NoEntry() {
  return (
    <Empty icon="audit" title="Nothing happened yet">
      Everything that is created, changed or deleted, each sign-in and each refusal leaves an entry here.
    </Empty>
  );
}
