import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '@parley/proto/parley/identity/v1/app_pb';
import { auditList, filteredList } from '../../api/pages.ts';
import { useParts } from '../../api/use-pages.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { PartedTable, type Column } from '../../ui/data-table.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';

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
/** The person, as their identity provider names them; or what acted without one. */
function whoOf({ actor, actorIssuer, actorSubject }: AuditEntry): string {
  if (actorSubject !== undefined) return `${actorSubject} (${actorIssuer})`;
  return NAMES_OF_ACTORS[actor] ?? actor;
}

const NAMES_OF_ACTORS: Readonly<Record<string, string>> = {
  admin: 'administration token',
  server: 'a server of the application',
  unknown: 'somebody who is not known',
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
const COLUMNS = [...COLUMNS_OF_APP, APPLICATION];

export function AuditPage() {
  return (
    <Page
      title="Audit log"
      about="What people, their programs and the platform did, in all applications, and what was refused."
    >
      <AuditTable appUuid="" columns={COLUMNS} />
    </Page>
  );
}

export function AuditTable({
  appUuid,
  objectId,
  columns,
  filter: name,
}: {
  appUuid: string;
  /** Entries about this object alone. */
  objectId?: string;
  columns: readonly Column<AuditEntry>[];
  /** The parameter of the address, where the page has another table. */
  filter?: string;
}) {
  const [text, filter] = useFilter(name);
  const parts = useParts(filteredList(auditList(appUuid, objectId), text, textsOf));
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
              : 'Everything that is created, changed or deleted, each sign-in and each refusal leaves an entry here.'}
          </Empty>
        }
      />
    </>
  );
}

function textsOf(entry: AuditEntry): string[] {
  const { action, actor, subject, method = '', outcome = 'done', code = '' } = entry;
  return [action, actor, whoOf(entry), subject, method, outcome, code];
}
