import { useNavigate } from '@tanstack/react-router';
import { ADMIN } from '../../api/admin.ts';
import type { AppIds } from '../../api/app-ids.ts';
import { STATISTICS_KEY, usersKey } from '../../api/query-keys.ts';
import { writeServer } from '../../api/server.ts';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { sessionsQuery, userQuery } from './queries.ts';

type Props = { app: AppIds; user: string };

export function UserActions({ isSuspended, ...of }: Props & { isSuspended: boolean }) {
  return (
    <>
      {isSuspended ? <Resume {...of} /> : <Suspend {...of} />}
      <Erase {...of} />
    </>
  );
}

function changesOf({ app, user }: Props) {
  return [userQuery(app, user).queryKey, sessionsQuery(app.appUuid, user).queryKey];
}

function Resume({ app, user }: Props) {
  return (
    <ConfirmButton
      label="Resume"
      color="teal"
      title={`Resume ${user}?`}
      effect="The user may log in again."
      run={() => ADMIN.resumeUser({ appUuid: app.appUuid, userId: user })}
      done="The user was resumed."
      changes={changesOf({ app, user })}
    />
  );
}

function Suspend({ app, user }: Props) {
  return (
    <ConfirmButton
      label="Suspend"
      title={`Suspend ${user}?`}
      effect="All sessions of the user end at once, and logins are refused until the user is resumed. The user stays in conversations, and messages to them wait."
      run={() => ADMIN.suspendUser({ appUuid: app.appUuid, userId: user })}
      done="The user was suspended."
      changes={changesOf({ app, user })}
    />
  );
}

function Erase({ app, user }: Props) {
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label="Erase"
      variant="filled"
      color="red"
      title={`Erase ${user}?`}
      effect="Identity, sessions, devices, blocks and presence are deleted at once; the content of the user's messages, announcements and uploads follows. It cannot be undone. The user id may log in again, as a new person."
      typed={user}
      run={() => writeServer(app, (server) => server.eraseUser(user))}
      done="The user was erased."
      changes={[usersKey(app.appUuid), STATISTICS_KEY]}
      after={() => void navigate({ to: '/apps/$app/users', params: { app: app.appUuid } })}
    />
  );
}
