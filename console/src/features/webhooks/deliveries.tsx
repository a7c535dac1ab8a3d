import { SegmentedControl, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Delivery, DeliveryStatus } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import type { AppIds } from '../../api/app-ids.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredPages } from '../../ui/filtered-pages.tsx';
import { Empty, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { deliveriesList } from './queries.ts';
import { ReplaySpan } from './replay-span.tsx';
import { DeliveryState } from './states.tsx';

const REFETCH_MS = 5_000;
const STATES: { value: DeliveryStatus | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Dead letters' },
];

function eventColumn(app: string, webhook: string): Column<Delivery> {
  return {
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
  };
}

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'status', header: 'State', width: '110px', cell: ({ status }) => <DeliveryState status={status} /> },
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

type Props = { app: AppIds; webhookId: string; mayWrite: boolean };

export function Deliveries({ app, webhookId, mayWrite }: Props) {
  const [chosen, choose] = useFilter('status');
  const status = STATES.find(({ value }) => value === chosen)?.value || undefined;
  const columns = useMemo(() => [eventColumn(app.appUuid, webhookId), ...COLUMNS], [app.appUuid, webhookId]);
  return (
    <Section
      title="Deliveries"
      about="Delivered ones are kept for three days, dead letters for 30."
      actions={mayWrite && <ReplaySpan app={app} webhookId={webhookId} />}
    >
      <Stack>
        <FilteredPages
          label="Deliveries"
          what="the deliveries"
          list={deliveriesList(app, webhookId, status)}
          columns={columns}
          idOf={({ id }) => id}
          filter={{ hint: 'Filter by event or id', textsOf: ({ id, event }) => [id, event.type] }}
          refetchMs={REFETCH_MS}
          bar={<StateChoice value={status ?? ''} onChange={choose} />}
          empty={(text) => <NoDelivery isFiltered={Boolean(status || text)} />}
        />
      </Stack>
    </Section>
  );
}

function StateChoice(props: { value: DeliveryStatus | ''; onChange: (value: DeliveryStatus | '') => void }) {
  return <SegmentedControl {...props} aria-label="State of the deliveries" data={STATES} />;
}

function NoDelivery({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Empty icon="webhooks" title="There is no such delivery">
      {isFiltered
        ? 'Choose another state, or change the filter.'
        : 'Each event of the kinds above makes one.'}
    </Empty>
  );
}
