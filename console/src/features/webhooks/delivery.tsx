import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { DeliveryAttempt, DeliveryWithAttempts } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { serverKey } from '../../api/server-queries.ts';
import { writeServer } from '../../api/server.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { CodeBlock, JsonBlock } from '../../ui/code-block.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { deliveryQuery } from './queries.ts';
import { DeliveryState } from './states.tsx';

const REFETCH_MS = 3_000;

export function DeliveryPage() {
  const app = useApp();
  const { webhook, delivery: id } = useParams({
    from: '/apps/$app/webhooks/$webhook/deliveries/$delivery',
  });
  const query = useQuery({
    ...deliveryQuery(app, webhook, id),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFETCH_MS : false),
  });
  const mayWrite = useMay('owner', app.appUuid);
  return (
    <Page
      title={query.data ? `Delivery of ${query.data.event.type}` : 'Delivery'}
      about={<CopyText text={id} label="Copy the id of the delivery" />}
      actions={
        <>
          <AllDeliveries app={app.appUuid} webhook={webhook} />
          {mayWrite && query.data && <Replay app={app} webhook={webhook} id={id} />}
        </>
      }
    >
      <Loaded query={query} what="the delivery">
        {(delivery) => <DeliveryDetails delivery={delivery} />}
      </Loaded>
    </Page>
  );
}

function AllDeliveries(params: { app: string; webhook: string }) {
  return (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => <Link {...props} to="/apps/$app/webhooks/$webhook" params={params} />}
    >
      All deliveries
    </Button>
  );
}

function Replay({ app, webhook, id }: { app: AppIds; webhook: string; id: string }) {
  return (
    <ConfirmButton
      label="Replay"
      color="indigo"
      title="Replay the delivery?"
      effect="The target gets it once more, under the same id, now and with the whole schedule of attempts."
      run={() => writeServer(app, (server) => server.replayDelivery(webhook, id))}
      done="The delivery is due now."
      changes={[serverKey(app)]}
    />
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
        <Body body={delivery.body} />
      </Section>
      <Section title="Attempts" about="The oldest first, with what the target answered.">
        <Attempts attempts={delivery.attempts} />
      </Section>
    </>
  );
}

function Body({ body }: Pick<DeliveryWithAttempts, 'body'>) {
  if (body) return <JsonBlock value={body} label="Body of the delivery" />;
  return (
    <Empty icon="webhooks" title="The body is gone">
      The event was about a user who has been erased.
    </Empty>
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
            ['Body', <AttemptBody key="body" text={response_body} />],
          ]}
        />
      ))}
    </Stack>
  );
}

function AttemptBody({ text }: { text: string | null }) {
  return text ? <CodeBlock text={text} label="Body of the answer" /> : 'none';
}
