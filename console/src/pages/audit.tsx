import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@parley/proto/parley/identity/v1/app_pb';
import { auditList, filteredList } from '../api/parts.ts';
import { useParts } from '../api/use-parts.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { PartedTable, type Column } from '../ui/data-table.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';
import { useFilter } from '../ui/use-filter.ts';

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
      <code>{entry.action}</code>
      <span className="only-narrow cell-note">{whoOf(entry)}</span>
    </>
  ),
};
const ACTOR: Column<AuditEntry> = {
  id: 'actor',
  header: 'Who',
  width: '2fr',
  isWide: true,
  cell: (entry) => <span title={whoOf(entry)}>{whoOf(entry)}</span>,
};
/** The person, as their identity provider names them; or what acted without one. */
function whoOf({ actor, actorIssuer, actorSubject }: AuditEntry): string {
  if (actorSubject !== undefined) return `${actorSubject} (${actorIssuer})`;
  return NAMES_OF_ACTORS[actor] ?? actor;
}

const NAMES_OF_ACTORS: Readonly<Record<string, string>> = {
  admin: 'administration token',
  server: 'a server of the application',
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
  return (
    <Page title="Audit log" about="What administrators and the platform did, in all applications.">
      <AuditTable appUuid="" columns={COLUMNS} />
    </Page>
  );
}

export function AuditTable({
  appUuid,
  columns,
}: {
  appUuid: string;
  columns: readonly Column<AuditEntry>[];
}) {
  const [text, filter] = useFilter();
  const parts = useParts(filteredList(auditList(appUuid), text, textsOf));
  return (
    <>
      <div className="bar">
        <SearchField label="Filter by action, person or id" value={text} change={filter} />
      </div>
      <PartedTable
        label="Audit log"
        what="the audit log"
        parts={parts}
        columns={columns}
        idOf={({ id }) => id}
        empty={
          <Empty icon="audit" title={text ? 'No entry matches' : 'Nothing happened yet'}>
            {text
              ? 'Change the filter.'
              : 'Everything that is created, changed or deleted leaves an entry here.'}
          </Empty>
        }
      />
    </>
  );
}

function textsOf(entry: AuditEntry): string[] {
  return [entry.action, entry.actor, whoOf(entry), entry.subject];
}
