import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { serverCaller, userCaller } from './caller.ts';
import type { Login } from './demonstration-login.ts';
import { LiveSocket } from './live-socket.tsx';
import { LogIn } from './log-in.tsx';
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
