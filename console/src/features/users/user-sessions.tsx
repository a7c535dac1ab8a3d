import { useQuery } from '@tanstack/react-query';
import type { ListUserSessionsResponse_Session as Session } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { AppIds } from '../../api/app-ids.ts';
import { STATISTICS_KEY } from '../../api/query-keys.ts';
import { writeServer } from '../../api/server.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { sessionsQuery } from './queries.ts';

const COLUMNS: readonly Column<Session>[] = [
  { id: 'id', header: 'Session', width: '2fr', cell: ({ id }) => <code title={id}>{id.slice(-12)}</code> },
  { id: 'created', header: 'Logged in', width: '1fr', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'expires',
    header: 'Ends',
    width: '1fr',
    isWide: true,
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
];

type Props = { app: AppIds; user: string };

export function UserSessions({ mayWrite, ...of }: Props & { mayWrite: boolean }) {
  const query = useQuery(sessionsQuery(of.app.appUuid, of.user));
  return (
    <Section
      title="Sessions"
      about="Each login of a device or a browser."
      actions={mayWrite && <SignOutEverywhere {...of} />}
    >
      <Loaded query={query} what="the sessions">
        {(sessions) => (
          <FilteredTable
            label="Sessions"
            rows={sessions}
            columns={COLUMNS}
            idOf={({ id }) => id}
            filter={{ name: 'sessions', hint: 'Filter by id', textsOf: ({ id }) => [id] }}
            icon="sessions"
            empty={<Empty icon="sessions" title="The user is logged in nowhere" />}
          />
        )}
      </Loaded>
    </Section>
  );
}

function SignOutEverywhere({ app, user }: Props) {
  return (
    <ConfirmButton
      label="Sign out everywhere"
      title={`End all sessions of ${user}?`}
      effect="All devices of the user are signed out at once, and get no more pushes. The user may log in again."
      run={() => writeServer(app, (server) => server.deleteUserSessions(user))}
      done="All sessions of the user were ended."
      changes={[sessionsQuery(app.appUuid, user).queryKey, STATISTICS_KEY]}
    />
  );
}
