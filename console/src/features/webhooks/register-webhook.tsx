import { Anchor, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { apiAddress } from '../../api/api-url.ts';
import { uuidOf, type AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues, type TextField } from '../../ui/form/use-values.ts';
import { webhooksQuery } from './queries.ts';
import { makeSecret } from './secret.ts';
import { DEFAULT_EVENTS, WebhookFields, type Target } from './webhook-fields.tsx';

type NewWebhook = Target & { secret: string };

function newWebhook(): NewWebhook {
  return { url: '', events: DEFAULT_EVENTS, secret: makeSecret() };
}

export function RegisterWebhook({ app }: { app: AppIds }) {
  const navigate = useNavigate();
  const { values, text, choice } = useValues(newWebhook);
  const { url: target_url, events, secret } = values;
  const body = { version: '3.0' as const, target_url, events, secret };
  const show = (id: string) => {
    const params = { app: app.appUuid, webhook: uuidOf(id) };
    void navigate({ to: '/apps/$app/webhooks/$webhook', params });
  };
  return (
    <FormDialog
      opener={{ label: 'Register a webhook', icon: 'plus' }}
      title="Register a webhook"
      submitLabel="Register"
      run={() => writeServer(app, (server) => server.createWebhook(body))}
      done="The webhook was registered; its target is being verified."
      changes={[webhooksQuery(app).queryKey]}
      after={({ id }) => show(id)}
    >
      <WebhookFields text={text} choice={choice} />
      <SecretField {...text('secret')} />
    </FormDialog>
  );
}

function SecretField(input: TextField) {
  return (
    <>
      <TextInput
        {...input}
        label="Secret"
        description="Signs every delivery. Store it in your server now: it is not shown again."
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
