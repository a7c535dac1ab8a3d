import { Alert, TextInput } from '@mantine/core';
import type { SendTestPushResponse } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { PUSH_ADMIN } from '../../api/push-admin.ts';
import { Form } from '../../ui/form/form.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';

const EXAMPLE = { userId: '', deviceId: '', title: 'Test', text: 'It works.' };

/** Sends a push to a device at once, and shows what the push service answered. */
export function TestPush({ appUuid }: { appUuid: string }) {
  const { values, text } = useValues(EXAMPLE);
  const send = useAction({ run: () => PUSH_ADMIN.sendTestPush({ appUuid, ...values }), changes: [] });
  return (
    <Section
      title="Test push"
      about="Sends one to a device at once, and says what the push service answered."
    >
      <Form
        maw={560}
        submit={() => send.mutate()}
        submitLabel="Send"
        action={send}
        failureTitle="No push was sent"
        result={send.data && <Outcome {...send.data} />}
      >
        <TextInput {...text('userId')} label="User id" required />
        <TextInput {...text('deviceId')} label="Device id" required />
        <TextInput {...text('title')} label="Title" />
        <TextInput {...text('text')} label="Text" required />
      </Form>
    </Section>
  );
}

function Outcome({ outcome, reason }: Pick<SendTestPushResponse, 'outcome' | 'reason'>) {
  return (
    <Alert color={outcome === 'delivered' ? 'teal' : 'red'} variant="light" role="status" title={outcome}>
      {reason || 'The push service took the push.'}
    </Alert>
  );
}
