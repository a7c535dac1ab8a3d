import type { ConsoleSession } from '@parley/proto/parley/identity/v1/console_service_pb';
import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { filteredList, openSessionsList } from '../../api/pages.ts';
import { SESSION } from '../../api/session.ts';
import { useParts } from '../../api/use-pages.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { PartedTable, type Column } from '../../ui/data-table.tsx';
import { Empty, Section } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';

const FILTER = 'people';

/** Sessions of everyone at this console, for owners of all applications. `ownId`: of the session of this browser. */
export function AllSessions({ ownId }: { ownId: string }) {
  const [text, filter] = useFilter(FILTER);
  const parts = useParts(filteredList(openSessionsList(), text, textsOf));
  const columns = useMemo(() => columnsOf(ownId), [ownId]);
  return (
    <Section
      title="Everyone’s sessions"
      about="All browsers that are signed in to this console. End the sessions of a person who left, or of a lost laptop."
    >
      <Stack>
        <div className="bar">
          <SearchField label="Filter by person, issuer or role" value={text} change={filter} />
        </div>
        <PartedTable
          label="Everyone’s sessions"
          what="the sessions"
          parts={parts}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <Empty icon="sessions" title="No session matches">
              Change the filter.
            </Empty>
          }
        />
      </Stack>
    </Section>
  );
}

function columnsOf(ownId: string): readonly Column<ConsoleSession>[] {
  return [
    {
      id: 'person',
      header: 'Person',
      width: '2fr',
      cell: ({ id, person }) => (
        <>
          <span title={`${person?.subject} at ${person?.issuer}`}>{person?.name}</span>{' '}
          {id === ownId && <Tag tone="info">this one</Tag>}
        </>
      ),
    },
    { id: 'roles', header: 'Roles', width: '2fr', isWide: true, cell: (session) => rolesOf(session) },
    {
      id: 'created',
      header: 'Signed in',
      width: '130px',
      isWide: true,
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'used',
      header: 'Last used',
      width: '120px',
      isWide: true,
      cell: ({ usedAt }) => <Time at={usedAt} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: '90px',
      cell: ({ id, person }) => (
        <ConfirmButton
          label="End"
          title={`End this session of ${person?.name}?`}
          effect="The browser has to sign in again, at once. It does not take the person’s role: the identity provider does that."
          run={() => ADMIN.revokeConsoleSession({ consoleSessionId: id })}
          done="The session was ended."
          changes={[openSessionsList().queryKey, ['console-sessions'], SESSION.queryKey]}
        />
      ),
    },
  ];
}

function rolesOf({ roles }: ConsoleSession): string {
  return roles.map(({ role, appId }) => (appId === undefined ? role : `${role} of ${appId}`)).join(', ');
}

function textsOf(session: ConsoleSession): string[] {
  const { name = '', issuer = '', subject = '' } = session.person ?? {};
  return [name, issuer, subject, rolesOf(session)];
}
