import '@mantine/core/styles/Combobox.css';
import { Autocomplete, SegmentedControl } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Conversation, Restriction } from '@parley/contract/gen/records';
import { useMemo } from 'react';
import { wireNameOf, type AppIds } from '../../api/app-ids.ts';
import { userName } from '../../api/path.ts';
import { writeServer } from '../../api/server.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { NEW_TERM, TermFields, termOf, type Term } from '../../ui/restriction-fields.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf } from './names.ts';
import { conversationQuery, restrictionsQuery } from './queries.ts';

type Props = { app: AppIds; id: string };

/** Participants that a field offers: there may be thousands. */
const MOST_OFFERED = 50;

const COLUMNS: readonly Column<Restriction>[] = [
  { id: 'user', header: 'User', width: '2fr', cell: ({ user }) => nameOf(user) },
  {
    id: 'type',
    header: 'Restriction',
    width: '110px',
    cell: ({ type }) => <Tag tone={type === 'ban' ? 'bad' : 'waiting'}>{type}</Tag>,
  },
  {
    id: 'until',
    header: 'Ends',
    width: '120px',
    isWide: true,
    cell: ({ until }) => (until === null ? 'never' : <Time at={until} />),
  },
  {
    id: 'reason',
    header: 'Reason',
    width: '2fr',
    isWide: true,
    cell: ({ reason }) => <span title={reason ?? ''}>{reason ?? '–'}</span>,
  },
];

/** Users who are muted or banned in a conversation. */
export function Restrictions({
  app,
  id,
  conversation,
  query,
}: Props & { conversation: Conversation; query: UseQueryResult<Restriction[]> }) {
  const columns = useMemo(() => [...COLUMNS, actionsColumn({ app, id })], [app, id]);
  return (
    <Section
      title="Restrictions"
      about="The newest 100 mutes and bans in force here. A ban removes the user, and keeps them out."
      actions={<Restrict app={app} id={id} conversation={conversation} />}
    >
      <Loaded query={query} what="the restrictions">
        {(restrictions) => (
          <FilteredTable
            label="Restrictions"
            rows={restrictions}
            columns={columns}
            idOf={({ user }) => user.id}
            filter={{
              name: 'restricted',
              hint: 'Filter by user or reason',
              textsOf: ({ user, type, reason }) => [nameOf(user), user.user_id, type, reason ?? ''],
            }}
            icon="users"
            empty={<Empty icon="users" title="Nobody is restricted" />}
          />
        )}
      </Loaded>
    </Section>
  );
}

function changesOf({ app, id }: Props) {
  return [restrictionsQuery(app, id).queryKey, conversationQuery(app, id).queryKey];
}

function actionsColumn({ app, id }: Props): Column<Restriction> {
  return {
    id: 'actions',
    header: 'Actions',
    width: '90px',
    cell: ({ user, type }) => (
      <ConfirmButton
        label="Lift"
        color="teal"
        title={`Lift the ${type} of ${nameOf(user)}?`}
        effect={
          type === 'ban'
            ? 'The user may be added again; nobody is added by this.'
            : 'The user writes again, as their role allows.'
        }
        run={() => writeServer(app, (server) => server.deleteRestriction(id, user.user_id))}
        done="The restriction was lifted."
        changes={changesOf({ app, id })}
      />
    ),
  };
}

type Draft = Term & { user: string; type: 'mute' | 'ban' };

const NEW_DRAFT: Draft = Object.assign({ user: '', type: 'mute' as const }, NEW_TERM);

const TYPES: { value: Draft['type']; label: string }[] = [
  { value: 'mute', label: 'Mute' },
  { value: 'ban', label: 'Ban' },
];

function Restrict({ app, id, conversation }: Props & { conversation: Conversation }) {
  const { values, change, choice } = useValues(NEW_DRAFT);
  return (
    <FormDialog
      opener={{ label: 'Mute or ban' }}
      title="Mute or ban a user"
      submitLabel={values.type === 'ban' ? 'Ban' : 'Mute'}
      run={() =>
        writeServer(app, (server) =>
          server.putRestriction(id, values.user, { type: values.type, ...termOf(values) }),
        )
      }
      done={values.type === 'ban' ? 'The user was banned.' : 'The user was muted.'}
      changes={changesOf({ app, id })}
      renew={() => change(NEW_DRAFT)}
    >
      <Autocomplete
        {...choice('user')}
        label="User id"
        description="A participant, or a user who is to be kept out. A restriction before is replaced."
        data={conversation.participants.map(({ user_id }) => userName(user_id, wireNameOf(app)))}
        limit={MOST_OFFERED}
        required
        data-autofocus
      />
      <SegmentedControl {...choice('type')} aria-label="Restriction" data={TYPES} />
      <TermFields values={values} change={change} />
    </FormDialog>
  );
}
