import { useNavigate } from '@tanstack/react-router';
import { pathTo } from '../../api/path.ts';
import { ADMIN } from '../../api/admin.ts';
import { rest, type AppIds } from '../../api/rest.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';

type Props = { app: AppIds; user: string; isSuspended: boolean };

export function UserActions({ app, user, isSuspended }: Props) {
  const navigate = useNavigate();
  const { appUuid } = app;
  const path = pathTo`/users/${user}`;
  const changes = [
    ['rest', appUuid, path],
    ['user-sessions', appUuid, user],
  ];
  return (
    <>
      {isSuspended ? (
        <ConfirmButton
          label="Resume"
          color="teal"
          title={`Resume ${user}?`}
          effect="The user may log in again."
          run={() => ADMIN.resumeUser({ appUuid, userId: user })}
          done="The user was resumed."
          changes={changes}
        />
      ) : (
        <ConfirmButton
          label="Suspend"
          title={`Suspend ${user}?`}
          effect="All sessions of the user end at once, and logins are refused until the user is resumed. The user stays in conversations, and messages to them wait."
          run={() => ADMIN.suspendUser({ appUuid, userId: user })}
          done="The user was suspended."
          changes={changes}
        />
      )}
      <ConfirmButton
        label="Erase"
        variant="filled"
        color="red"
        title={`Erase ${user}?`}
        effect="Identity, sessions, devices, blocks and presence are deleted at once; the content of the user's messages, announcements and uploads follows. It cannot be undone. The user id may log in again, as a new person."
        typed={user}
        run={() => rest(app, path, { method: 'DELETE' })}
        done="The user was erased."
        changes={[['users', appUuid], ['statistics']]}
        after={() => void navigate({ to: '/apps/$app/users', params: { app: appUuid } })}
      />
    </>
  );
}
