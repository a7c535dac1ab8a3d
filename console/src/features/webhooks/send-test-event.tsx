import { Button, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { Delivery, Webhook } from '@parley/contract/gen/records';
import { useState } from 'react';
import { rest, type AppIds } from '../../api/rest.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { useAction } from '../../ui/use-action.ts';
import { uuidOf } from '../conversations/conversations.tsx';
import { EVENT_NAMES } from './webhook-fields.tsx';

type Props = { app: AppIds; webhook: Webhook; path: string };

/** Delivers an example of an event, and shows the delivery. */
export function SendTestEvent({ app, webhook, path }: Props) {
  const navigate = useNavigate();
  const [isOpen, { open, close }] = useDisclosure();
  const [event, setEvent] = useState<string | null>(webhook.events[0] ?? null);
  const action = useAction({
    run: () => rest<Delivery>(app, `${path}/test`, { method: 'POST', isOfWebhooks: true, body: { event } }),
    done: 'The test event is being delivered.',
    changes: [['rest', app.appUuid, `${path}/deliveries`]],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ data }) => {
        const params = { app: app.appUuid, webhook: uuidOf(webhook.id), delivery: data.id };
        void navigate({ to: '/apps/$app/webhooks/$webhook/deliveries/$delivery', params });
      },
    });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Send a test event
      </Button>
      <FormModal
        title="Send a test event"
        isOpen={isOpen}
        close={close}
        submit={submit}
        submitLabel="Send"
        action={action}
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
      </FormModal>
    </>
  );
}
