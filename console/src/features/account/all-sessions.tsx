import { Stack } from '@mantine/core';
import type { ConsoleSession } from '@parley/proto/parley/identity/v1/console_service_pb';
import { useMemo } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { SESSION } from '../../api/session.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredPages, NoMatch } from '../../ui/filtered-pages.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Section } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { ALL_SESSIONS, OWN_SESSIONS } from './queries.ts';

/** Sessions of everyone at this console, for owners of all applications. `ownId`: of the session of this browser. */
export function AllSessions({ ownId }: { ownId: string }) {
  const columns = useMemo(() => [personColumn(ownId), ...COLUMNS], [ownId]);
  return (
    <Section
      title="Everyone’s sessions"
      about="All browsers that are signed in to this console. End the sessions of a person who left, or of a lost laptop."
    >
      <Stack>
        <FilteredPages
          label="Everyone’s sessions"
          what="the sessions"
          list={ALL_SESSIONS}
          columns={columns}
          idOf={({ id }) => id}
          filter={{ name: 'people', hint: 'Filter by person, issuer or role', textsOf }}
          empty={() => <NoMatch icon="sessions" title="No session matches" />}
        />
      </Stack>
    </Section>
  );
}

function personColumn(ownId: string): Column<ConsoleSession> {
  return {
    id: 'person',
    header: 'Person',
    width: '2fr',
    cell: ({ id, person }) => (
      <>
        <span title={`${person?.subject} at ${person?.issuer}`}>{person?.name}</span>{' '}
        {id === ownId && <Tag tone="info">this one</Tag>}
      </>
    ),
  };
}

const COLUMNS: readonly Column<ConsoleSession>[] = [
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
    cell: (session) => <EndSession session={session} />,
  },
];

function EndSession({ session: { id, person } }: { session: ConsoleSession }) {
  return (
    <ConfirmButton
      label="End"
      title={`End this session of ${person?.name}?`}
      effect="The browser has to sign in again, at once. It does not take the person’s role: the identity provider does that."
      run={() => ADMIN.revokeConsoleSession({ consoleSessionId: id })}
      done="The session was ended."
      changes={[ALL_SESSIONS.queryKey, OWN_SESSIONS.queryKey, SESSION.queryKey]}
    />
  );
}

function rolesOf({ roles }: ConsoleSession): string {
  return roles.map(({ role, appId }) => (appId === undefined ? role : `${role} of ${appId}`)).join(', ');
}

function textsOf(session: ConsoleSession): string[] {
  const { name = '', issuer = '', subject = '' } = session.person ?? {};
  return [name, issuer, subject, rolesOf(session)];
}
