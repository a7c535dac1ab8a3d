import '@mantine/core/styles/Combobox.css';
import { Autocomplete, Select, Stack, Text } from '@mantine/core';
import type { BasicIdentity, Conversation } from '@parley/contract/gen/records';
import { wireNameOf, type AppIds } from '../../api/app-ids.ts';
import { userName } from '../../api/path.ts';
import { writeServer } from '../../api/server.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { UserLink } from '../../ui/user-link.tsx';
import { nameOf } from './names.ts';
import { conversationQuery } from './queries.ts';

type Props = { app: AppIds; id: string; conversation: Conversation };
type Role = NonNullable<Conversation['roles']>[string];

/** The most powerful first. */
const ROLES: Role[] = ['owner', 'moderator', 'member', 'observer'];
/** Participants with a role that are shown: there may be thousands. */
const MOST_SHOWN = 50;

/** The participants who are no members, with a button that gives a role. */
export function Roles({ mayWrite, ...props }: Props & { mayWrite: boolean }) {
  const { participants, roles = {} } = props.conversation;
  const holders = participants.filter(({ id }) => id in roles);
  return (
    <Stack gap="xs" align="flex-start">
      {holders.slice(0, MOST_SHOWN).map((one) => (
        <Holder key={one.id} app={props.app} identity={one} role={roles[one.id]} />
      ))}
      {holders.length === 0 && 'all participants are members'}
      {holders.length > MOST_SHOWN && (
        <Text size="xs" c="dimmed">{`and ${holders.length - MOST_SHOWN} more`}</Text>
      )}
      {mayWrite && <GiveRole {...props} />}
    </Stack>
  );
}

type HolderProps = { app: AppIds; identity: BasicIdentity; role: Role | undefined };

function Holder({ app, identity, role }: HolderProps) {
  return (
    <span>
      <UserLink app={app} userId={identity.user_id} className="text-link">
        {nameOf(identity)}
      </UserLink>
      {`: ${role}`}
    </span>
  );
}

const NO_ROLE: { user: string; role: Role } = { user: '', role: 'moderator' };

function GiveRole({ app, id, conversation }: Props) {
  const { values, change, choice } = useValues(NO_ROLE);
  const { user, role } = values;
  const property = `roles.${user.replaceAll('.', '\\.')}`;
  return (
    <FormDialog
      opener={{ label: 'Give a role' }}
      title="Give a participant a role"
      submitLabel="Give"
      run={() =>
        writeServer(app, (server) =>
          server.updateConversation(id, [{ operation: 'set', property, value: role }]),
        )
      }
      done="The role was given."
      changes={[conversationQuery(app, id).queryKey]}
      renew={() => change(NO_ROLE)}
    >
      <Autocomplete
        {...choice('user')}
        label="Participant"
        data={conversation.participants.map(({ user_id }) => userName(user_id, wireNameOf(app)))}
        limit={MOST_SHOWN}
        required
        data-autofocus
      />
      <Select
        label="Role"
        data={ROLES}
        value={role}
        allowDeselect={false}
        onChange={(value) => value !== null && change({ role: value as Role })}
      />
    </FormDialog>
  );
}
