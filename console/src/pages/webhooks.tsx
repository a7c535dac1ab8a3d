import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Webhook } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { recordQuery } from '../api/queries.ts';
import type { AppIds } from '../api/rest.ts';
import { useMay } from '../api/session.ts';
import { useApp } from '../frame/app-frame.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Icon } from '../ui/icons.tsx';
import { Empty, Loaded, Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Time } from '../ui/time.tsx';
import { uuidOf } from './conversations.tsx';
import { RegisterWebhook } from './register-webhook.tsx';
import { Tag } from '../ui/tag.tsx';

const TONES = { active: 'good', unverified: 'waiting', inactive: 'bad' } as const;
const VERIFYING_MS = 1_000;

/** Read again every second while a verification is under way. */
export function webhooksQuery(app: AppIds) {
  return {
    ...recordQuery<Webhook[]>(app, '/webhooks', true),
    refetchInterval: ({ state }: { state: { data: Webhook[] | undefined } }) =>
      state.data?.some(({ status }) => status === 'unverified') ? VERIFYING_MS : false,
  } as const;
}

export function WebhookState({ status }: { status: Webhook['status'] }) {
  return <Tag tone={TONES[status]}>{status}</Tag>;
}

function columnsOf(app: string): Column<Webhook>[] {
  return [
    {
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
    },
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
}

export function WebhooksPage() {
  const app = useApp();
  const { q = '' } = useSearch({ from: '/apps/$app/webhooks' });
  const navigate = useNavigate({ from: '/apps/$app/webhooks' });
  const query = useQuery(webhooksQuery(app));
  const mayWrite = useMay('operator', app.appUuid);
  const columns = useMemo(() => columnsOf(app.appUuid), [app.appUuid]);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Page
      title="Webhooks"
      about="Parley calls a server of yours for each event, signed, and tries again for three days."
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            Register a webhook
          </Button>
        )
      }
    >
      <div className="bar">
        <SearchField
          label="Filter by target or event"
          value={q}
          change={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
        />
      </div>
      <Loaded query={query} what="the webhooks">
        {(webhooks) => (
          <DataTable
            label="Webhooks"
            rows={webhooks.filter((one) => matches(one, q))}
            columns={columns}
            idOf={({ id }) => id}
            empty={
              <Empty icon="webhooks" title={q ? 'No webhook matches' : 'There is no webhook yet'}>
                {q ? 'Change the filter.' : 'Register the address of a server that answers the challenge.'}
              </Empty>
            }
          />
        )}
      </Loaded>
      <RegisterWebhook app={app} isOpen={isOpen} close={close} />
    </Page>
  );
}

function matches({ target_url, events }: Webhook, text: string): boolean {
  return [target_url, ...events].some((one) => one.toLowerCase().includes(text.toLowerCase()));
}
