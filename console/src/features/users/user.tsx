import { Button, Group } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Badge as BadgeCounts, BasicIdentity, Identity } from '@parley/contract/gen/records';
import { pathTo, userName } from '../../api/path.ts';
import { describeFailure } from '../../api/failure.ts';
import { recordQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { wireNameOf } from '../../api/rest.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { JsonBlock } from '../../ui/code-block.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { UserActions } from './user-actions.tsx';
import { UserDevices } from './user-devices.tsx';
import { UserSessions } from './user-sessions.tsx';
import { Tag } from '../../ui/tag.tsx';

/** A user as servers see one. */
type UserState = { identity: BasicIdentity; suspended: boolean };

export function UserPage() {
  const app = useApp();
  const { user } = useParams({ from: '/apps/$app/users/$user' });
  const path = pathTo`/users/${user}`;
  const state = useQuery(recordQuery<UserState>(app, path));
  const identity = useQuery(recordQuery<Identity>(app, `${path}/identity`));
  const mayWrite = useMay('operator', app.appUuid);
  const isUnknown = identity.error !== null && describeFailure(identity.error).status === 404;
  return (
    <Page
      title={identity.data?.display_name ?? user}
      about={
        <Group gap="sm" component="span">
          <CopyText text={user} label="Copy the user id" />
          {state.data?.suspended && <Tag tone="bad">suspended</Tag>}
        </Group>
      }
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/apps/$app/conversations"
                params={{ app: app.appUuid }}
                search={{ user }}
              />
            )}
          >
            Conversations
          </Button>
          {mayWrite && state.data && <UserActions app={app} user={user} isSuspended={state.data.suspended} />}
        </>
      }
    >
      {isUnknown ? (
        <Empty icon="users" title="There is no such user">
          Nobody with this id has logged in, or was created, or the user was erased.{' '}
          <Link to="/apps/$app/users" params={{ app: app.appUuid }} className="text-link">
            Search all users
          </Link>
          .
        </Empty>
      ) : (
        <UserSections user={user} identity={identity} mayWrite={mayWrite} />
      )}
    </Page>
  );
}

function UserSections({
  user,
  identity,
  mayWrite,
}: {
  user: string;
  identity: UseQueryResult<Identity>;
  mayWrite: boolean;
}) {
  const app = useApp();
  return (
    <>
      <Section title="Identity">
        <Loaded query={identity} what="the identity">
          {(one) => <IdentityFields identity={one} />}
        </Loaded>
      </Section>
      <UserSessions app={app} user={user} mayWrite={mayWrite} />
      <UserDevices app={app} user={user} mayReadMessages={mayWrite} />
      <Counts user={user} />
      <Blocks user={user} />
    </>
  );
}

function IdentityFields({ identity }: { identity: Identity }) {
  const { first_name, last_name, email_address, phone_number, identity_type, presence, metadata } = identity;
  return (
    <Fields
      rows={[
        ['Type', identity_type],
        ['First name', first_name],
        ['Last name', last_name],
        ['E-mail address', email_address],
        ['Phone number', phone_number],
        ['Presence', presence.status],
        ['Last seen', <Time key="seen" at={presence.last_seen_at} />],
        [
          'Metadata',
          Object.keys(metadata).length > 0 ? (
            <JsonBlock key="metadata" value={metadata} label="Metadata" />
          ) : (
            'none'
          ),
        ],
      ]}
    />
  );
}

function Counts({ user }: { user: string }) {
  const query = useQuery(recordQuery<BadgeCounts>(useApp(), pathTo`/users/${user}/badge`));
  return (
    <Section title="Unread" about="What the badge of the user's devices counts.">
      <Loaded query={query} what="the counts">
        {({ unread_message_count, unread_conversation_count, external_unread_count }) => (
          <Fields
            rows={[
              ['Messages', unread_message_count],
              ['Conversations', unread_conversation_count],
              ['Set by the application', external_unread_count],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Blocks({ user }: { user: string }) {
  const app = useApp();
  const query = useQuery(recordQuery<BasicIdentity[]>(app, pathTo`/users/${user}/blocks`));
  return (
    <Section title="Blocked users" about="What they write does not reach this user.">
      <Loaded query={query} what="the blocked users">
        {(blocked) =>
          blocked.length === 0 ? (
            <Empty icon="users" title="This user blocks no one" />
          ) : (
            <Group gap="xs">
              {blocked.map(({ user_id }) => (
                <Link
                  key={user_id}
                  to="/apps/$app/users/$user"
                  params={{ app: app.appUuid, user: userName(user_id, wireNameOf(app)) }}
                  className="text-link"
                >
                  {user_id}
                </Link>
              ))}
            </Group>
          )
        }
      </Loaded>
    </Section>
  );
}
