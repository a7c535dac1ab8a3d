import { Anchor, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@parley/contract/gen/records';
import { useState } from 'react';
import { apiAddress } from '../../api/api-url.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { useAction } from '../../ui/use-action.ts';
import { uuidOf } from '../conversations/conversations.tsx';
import { DEFAULT_EVENTS, WebhookFields } from './webhook-fields.tsx';

const SECRET_BYTES = 24;

/** A secret in the form of Standard Webhooks. */
export function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

export function RegisterWebhook({ app, isOpen, close }: { app: AppIds; isOpen: boolean; close: () => void }) {
  const navigate = useNavigate();
  const [target, setTarget] = useState('');
  const [events, setEvents] = useState(DEFAULT_EVENTS);
  const [secret, setSecret] = useState(makeSecret);
  const action = useAction({
    run: () =>
      rest<Webhook>(app, '/webhooks', {
        method: 'POST',
        isOfWebhooks: true,
        body: { version: '3.0', target_url: target, events, secret },
      }),
    done: 'The webhook was registered; its target is being verified.',
    changes: [['rest', app.appUuid, '/webhooks']],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ data }) => {
        const params = { app: app.appUuid, webhook: uuidOf(data.id) };
        void navigate({ to: '/apps/$app/webhooks/$webhook', params });
      },
    });
  return (
    <FormModal
      title="Register a webhook"
      isOpen={isOpen}
      close={close}
      submit={submit}
      submitLabel="Register"
      action={action}
    >
      <WebhookFields {...{ target, setTarget, events, setEvents }} />
      <SecretField secret={secret} setSecret={setSecret} />
    </FormModal>
  );
}

function SecretField({ secret, setSecret }: { secret: string; setSecret: (secret: string) => void }) {
  return (
    <>
      <TextInput
        label="Secret"
        description="Signs every delivery. Store it in your server now: it is not shown again."
        value={secret}
        onChange={(event) => setSecret(event.currentTarget.value)}
        required
        spellCheck={false}
        classNames={{ input: 'code-input' }}
      />
      <Text size="sm">
        How to check the signature:{' '}
        <Anchor href={apiAddress('/docs/guides/webhooks/')} target="_blank" underline="always" size="sm">
          the guide
        </Anchor>
        .
      </Text>
    </>
  );
}
