import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Push, PushStatus } from '@parley/contract/gen/records';
import type { ListUserDevicesResponse_Device as Device } from '@parley/proto/parley/identity/v1/admin_service_pb';
import type { AppIds } from '../../api/app-ids.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredPages, NoMatch } from '../../ui/filtered-pages.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { Tag, type Tone } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { devicesQuery, pushesList } from './queries.ts';

const REFETCH_MS = 10_000;
const TONES: Record<PushStatus, Tone> = {
  pending: 'waiting',
  delivered: 'good',
  dead: 'bad',
  dropped: 'neutral',
};

const DEVICE_COLUMNS: readonly Column<Device>[] = [
  { id: 'device', header: 'Device', width: '2fr', cell: ({ deviceId }) => deviceId },
  { id: 'type', header: 'Push service', width: '110px', cell: ({ type }) => type },
  {
    id: 'updated',
    header: 'Registered',
    width: '130px',
    isWide: true,
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];

const PUSH_COLUMNS: readonly Column<Push>[] = [
  { id: 'device', header: 'Device', width: '1fr', cell: ({ device_id }) => device_id },
  {
    id: 'status',
    header: 'State',
    width: '110px',
    cell: ({ status }) => <Tag tone={TONES[status]}>{status}</Tag>,
  },
  { id: 'reason', header: 'Reason', width: '2fr', isWide: true, cell: ({ reason }) => reason },
  {
    id: 'attempts',
    header: 'Attempts',
    width: '80px',
    isWide: true,
    cell: ({ attempt_count }) => attempt_count,
  },
  { id: 'created', header: 'Requested', width: '130px', cell: ({ created_at }) => <Time at={created_at} /> },
];

type Props = { app: AppIds; user: string };

/** The devices that a user gets pushes on, and those pushes, which only those see who may read messages. */
export function UserDevices({ mayReadMessages, ...of }: Props & { mayReadMessages: boolean }) {
  const devices = useQuery(devicesQuery(of.app.appUuid, of.user));
  return (
    <>
      <Section title="Devices" about="Those that have registered for pushes.">
        <Loaded query={devices} what="the devices">
          {(rows) => <DevicesTable rows={rows} />}
        </Loaded>
      </Section>
      {mayReadMessages && <Pushes {...of} />}
    </>
  );
}

function DevicesTable({ rows }: { rows: readonly Device[] }) {
  return (
    <FilteredTable
      label="Devices"
      rows={rows}
      columns={DEVICE_COLUMNS}
      idOf={({ deviceId }) => deviceId}
      filter={{
        name: 'devices',
        hint: 'Filter by device or push service',
        textsOf: ({ deviceId, type }) => [deviceId, type],
      }}
      icon="push"
      empty={<Empty icon="push" title="No device has registered for pushes" />}
    />
  );
}

function Pushes({ app, user }: Props) {
  return (
    <Section title="Pushes" about="One for each device and message, the newest first.">
      <Stack>
        <FilteredPages
          label="Pushes"
          what="the pushes"
          list={pushesList(app, user)}
          columns={PUSH_COLUMNS}
          idOf={({ id }) => id}
          filter={{
            name: 'pushes',
            hint: 'Filter by device, state or reason',
            textsOf: ({ device_id, status, reason }) => [device_id, status, reason ?? ''],
          }}
          refetchMs={REFETCH_MS}
          empty={(text) =>
            text ? <NoMatch icon="push" title="No push matches" /> : <NoPush appUuid={app.appUuid} />
          }
        />
      </Stack>
    </Section>
  );
}

function NoPush({ appUuid }: { appUuid: string }) {
  return (
    <Empty icon="push" title="There is no push yet">
      Messages make them for devices above, with{' '}
      <Link to="/apps/$app/push" params={{ app: appUuid }} className="text-link">
        credentials of their push services
      </Link>
      .
    </Empty>
  );
}
