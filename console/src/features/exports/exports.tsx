import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Export, ExportKey } from '@parley/contract/gen/records';
import { queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pathTo } from '../../api/path.ts';
import { describeFailure } from '../../api/failure.ts';
import { recordQuery } from '../../api/queries.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { uuidOf } from '../conversations/conversations.tsx';
import { ExportDetails } from './export-details.tsx';
import { ExportKeySection } from './export-key.tsx';
import { ExportScheduleSection } from './export-schedule.tsx';
import { Tag } from '../../ui/tag.tsx';

const TONES = { pending: 'waiting', executing: 'info', completed: 'good' } as const;
const RUNNING_MS = 2_000;

/** The public key that exports are encrypted with; null before one is registered. */
export function exportKeyQuery(app: AppIds) {
  return queryOptions({
    queryKey: ['rest', app.appUuid, '/export_security'],
    queryFn: async (): Promise<ExportKey | null> => {
      try {
        return (await rest<ExportKey>(app, '/export_security')).data;
      } catch (error) {
        if (describeFailure(error).status === 404) return null;
        throw error;
      }
    },
  });
}

function columnsOf(app: AppIds): Column<Export>[] {
  return [
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
    {
      id: 'actions',
      header: 'Actions',
      width: '170px',
      cell: (one) => (
        <Group gap="xs" wrap="nowrap">
          {one.status === 'completed' && <ExportDetails app={app} id={uuidOf(one.id)} />}
          <DeleteExport app={app} one={one} />
        </Group>
      ),
    },
  ];
}

export function ExportsPage() {
  const app = useApp();
  const mayWrite = useMay('owner', app.appUuid);
  const key = useQuery(exportKeyQuery(app));
  return (
    <Page
      title="Exports"
      about="Archives of the application's data, encrypted with a key of yours: everything on request, or the events of each day."
      actions={mayWrite && key.data && <RequestExport app={app} />}
    >
      <Loaded query={key} what="the key">
        {(known) => <ExportKeySection app={app} known={known} mayWrite={mayWrite} />}
      </Loaded>
      {mayWrite ? (
        <Archives app={app} hasKey={Boolean(key.data)} />
      ) : (
        <Empty icon="exports" title="Archives are for owners">
          An owner of the application requests, downloads and deletes them, since every message leaves by
          them.
        </Empty>
      )}
      {key.data && <ExportScheduleSection app={app} mayWrite={mayWrite} />}
    </Page>
  );
}

function Archives({ app, hasKey }: { app: AppIds; hasKey: boolean }) {
  const query = useQuery({
    ...recordQuery<Export[]>(app, '/exports'),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status !== 'completed') ? RUNNING_MS : false,
  });
  const columns = useMemo(() => columnsOf(app), [app]);
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
            empty={
              <Empty icon="exports" title="There is no export yet">
                {hasKey
                  ? 'Request one: its archive holds every conversation and message.'
                  : 'Register a public key first; then exports can be requested.'}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Section>
  );
}

function RequestExport({ app }: { app: AppIds }) {
  return (
    <ConfirmButton
      label="Request an export"
      size="sm"
      variant="filled"
      color="indigo"
      title="Export everything?"
      effect="The archive holds every conversation and message that is stored now. One can be requested every 24 hours."
      run={() => rest(app, '/exports', { method: 'POST' })}
      done="The export was requested."
      changes={[['rest', app.appUuid, '/exports']]}
    />
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
      run={() => rest(app, pathTo`/exports/${uuidOf(one.id)}`, { method: 'DELETE' })}
      done={isDone ? 'The export was deleted.' : 'The export was cancelled.'}
      changes={[['rest', app.appUuid, '/exports']]}
    />
  );
}
