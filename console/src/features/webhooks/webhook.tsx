import { Alert, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Delivery, Webhook } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { pathTo, segment } from '../../api/path.ts';
import { filteredList, restList } from '../../api/pages.ts';
import { recordQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useParts } from '../../api/use-pages.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { JsonBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { PartedTable, type Column } from '../../ui/data-table.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { AuditTable, COLUMNS_OF_APP } from '../audit/audit.tsx';
import { DeliveryState } from './delivery.tsx';
import { ReplaySpan } from './replay-span.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookState } from './webhooks.tsx';

const VERIFYING_MS = 1_000;
const REFETCH_MS = 5_000;
const FILTERS = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Dead letters' },
];

export function WebhookPage() {
  const app = useApp();
  const { webhook: uuid } = useParams({ from: '/apps/$app/webhooks/$webhook' });
  const path = pathTo`/webhooks/${uuid}`;
  const query = useQuery({
    ...recordQuery<Webhook>(app, path, true),
    refetchInterval: ({ state }) => (state.data?.status === 'unverified' ? VERIFYING_MS : REFETCH_MS),
  });
  const mayWrite = useMay('owner', app.appUuid);
  return (
    <Page
      title="Webhook"
      about={<CopyText text={uuid} label="Copy the id of the webhook" />}
      actions={mayWrite && query.data && <WebhookActions app={app} webhook={query.data} path={path} />}
    >
      <Loaded query={query} what="the webhook">
        {(webhook) => (
          <>
            <Details webhook={webhook} />
            <Deliveries path={path} mayWrite={mayWrite} />
            <Section
              title="Who set it up"
              about="What people did to this webhook in the console. It stays when they have no role any more. What a server of the application does leaves no entry."
            >
              <AuditTable appUuid={app.appUuid} objectId={uuid} columns={COLUMNS_OF_APP} filter="who" />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Details({ webhook }: { webhook: Webhook }) {
  const { target_url, status, status_reason, events, config, created_at } = webhook;
  return (
    <Section title="Details">
      <Stack>
        {status === 'unverified' && (
          <Alert color="yellow" variant="light" icon={<Icon name="sessions" />} role="status">
            The target is being asked for the challenge. This page follows the outcome.
          </Alert>
        )}
        {status === 'inactive' && (
          <Alert color="red" variant="light" icon={<Icon name="warning" />}>
            {status_reason ?? 'The webhook was deactivated.'} Verify it again once the target answers.
          </Alert>
        )}
        <Fields
          rows={[
            ['Target', target_url],
            ['State', <WebhookState key="state" status={status} />],
            ['Events', events.join(', ')],
            ['Registered', <Time key="created" at={created_at} />],
            ['Config', config ? <JsonBlock key="config" value={config} label="Config" /> : 'none'],
          ]}
        />
      </Stack>
    </Section>
  );
}

function columnsOf(app: string, webhook: string): Column<Delivery>[] {
  return [
    {
      id: 'event',
      header: 'Event',
      width: '2fr',
      cell: ({ id, event }) => (
        <Link
          to="/apps/$app/webhooks/$webhook/deliveries/$delivery"
          params={{ app, webhook, delivery: id }}
          className="cell-link"
        >
          {event.type}
        </Link>
      ),
    },
    {
      id: 'status',
      header: 'State',
      width: '110px',
      cell: ({ status }) => <DeliveryState status={status} />,
    },
    {
      id: 'attempts',
      header: 'Attempts',
      width: '80px',
      isWide: true,
      cell: ({ attempt_count }) => attempt_count,
    },
    {
      id: 'next',
      header: 'Next attempt',
      width: '130px',
      isWide: true,
      cell: ({ next_attempt_at }) => <Time at={next_attempt_at} />,
    },
    {
      id: 'created',
      header: 'Stored',
      width: '130px',
      isWide: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
}

function Deliveries({ path, mayWrite }: { path: string; mayWrite: boolean }) {
  const app = useApp();
  const { webhook: uuid } = useParams({ from: '/apps/$app/webhooks/$webhook' });
  const [status, choose] = useFilter('status');
  const [text, filter] = useFilter();
  const list = restList<Delivery>(app, `${path}/deliveries${status && `?status=${segment(status)}`}`, true);
  const parts = useParts(
    filteredList(list, text, ({ id, event }) => [id, event.type]),
    REFETCH_MS,
  );
  const columns = useMemo(() => columnsOf(app.appUuid, uuid), [app.appUuid, uuid]);
  return (
    <Section
      title="Deliveries"
      about="Delivered ones are kept for three days, dead letters for 30."
      actions={mayWrite && <ReplaySpan app={app} path={path} />}
    >
      <Stack>
        <div className="bar">
          <SegmentedControl
            aria-label="State of the deliveries"
            data={FILTERS}
            value={status}
            onChange={choose}
          />
          <SearchField label="Filter by event or id" value={text} change={filter} />
        </div>
        <PartedTable
          label="Deliveries"
          what="the deliveries"
          parts={parts}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <Empty icon="webhooks" title="There is no such delivery">
              {status || text
                ? 'Choose another state, or change the filter.'
                : 'Each event of the kinds above makes one.'}
            </Empty>
          }
        />
      </Stack>
    </Section>
  );
}
