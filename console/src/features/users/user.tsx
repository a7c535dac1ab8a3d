import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { isNotFound } from '../../api/failure.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { Tag } from '../../ui/tag.tsx';
import { identityQuery, userQuery } from './queries.ts';
import { RestrictionSection } from './mute.tsx';
import { UserActions } from './user-actions.tsx';
import { UserDevices } from './user-devices.tsx';
import { Blocks, Counts, IdentitySection } from './user-sections.tsx';
import { UserSessions } from './user-sessions.tsx';

export function UserPage() {
  const app = useApp();
  const { user } = useParams({ from: '/apps/$app/users/$user' });
  const { data: state } = useQuery(userQuery(app, user));
  const identity = useQuery(identityQuery(app, user));
  const mayWrite = useMay('operator', app.appUuid);
  return (
    <Page
      title={identity.data?.display_name ?? user}
      about={
        <Group gap="sm" component="span">
          <CopyText text={user} label="Copy the user id" />
          {state?.suspended && <Tag tone="bad">suspended</Tag>}
        </Group>
      }
      actions={
        <>
          <ConversationsLink app={app.appUuid} user={user} />
          {mayWrite && state && <UserActions app={app} user={user} isSuspended={state.suspended} />}
        </>
      }
    >
      {isNotFound(identity.error) ? (
        <NoSuchUser app={app.appUuid} />
      ) : (
        <>
          <IdentitySection identity={identity} />
          {mayWrite && <RestrictionSection app={app} user={user} />}
          <UserSessions app={app} user={user} mayWrite={mayWrite} />
          <UserDevices app={app} user={user} mayReadMessages={mayWrite} />
          <Counts app={app} user={user} />
          <Blocks app={app} user={user} />
        </>
      )}
    </Page>
  );
}

function ConversationsLink({ app, user }: { app: string; user: string }) {
  return (
    <Button
      variant="default"
      size="xs"
      renderRoot={(props) => (
        <Link {...props} to="/apps/$app/conversations" params={{ app }} search={{ user }} />
      )}
    >
      Conversations
    </Button>
  );
}

function NoSuchUser({ app }: { app: string }) {
  return (
    <Empty icon="users" title="There is no such user">
      Nobody with this id has logged in, or was created, or the user was erased.{' '}
      <Link to="/apps/$app/users" params={{ app }} className="text-link">
        Search all users
      </Link>
      .
    </Empty>
  );
}
