import type { Webhook } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { webhookChanges } from './queries.ts';
import { WebhookFields, type Target } from './webhook-fields.tsx';

type Props = { app: AppIds; id: string; webhook: Webhook };

function targetOf({ target_url, events }: Webhook): Target {
  return { url: target_url, events };
}

export function EditWebhook({ app, id, webhook }: Props) {
  const { values, change, text, choice } = useValues(targetOf(webhook));
  const { url, events } = values;
  const isMoved = url !== webhook.target_url;
  const body = { events, ...(isMoved && { target_url: url }) };
  return (
    <FormDialog
      opener={{ label: 'Edit' }}
      title="Change the webhook"
      submitLabel="Save"
      run={() => writeServer(app, (server) => server.updateWebhook(id, body))}
      done={isMoved ? 'The webhook was changed; its target is being verified.' : 'The webhook was changed.'}
      changes={webhookChanges(app, id)}
      renew={() => change(targetOf(webhook))}
    >
      <WebhookFields text={text} choice={choice} />
    </FormDialog>
  );
}
