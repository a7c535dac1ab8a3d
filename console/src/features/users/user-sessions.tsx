import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ListUserSessionsResponse_Session as Session } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { pathTo } from '../../api/path.ts';
import { ADMIN } from '../../api/admin.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

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

function sessionsQuery(appUuid: string, userId: string) {
  return queryOptions({
    queryKey: ['user-sessions', appUuid, userId],
    queryFn: async () => (await ADMIN.listUserSessions({ appUuid, userId })).sessions,
  });
}

type Props = { app: AppIds; user: string; mayWrite: boolean };

export function UserSessions({ app, user, mayWrite }: Props) {
  const query = useQuery(sessionsQuery(app.appUuid, user));
  return (
    <Section
      title="Sessions"
      about="Each login of a device or a browser."
      actions={
        mayWrite && (
          <ConfirmButton
            label="Sign out everywhere"
            title={`End all sessions of ${user}?`}
            effect="All devices of the user are signed out at once, and get no more pushes. The user may log in again."
            run={() => rest(app, pathTo`/users/${user}/sessions`, { method: 'DELETE' })}
            done="All sessions of the user were ended."
            changes={[sessionsQuery(app.appUuid, user).queryKey, ['statistics']]}
          />
        )
      }
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
