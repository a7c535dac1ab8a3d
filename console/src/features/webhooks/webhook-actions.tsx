import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@parley/contract/gen/records';
import { useState } from 'react';
import { pathTo } from '../../api/path.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { SecretModal } from '../../ui/secret-modal.tsx';
import { useAction } from '../../ui/use-action.ts';
import { EditWebhook } from './edit-webhook.tsx';
import { SendTestEvent } from './send-test-event.tsx';

type Props = { app: AppIds; webhook: Webhook; path: string };

export function WebhookActions({ app, webhook, path }: Props) {
  const navigate = useNavigate();
  const changes = [
    ['rest', app.appUuid, path],
    ['rest', app.appUuid, '/webhooks'],
  ];
  const post = (action: string) => () =>
    rest(app, path + pathTo`/${action}`, { method: 'POST', isOfWebhooks: true });
  return (
    <>
      <SendTestEvent app={app} webhook={webhook} path={path} />
      <EditWebhook app={app} webhook={webhook} path={path} />
      <ConfirmButton
        label="Verify"
        color="indigo"
        title="Verify the target?"
        effect="The target is asked for the challenge again. An inactive webhook becomes active when it answers."
        run={post('activate')}
        done="The target is being verified."
        changes={changes}
      />
      <RotateSecret app={app} path={path} />
      {webhook.status !== 'inactive' && (
        <ConfirmButton
          label="Deactivate"
          title="Deactivate the webhook?"
          effect="Nothing is delivered until it is verified again. Deliveries that wait are kept for 30 days; events from now on are not sent later."
          run={post('deactivate')}
          done="The webhook was deactivated."
          changes={changes}
        />
      )}
      <ConfirmButton
        label="Delete"
        variant="filled"
        color="red"
        title="Delete the webhook?"
        effect="The webhook is removed with all its deliveries, also those that wait. It cannot be brought back."
        run={() => rest(app, path, { method: 'DELETE', isOfWebhooks: true })}
        done="The webhook was deleted."
        changes={[]}
        after={() => void navigate({ to: '/apps/$app/webhooks', params: { app: app.appUuid } })}
      />
    </>
  );
}

function RotateSecret({ app, path }: { app: AppIds; path: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [given, setGiven] = useState('');
  const [secret, setSecret] = useState<string>();
  const action = useAction({
    run: () =>
      rest<Webhook & { secret: string }>(app, `${path}/rotate_secret`, {
        method: 'POST',
        isOfWebhooks: true,
        ...(given && { body: { secret: given } }),
      }),
    changes: [],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ data }) => {
        setGiven('');
        setSecret(data.secret);
        close();
      },
    });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Rotate the secret
      </Button>
      <FormModal
        title="Rotate the secret"
        isOpen={isOpen}
        close={close}
        submit={submit}
        submitLabel="Rotate"
        action={action}
      >
        <TextInput
          label="New secret"
          description="Empty: the platform makes one. The old secret signs as well for 24 hours."
          value={given}
          onChange={(event) => setGiven(event.currentTarget.value)}
          maxLength={512}
          spellCheck={false}
        />
      </FormModal>
      <SecretModal title="The new secret" secret={secret} close={() => setSecret(undefined)} />
    </>
  );
}
