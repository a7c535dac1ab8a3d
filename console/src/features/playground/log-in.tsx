import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { AUDIT_KEY, STATISTICS_KEY, usersKey } from '../../api/query-keys.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';
import { logInAs, type Login } from './demonstration-login.ts';

export function LogIn({ login, setLogin }: { login: Login | undefined; setLogin: (login: Login) => void }) {
  const app = useApp();
  const [user, setUser] = useState('playground');
  const action = useAction({
    run: () => logInAs(app, user),
    changes: [STATISTICS_KEY, usersKey(app.appUuid), AUDIT_KEY],
  });
  return (
    <Section
      title="User"
      about="For the login the console creates a provider with a key, signs an identity token in this browser, and deletes the provider again. The audit log has all of it."
    >
      <Form
        submit={() => action.mutate(undefined, { onSuccess: setLogin })}
        action={action}
        failureTitle="Failed to log in"
        result={login && <LoggedIn login={login} />}
      >
        <Group align="flex-end">
          <TextInput
            label="User id"
            value={user}
            onChange={(event) => setUser(event.currentTarget.value)}
            required
            maxLength={256}
          />
          <Button type="submit" loading={action.isPending}>
            Log in
          </Button>
        </Group>
      </Form>
    </Section>
  );
}

function LoggedIn({ login: { user, token } }: { login: Login }) {
  return (
    <Group gap="xs">
      <Text size="sm" role="status">
        Logged in as {user}. Session token:
      </Text>
      <CopyText text={token} shown={`${token.slice(0, 8)}…`} label="Copy the session token" />
    </Group>
  );
}
