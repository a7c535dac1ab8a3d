import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { webhookChanges } from './queries.ts';
import { RotateSecret } from './rotate-secret.tsx';
import { SendTestEvent } from './send-test-event.tsx';

type Props = { app: AppIds; id: string };

export function WebhookActions({ app, id, webhook }: Props & { webhook: Webhook }) {
  return (
    <>
      <SendTestEvent app={app} id={id} webhook={webhook} />
      <EditWebhook app={app} id={id} webhook={webhook} />
      <Verify app={app} id={id} />
      <RotateSecret app={app} id={id} />
      {webhook.status !== 'inactive' && <Deactivate app={app} id={id} />}
      <Delete app={app} id={id} />
    </>
  );
}

function Verify({ app, id }: Props) {
  return (
    <ConfirmButton
      label="Verify"
      color="indigo"
      title="Verify the target?"
      effect="The target is asked for the challenge again. An inactive webhook becomes active when it answers."
      run={() => writeServer(app, (server) => server.activateWebhook(id))}
      done="The target is being verified."
      changes={webhookChanges(app, id)}
    />
  );
}

function Deactivate({ app, id }: Props) {
  return (
    <ConfirmButton
      label="Deactivate"
      title="Deactivate the webhook?"
      effect="Nothing is delivered until it is verified again. Deliveries that wait are kept for 30 days; events from now on are not sent later."
      run={() => writeServer(app, (server) => server.deactivateWebhook(id))}
      done="The webhook was deactivated."
      changes={webhookChanges(app, id)}
    />
  );
}

function Delete({ app, id }: Props) {
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label="Delete"
      variant="filled"
      color="red"
      title="Delete the webhook?"
      effect="The webhook is removed with all its deliveries, also those that wait. It cannot be brought back."
      run={() => writeServer(app, (server) => server.deleteWebhook(id))}
      done="The webhook was deleted."
      changes={[]}
      after={() => void navigate({ to: '/apps/$app/webhooks', params: { app: app.appUuid } })}
    />
  );
}
