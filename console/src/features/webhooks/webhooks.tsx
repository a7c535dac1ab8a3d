import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { recordQuery } from '../../api/queries.ts';
import type { AppIds } from '../../api/rest.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { uuidOf } from '../conversations/conversations.tsx';
import { RegisterWebhook } from './register-webhook.tsx';
import { Tag } from '../../ui/tag.tsx';

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
  const query = useQuery(webhooksQuery(app));
  const mayWrite = useMay('owner', app.appUuid);
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
      <Loaded query={query} what="the webhooks">
        {(webhooks) => (
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
        )}
      </Loaded>
      <RegisterWebhook app={app} isOpen={isOpen} close={close} />
    </Page>
  );
}
