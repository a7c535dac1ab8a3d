import { Alert, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Webhook } from '@parley/contract/gen/records';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { JsonBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { AuditTable, COLUMNS_OF_APP } from '../audit/audit-table.tsx';
import { Deliveries } from './deliveries.tsx';
import { isBeingVerified, VERIFYING_MS, webhookQuery } from './queries.ts';
import { WebhookState } from './states.tsx';
import { WebhookActions } from './webhook-actions.tsx';

const REFETCH_MS = 5_000;

export function WebhookPage() {
  const app = useApp();
  const { webhook: id } = useParams({ from: '/apps/$app/webhooks/$webhook' });
  const query = useQuery({
    ...webhookQuery(app, id),
    refetchInterval: ({ state }) => (state.data && isBeingVerified(state.data) ? VERIFYING_MS : REFETCH_MS),
  });
  const mayWrite = useMay('owner', app.appUuid);
  return (
    <Page
      title="Webhook"
      about={<CopyText text={id} label="Copy the id of the webhook" />}
      actions={mayWrite && query.data && <WebhookActions app={app} id={id} webhook={query.data} />}
    >
      <Loaded query={query} what="the webhook">
        {(webhook) => (
          <>
            <Details webhook={webhook} />
            <Deliveries app={app} webhookId={id} mayWrite={mayWrite} />
            <History appUuid={app.appUuid} id={id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Details({ webhook }: { webhook: Webhook }) {
  const { target_url, status, events, config, created_at } = webhook;
  return (
    <Section title="Details">
      <Stack>
        <VerificationNote webhook={webhook} />
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

function VerificationNote({ webhook: { status, status_reason } }: { webhook: Webhook }) {
  if (status === 'active') return null;
  return status === 'unverified' ? (
    <Alert color="yellow" variant="light" icon={<Icon name="sessions" />} role="status">
      The target is being asked for the challenge. This page follows the outcome.
    </Alert>
  ) : (
    <Alert color="red" variant="light" icon={<Icon name="warning" />}>
      {status_reason ?? 'The webhook was deactivated.'} Verify it again once the target answers.
    </Alert>
  );
}

function History({ appUuid, id }: { appUuid: string; id: string }) {
  return (
    <Section
      title="Who set it up"
      about="What people did to this webhook in the console. It stays when they have no role any more. What a server of the application does leaves no entry."
    >
      <AuditTable appUuid={appUuid} objectId={id} columns={COLUMNS_OF_APP} filter="who" />
    </Section>
  );
}
