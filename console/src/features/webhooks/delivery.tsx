import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { DeliveryAttempt, DeliveryStatus, DeliveryWithAttempts } from '@parley/contract/gen/records';
import { pathTo } from '../../api/path.ts';
import { recordQuery } from '../../api/queries.ts';
import { rest } from '../../api/rest.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { CodeBlock, JsonBlock } from '../../ui/code-block.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Tag } from '../../ui/tag.tsx';

const TONES = { pending: 'waiting', delivered: 'good', dead: 'bad' } as const;
const REFETCH_MS = 3_000;

export function DeliveryState({ status }: { status: DeliveryStatus }) {
  return <Tag tone={TONES[status]}>{status}</Tag>;
}

export function DeliveryPage() {
  const app = useApp();
  const params = useParams({ from: '/apps/$app/webhooks/$webhook/deliveries/$delivery' });
  const path = pathTo`/webhooks/${params.webhook}/deliveries/${params.delivery}`;
  const query = useQuery({
    ...recordQuery<DeliveryWithAttempts>(app, path, true),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFETCH_MS : false),
  });
  const mayWrite = useMay('owner', app.appUuid);
  return (
    <Page
      title={query.data ? `Delivery of ${query.data.event.type}` : 'Delivery'}
      about={<CopyText text={params.delivery} label="Copy the id of the delivery" />}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/apps/$app/webhooks/$webhook"
                params={{ app: app.appUuid, webhook: params.webhook }}
              />
            )}
          >
            All deliveries
          </Button>
          {mayWrite && query.data && (
            <ConfirmButton
              label="Replay"
              color="indigo"
              title="Replay the delivery?"
              effect="The target gets it once more, under the same id, now and with the whole schedule of attempts."
              run={() => rest(app, `${path}/replay`, { method: 'POST', isOfWebhooks: true })}
              done="The delivery is due now."
              changes={[['rest', app.appUuid]]}
            />
          )}
        </>
      }
    >
      <Loaded query={query} what="the delivery">
        {(delivery) => <DeliveryDetails delivery={delivery} />}
      </Loaded>
    </Page>
  );
}

function DeliveryDetails({ delivery }: { delivery: DeliveryWithAttempts }) {
  return (
    <>
      <Section title="Details">
        <Fields
          rows={[
            ['State', <DeliveryState key="state" status={delivery.status} />],
            ['Event', <CopyText key="id" text={delivery.event.id} label="Copy the id of the event" />],
            ['Happened', <Time key="happened" at={delivery.event.created_at} />],
            ['Next attempt', <Time key="next" at={delivery.next_attempt_at} />],
            ['Settled', <Time key="settled" at={delivery.settled_at} />],
          ]}
        />
      </Section>
      <Section title="Body" about="As the next attempt would send it, with fresh download addresses.">
        {delivery.body ? (
          <JsonBlock value={delivery.body} label="Body of the delivery" />
        ) : (
          <Empty icon="webhooks" title="The body is gone">
            The event was about a user who has been erased.
          </Empty>
        )}
      </Section>
      <Section title="Attempts" about="The oldest first, with what the target answered.">
        <Attempts attempts={delivery.attempts} />
      </Section>
    </>
  );
}

function Attempts({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  if (attempts.length === 0) return <Empty icon="webhooks" title="There was no attempt yet" />;
  return (
    <Stack>
      {attempts.map(({ at, duration_ms, response_status, response_body, error }) => (
        <Fields
          key={at}
          rows={[
            ['At', <Time key="at" at={at} />],
            ['Answer', response_status ?? error],
            ['Took', `${duration_ms} ms`],
            [
              'Body',
              response_body ? (
                <CodeBlock key="body" text={response_body} label="Body of the answer" />
              ) : (
                'none'
              ),
            ],
          ]}
        />
      ))}
    </Stack>
  );
}
