import { IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { useMemo } from 'react';
import type { AppIds } from '../../api/app-ids.ts';
import { useMay } from '../../api/session.ts';
import { usePages } from '../../api/use-pages.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { AppState } from '../../ui/app-state.tsx';
import { PagedTable, type Column } from '../../ui/data-table.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Tag } from '../../ui/tag.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { UserLink } from '../../ui/user-link.tsx';
import { CreateUser } from './create-user.tsx';
import { usersList } from './queries.ts';

function idColumn(app: AppIds): Column<Identity> {
  return {
    id: 'user',
    header: 'User id',
    width: '2fr',
    cell: ({ userId }) => (
      <UserLink app={app} userId={userId} className="cell-link" title={userId}>
        {userId}
      </UserLink>
    ),
  };
}

const COLUMNS: readonly Column<Identity>[] = [
  { id: 'name', header: 'Name', width: '2fr', cell: ({ displayName }) => displayName ?? '–' },
  {
    id: 'type',
    header: 'Type',
    width: '100px',
    isWide: true,
    cell: ({ type }) => (type === IdentityType.BOT ? <Tag tone="info">bot</Tag> : 'user'),
  },
  {
    id: 'email',
    header: 'E-mail address',
    width: '2fr',
    isWide: true,
    cell: ({ emailAddress }) => emailAddress ?? '–',
  },
  {
    id: 'state',
    header: 'State',
    width: '110px',
    isWide: true,
    cell: ({ suspended }) => <AppState isSuspended={suspended} />,
  },
];

export function UsersPage() {
  const app = useApp();
  const [q, filter] = useFilter();
  const pages = usePages(usersList(app.appUuid, q));
  const mayWrite = useMay('operator', app.appUuid);
  const columns = useMemo(() => [idColumn(app), ...COLUMNS], [app]);
  return (
    <Page
      title="Users"
      about="Everyone who logged in, or was created by a server, and the application's bots."
      actions={mayWrite && <CreateUser app={app} />}
    >
      <div className="bar">
        <SearchField label="Beginning of a user id or name" value={q} change={filter} />
      </div>
      <PagedTable
        label="Users"
        what="the users"
        pages={pages}
        columns={columns}
        idOf={({ userId }) => userId}
        empty={<NoUser query={q} />}
      />
    </Page>
  );
}

function NoUser({ query }: { query: string }) {
  return query ? (
    <Empty icon="users" title={`No user id or name begins with “${query}”`}>
      Search for the beginning of another one.
    </Empty>
  ) : (
    <Empty icon="users" title="There is no user yet">
      A user comes into being with the first login. Try one in the playground.
    </Empty>
  );
}
