import { Group } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Identity } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { JsonBlock } from '../../ui/code-block.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { UserLink } from '../../ui/user-link.tsx';
import { badgeQuery, blocksQuery } from './queries.ts';

type Props = { app: AppIds; user: string };

export function IdentitySection({ identity }: { identity: UseQueryResult<Identity> }) {
  return (
    <Section title="Identity">
      <Loaded query={identity} what="the identity">
        {(one) => <IdentityFields identity={one} />}
      </Loaded>
    </Section>
  );
}

function IdentityFields({ identity }: { identity: Identity }) {
  const { first_name, last_name, email_address, phone_number, identity_type, presence, metadata } = identity;
  const isEmpty = Object.keys(metadata).length === 0;
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
        ['Metadata', isEmpty ? 'none' : <JsonBlock key="metadata" value={metadata} label="Metadata" />],
      ]}
    />
  );
}

export function Counts({ app, user }: Props) {
  const query = useQuery(badgeQuery(app, user));
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

export function Blocks({ app, user }: Props) {
  const query = useQuery(blocksQuery(app, user));
  return (
    <Section title="Blocked users" about="What they write does not reach this user.">
      <Loaded query={query} what="the blocked users">
        {(blocked) =>
          blocked.length === 0 ? (
            <Empty icon="users" title="This user blocks no one" />
          ) : (
            <UserLinks app={app} users={blocked} />
          )
        }
      </Loaded>
    </Section>
  );
}

function UserLinks({ app, users }: { app: AppIds; users: readonly { user_id: string }[] }) {
  return (
    <Group gap="xs">
      {users.map(({ user_id }) => (
        <UserLink key={user_id} app={app} userId={user_id} className="text-link">
          {user_id}
        </UserLink>
      ))}
    </Group>
  );
}
