import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { PUSH_ADMIN } from '../../api/push-admin.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';

const FIELDS = [
  ['userId', 'User id', true],
  ['deviceId', 'Device id', true],
  ['title', 'Title', false],
  ['text', 'Text', true],
] as const;

/** Sends a push to a device at once, and shows what the push service answered. */
export function TestPush({ appUuid }: { appUuid: string }) {
  const [push, setPush] = useState({ userId: '', deviceId: '', title: 'Test', text: 'It works.' });
  const action = useAction({ run: () => PUSH_ADMIN.sendTestPush({ appUuid, ...push }), changes: [] });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate();
  };
  return (
    <Section
      title="Test push"
      about="Sends one to a device at once, and says what the push service answered."
    >
      <form onSubmit={submit}>
        <Stack maw={560}>
          {FIELDS.map(([name, label, isRequired]) => (
            <TextInput
              key={name}
              label={label}
              value={push[name]}
              onChange={(event) => setPush({ ...push, [name]: event.currentTarget.value })}
              required={isRequired}
            />
          ))}
          <Group>
            <Button type="submit" loading={action.isPending}>
              Send
            </Button>
          </Group>
          {action.error && <FailureNote error={action.error} title="No push was sent" />}
          {action.data && (
            <Alert
              color={action.data.outcome === 'delivered' ? 'teal' : 'red'}
              variant="light"
              role="status"
              title={action.data.outcome}
            >
              {action.data.reason || 'The push service took the push.'}
            </Alert>
          )}
        </Stack>
      </form>
    </Section>
  );
}
