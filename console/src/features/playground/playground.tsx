import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Empty, Page, Section } from '../../ui/page.tsx';
import { useAction } from '../../ui/use-action.ts';
import { serverCaller, userCaller } from './caller.ts';
import { logInAs, type Login } from './demonstration-login.ts';
import { LiveSocket } from './live-socket.tsx';
import { RequestForm } from './request-form.tsx';

/** Requests as a server of the application; requests and a socket as a user, for whom the console vouches itself. */
export function PlaygroundPage() {
  const app = useApp();
  const { as = 'user' } = useSearch({ from: '/apps/$app/playground' });
  const navigate = useNavigate({ from: '/apps/$app/playground' });
  return (
    <Page
      title="Playground"
      about="Send requests of the client API as a demonstration user, and watch the packets of a live socket; or send requests of the server API. Everything is real."
    >
      <div className="bar">
        <SegmentedControl
          aria-label="Who sends the requests"
          value={as}
          onChange={(next) => void navigate({ search: { as: next }, replace: true })}
          data={[
            { value: 'user', label: 'As a user' },
            { value: 'server', label: 'As a server' },
          ]}
        />
      </div>
      {as === 'server' ? <AsServer key={app.appUuid} /> : <AsUser key={app.appUuid} />}
    </Page>
  );
}

function AsServer() {
  const app = useApp();
  const mayWrite = useMay('operator', app.appUuid);
  return <RequestForm caller={serverCaller(app, mayWrite)} />;
}

function AsUser() {
  const { appUuid } = useApp();
  const mayMakeKeys = useMay('owner', appUuid);
  const [login, setLogin] = useState<Login>();
  return mayMakeKeys ? (
    <>
      <LogIn login={login} setLogin={setLogin} />
      {login && <RequestForm caller={userCaller(login)} />}
      {login && <LiveSocket key={login.token} login={login} />}
    </>
  ) : (
    <Empty icon="playground" title="Your role does not make keys">
      The playground makes a key for the login of a user, which an owner of the application can do. You can
      send requests as a server.
    </Empty>
  );
}

function LogIn({ login, setLogin }: { login: Login | undefined; setLogin: (login: Login) => void }) {
  const app = useApp();
  const [user, setUser] = useState('playground');
  const action = useAction({
    run: () => logInAs(app, user),
    changes: [['statistics'], ['users', app.appUuid], ['audit']],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate(undefined, { onSuccess: setLogin });
  };
  return (
    <Section
      title="User"
      about="For the login the console creates a provider with a key, signs an identity token in this browser, and deletes the provider again. The audit log has all of it."
    >
      <form onSubmit={submit}>
        <Stack>
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
          {action.error && <FailureNote error={action.error} title="Failed to log in" />}
          {login && (
            <Group gap="xs">
              <Text size="sm" role="status">
                Logged in as {login.user}. Session token:
              </Text>
              <CopyText
                text={login.token}
                shown={`${login.token.slice(0, 8)}…`}
                label="Copy the session token"
              />
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
