import { Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Push, PushStatus } from '@parley/contract/gen/records';
import type { ListUserDevicesResponse_Device as Device } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { pathTo } from '../../api/path.ts';
import { ADMIN } from '../../api/admin.ts';
import { filteredList, restList } from '../../api/pages.ts';
import type { AppIds } from '../../api/rest.ts';
import { useParts } from '../../api/use-pages.ts';
import { PartedTable, type Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Tag, type Tone } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';

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

function devicesQuery(appUuid: string, userId: string) {
  return queryOptions({
    queryKey: ['user-devices', appUuid, userId],
    queryFn: async () => (await ADMIN.listUserDevices({ appUuid, userId })).devices,
  });
}

type Props = { app: AppIds; user: string };
type Access = { mayReadMessages: boolean };

/** The devices that a user gets pushes on, and those pushes, which only those see who may read messages. */
export function UserDevices({ app, user, mayReadMessages }: Props & Access) {
  const devices = useQuery(devicesQuery(app.appUuid, user));
  return (
    <>
      <Section title="Devices" about="Those that have registered for pushes.">
        <Loaded query={devices} what="the devices">
          {(rows) => (
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
          )}
        </Loaded>
      </Section>
      {mayReadMessages && <Pushes app={app} user={user} />}
    </>
  );
}

function Pushes({ app, user }: Props) {
  const [text, filter] = useFilter('pushes');
  const list = restList<Push>(app, pathTo`/users/${user}/pushes`);
  const parts = useParts(filteredList(list, text, textsOf), REFETCH_MS);
  return (
    <Section title="Pushes" about="One for each device and message, the newest first.">
      <Stack>
        <div className="bar">
          <SearchField label="Filter by device, state or reason" value={text} change={filter} />
        </div>
        <PartedTable
          label="Pushes"
          what="the pushes"
          parts={parts}
          columns={PUSH_COLUMNS}
          idOf={({ id }) => id}
          empty={
            text ? (
              <Empty icon="push" title="No push matches">
                Change the filter.
              </Empty>
            ) : (
              <NoPush appUuid={app.appUuid} />
            )
          }
        />
      </Stack>
    </Section>
  );
}

function textsOf({ device_id, status, reason }: Push): string[] {
  return [device_id, status, reason ?? ''];
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
