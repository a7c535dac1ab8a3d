import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Webhook } from '@parley/contract/gen/records';
import { useState } from 'react';
import { rest, type AppIds } from '../../api/rest.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { useAction } from '../../ui/use-action.ts';
import { WebhookFields } from './webhook-fields.tsx';

type Props = { app: AppIds; webhook: Webhook; path: string };

export function EditWebhook({ app, webhook, path }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  const [target, setTarget] = useState(webhook.target_url);
  const [events, setEvents] = useState<string[]>(webhook.events);
  const isMoved = target !== webhook.target_url;
  const action = useAction({
    run: () =>
      rest<Webhook>(app, path, {
        method: 'PATCH',
        isOfWebhooks: true,
        body: { events, ...(isMoved && { target_url: target }) },
      }),
    done: isMoved ? 'The webhook was changed; its target is being verified.' : 'The webhook was changed.',
    changes: [
      ['rest', app.appUuid, path],
      ['rest', app.appUuid, '/webhooks'],
    ],
  });
  const show = () => {
    action.reset();
    setTarget(webhook.target_url);
    setEvents(webhook.events);
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={show}>
        Edit
      </Button>
      <FormModal
        title="Change the webhook"
        isOpen={isOpen}
        close={close}
        submit={() => action.mutate(undefined, { onSuccess: close })}
        submitLabel="Save"
        action={action}
      >
        <WebhookFields {...{ target, setTarget, events, setEvents }} />
      </FormModal>
    </>
  );
}
