import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Export } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { uuidOf, type AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { ExportDetails } from './export-details.tsx';
import { exportsQuery } from './queries.ts';

const TONES = { pending: 'waiting', executing: 'info', completed: 'good' } as const;
const RUNNING_MS = 2_000;

const COLUMNS: readonly Column<Export>[] = [
  { id: 'created', header: 'Requested', width: '1fr', cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'type', header: 'Type', width: '110px', isWide: true, cell: ({ type }) => type },
  {
    id: 'status',
    header: 'State',
    width: '120px',
    cell: ({ status, status_reason }) => (
      <Tag tone={TONES[status]} title={status_reason ?? undefined}>
        {status}
      </Tag>
    ),
  },
  {
    id: 'size',
    header: 'Size',
    width: '120px',
    isWide: true,
    cell: ({ archive_size }) => (archive_size === null ? '–' : `${archive_size.toLocaleString('en')} B`),
  },
  {
    id: 'expires',
    header: 'Deleted',
    width: '130px',
    isWide: true,
    cell: ({ expired_at }) => <Time at={expired_at} />,
  },
];

function actionsColumn(app: AppIds): Column<Export> {
  return {
    id: 'actions',
    header: 'Actions',
    width: '170px',
    cell: (one) => (
      <Group gap="xs" wrap="nowrap">
        {one.status === 'completed' && <ExportDetails app={app} id={uuidOf(one.id)} />}
        <DeleteExport app={app} one={one} />
      </Group>
    ),
  };
}

export function Archives({ app, hasKey }: { app: AppIds; hasKey: boolean }) {
  const query = useQuery({
    ...exportsQuery(app),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status !== 'completed') ? RUNNING_MS : false,
  });
  const columns = useMemo(() => [...COLUMNS, actionsColumn(app)], [app]);
  return (
    <Section title="Archives">
      <Loaded query={query} what="the exports">
        {(all) => (
          <FilteredTable
            label="Exports"
            rows={all}
            columns={columns}
            idOf={({ id }) => id}
            filter={{
              hint: 'Filter by day, type or state',
              textsOf: ({ created_at, type, status }) => [created_at, type, status],
            }}
            icon="exports"
            empty={<NoExport hasKey={hasKey} />}
          />
        )}
      </Loaded>
    </Section>
  );
}

function NoExport({ hasKey }: { hasKey: boolean }) {
  return (
    <Empty icon="exports" title="There is no export yet">
      {hasKey
        ? 'Request one: its archive holds every conversation and message.'
        : 'Register a public key first; then exports can be requested.'}
    </Empty>
  );
}

function DeleteExport({ app, one }: { app: AppIds; one: Export }) {
  const isDone = one.status === 'completed';
  return (
    <ConfirmButton
      label={isDone ? 'Delete' : 'Cancel'}
      title={isDone ? 'Delete the export?' : 'Cancel the export?'}
      effect={
        isDone
          ? 'The archive is deleted, and its address works no more.'
          : 'The export stops, and what was written of its archive is deleted.'
      }
      run={() => writeServer(app, (server) => server.deleteExport(uuidOf(one.id)))}
      done={isDone ? 'The export was deleted.' : 'The export was cancelled.'}
      changes={[exportsQuery(app).queryKey]}
    />
  );
}
