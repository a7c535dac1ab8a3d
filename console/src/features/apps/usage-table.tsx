import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { App } from '@parley/proto/parley/identity/v1/app_pb';
import { statisticsQuery } from '../../api/queries.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Empty } from '../../ui/page.tsx';
import { AppState } from '../../ui/app-state.tsx';

const COLUMNS: readonly Column<App>[] = [
  {
    id: 'name',
    header: 'Application',
    width: '2fr',
    cell: ({ appUuid, name }) => (
      <Link to="/apps/$app" params={{ app: appUuid }} className="cell-link">
        {name}
      </Link>
    ),
  },
  {
    id: 'users',
    header: 'Users',
    width: '1fr',
    cell: ({ appUuid }) => <Statistic appUuid={appUuid} of="users" />,
  },
  {
    id: 'sessions',
    header: 'Sessions',
    width: '1fr',
    cell: ({ appUuid }) => <Statistic appUuid={appUuid} of="sessions" />,
  },
  {
    id: 'environment',
    header: 'Environment',
    width: '1fr',
    isWide: true,
    cell: ({ environment }) => environment,
  },
  {
    id: 'state',
    header: 'State',
    width: '110px',
    isWide: true,
    cell: ({ suspended }) => <AppState isSuspended={suspended} />,
  },
];

/** Reads only the numbers of the visible applications. */
export function UsageTable({ apps }: { apps: readonly App[] }) {
  return (
    <FilteredTable
      label="Usage by application"
      rows={apps}
      columns={COLUMNS}
      idOf={({ appUuid }) => appUuid}
      filter={{
        hint: 'Filter by name or environment',
        textsOf: ({ name, environment }) => [name, environment],
      }}
      icon="apps"
      empty={<Empty icon="apps" title="There is no application yet" />}
    />
  );
}

function Statistic({ appUuid, of }: { appUuid: string; of: 'users' | 'sessions' }) {
  const { data } = useQuery(statisticsQuery(appUuid));
  return <>{data?.[of].toLocaleString('en') ?? '…'}</>;
}
