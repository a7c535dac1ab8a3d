import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { uuidOf } from '../../api/app-ids.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { isBeingVerified, VERIFYING_MS, webhooksQuery } from './queries.ts';
import { RegisterWebhook } from './register-webhook.tsx';
import { WebhookState } from './states.tsx';

function targetColumn(app: string): Column<Webhook> {
  return {
    id: 'target',
    header: 'Target',
    width: '3fr',
    cell: ({ id, target_url }) => (
      <Link
        to="/apps/$app/webhooks/$webhook"
        params={{ app, webhook: uuidOf(id) }}
        className="cell-link"
        title={target_url}
      >
        {target_url}
      </Link>
    ),
  };
}

const COLUMNS: readonly Column<Webhook>[] = [
  { id: 'status', header: 'State', width: '120px', cell: ({ status }) => <WebhookState status={status} /> },
  {
    id: 'events',
    header: 'Events',
    width: '2fr',
    isWide: true,
    cell: ({ events }) => <span title={events.join(', ')}>{events.join(', ')}</span>,
  },
  {
    id: 'created',
    header: 'Registered',
    width: '130px',
    isWide: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
];

export function WebhooksPage() {
  const app = useApp();
  const query = useQuery({
    ...webhooksQuery(app),
    refetchInterval: ({ state }) => (state.data?.some(isBeingVerified) ? VERIFYING_MS : false),
  });
  const mayWrite = useMay('owner', app.appUuid);
  return (
    <Page
      title="Webhooks"
      about="Parley calls a server of yours for each event, signed, and tries again for three days."
      actions={mayWrite && <RegisterWebhook app={app} />}
    >
      <Loaded query={query} what="the webhooks">
        {(webhooks) => <WebhooksTable {...{ webhooks, mayWrite }} appUuid={app.appUuid} />}
      </Loaded>
    </Page>
  );
}

type TableProps = { appUuid: string; webhooks: readonly Webhook[]; mayWrite: boolean };

function WebhooksTable({ appUuid, webhooks, mayWrite }: TableProps) {
  const columns = useMemo(() => [targetColumn(appUuid), ...COLUMNS], [appUuid]);
  return (
    <FilteredTable
      label="Webhooks"
      rows={webhooks}
      columns={columns}
      idOf={({ id }) => id}
      filter={{
        hint: 'Filter by target, state or event',
        textsOf: ({ target_url, status, events }) => [target_url, status, ...events],
      }}
      icon="webhooks"
      empty={
        <Empty icon="webhooks" title="There is no webhook yet">
          {mayWrite
            ? 'Register the address of a server that answers the challenge.'
            : 'An owner of the application registers webhooks, since messages leave by them.'}
        </Empty>
      }
    />
  );
}
