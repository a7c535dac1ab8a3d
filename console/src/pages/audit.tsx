import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '@parley/proto/parley/identity/v1/app_pb';
import { auditQuery } from '../api/queries.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Empty, Loaded, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';
import { pagesOf } from '../ui/pages-of.ts';

const WHEN: Column<AuditEntry> = {
  id: 'when',
  header: 'When',
  width: '130px',
  cell: ({ createdAt }) => <Time at={createdAt} />,
};
const ACTION: Column<AuditEntry> = {
  id: 'action',
  header: 'Action',
  width: '2fr',
  cell: ({ action }) => <code>{action}</code>,
};
const ACTOR: Column<AuditEntry> = {
  id: 'actor',
  header: 'Who',
  width: '2fr',
  isWide: true,
  cell: ({ actor }) => <span title={actor}>{actor}</span>,
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
export const COLUMNS_OF_APP = [WHEN, ACTION, ACTOR, SUBJECT] as const;
const COLUMNS = [...COLUMNS_OF_APP, APPLICATION];

export function AuditPage() {
  const { q = '' } = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const filter = (text: string) => void navigate({ search: { q: text || undefined }, replace: true });
  return (
    <Page title="Audit log" about="What administrators and the platform did, in all applications.">
      <AuditTable appUuid="" columns={COLUMNS} text={q} filter={filter} />
    </Page>
  );
}

export function AuditTable({
  appUuid,
  columns,
  text,
  filter,
}: {
  appUuid: string;
  columns: readonly Column<AuditEntry>[];
  text: string;
  filter: (text: string) => void;
}) {
  const query = useInfiniteQuery(auditQuery(appUuid));
  return (
    <>
      <div className="bar">
        <SearchField label="Filter the loaded entries" value={text} change={filter} />
      </div>
      <Loaded query={query} what="the audit log">
        {({ pages }) => (
          <DataTable
            label="Audit log"
            rows={pages.flat().filter((entry) => matches(entry, text))}
            columns={columns}
            idOf={({ id }) => id}
            more={pagesOf(query).more}
            empty={
              <Empty icon="audit" title={text ? 'No loaded entry matches' : 'Nothing happened yet'}>
                {text
                  ? 'Change the filter.'
                  : 'Everything that is created, changed or deleted leaves an entry here.'}
              </Empty>
            }
          />
        )}
      </Loaded>
    </>
  );
}

function matches({ action, actor, subject }: AuditEntry, text: string): boolean {
  return [action, actor, subject].some((one) => one.toLowerCase().includes(text.toLowerCase()));
}
