import { Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook, WebhookEventName } from '@parley/contract/gen/records';
import { useState } from 'react';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { deliveriesKey } from './queries.ts';
import { EVENT_NAMES } from './webhook-fields.tsx';

type Props = { app: AppIds; id: string; webhook: Webhook };

/** Delivers an example of an event, and shows the delivery. */
export function SendTestEvent({ app, id, webhook }: Props) {
  const navigate = useNavigate();
  const [event, setEvent] = useState<WebhookEventName | null>(webhook.events[0] ?? null);
  const show = (delivery: string) => {
    const params = { app: app.appUuid, webhook: id, delivery };
    void navigate({ to: '/apps/$app/webhooks/$webhook/deliveries/$delivery', params });
  };
  return (
    <FormDialog
      opener={{ label: 'Send a test event' }}
      title="Send a test event"
      submitLabel="Send"
      run={() => writeServer(app, (server) => server.sendTestEvent(id, { event }))}
      done="The test event is being delivered."
      changes={[deliveriesKey(app, id)]}
      after={(delivery) => show(delivery.id)}
    >
      <Select
        label="Event"
        data={EVENT_NAMES}
        value={event}
        onChange={setEvent}
        allowDeselect={false}
        searchable
      />
      <Text size="sm">
        The target gets an example with “test”: true in its event. It is signed, and retried, like every
        delivery. Nothing in the application changes.
      </Text>
    </FormDialog>
  );
}
