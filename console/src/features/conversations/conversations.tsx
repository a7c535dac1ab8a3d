import { Button, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { BasicIdentity, Conversation } from '@parley/contract/gen/records';
import { useMemo, useState, type FormEvent } from 'react';
import { pathTo, userName } from '../../api/path.ts';
import { restList } from '../../api/pages.ts';
import { useParts } from '../../api/use-pages.ts';
import { wireNameOf } from '../../api/rest.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { PartedTable, type Column } from '../../ui/data-table.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';

export function uuidOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

const LAST_ACTIVITY: Column<Conversation> = {
  id: 'activity',
  header: 'Last message',
  width: '130px',
  isWide: true,
  cell: ({ last_message }) => <Time at={last_message?.sent_at} />,
};

function columnsOf(app: string, isOfUser: boolean): Column<Conversation>[] {
  return [
    {
      id: 'participants',
      header: 'Participants',
      width: '3fr',
      cell: ({ id, participants }) => (
        <Link
          to="/apps/$app/conversations/$conversation"
          params={{ app, conversation: uuidOf(id) }}
          className="cell-link"
        >
          {namesOf(participants)}
        </Link>
      ),
    },
    {
      id: 'metadata',
      header: 'Metadata',
      width: '2fr',
      isWide: true,
      cell: ({ metadata }) => {
        const text = JSON.stringify(metadata);
        return <code title={text}>{text === '{}' ? '–' : text}</code>;
      },
    },
    ...(isOfUser ? [LAST_ACTIVITY] : []),
    { id: 'created', header: 'Created', width: '120px', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'distinct',
      header: 'Distinct',
      width: '80px',
      isWide: true,
      cell: ({ distinct }) => (distinct ? 'yes' : 'no'),
    },
  ];
}

/** Of a sender or participant; null is the platform itself. */
export function nameOf(identity: BasicIdentity | null): string {
  return identity === null ? 'the platform' : (identity.display_name ?? identity.user_id);
}

export function namesOf(participants: Conversation['participants']): string {
  if (participants.length === 0) return 'no participants';
  return participants.map(nameOf).join(', ');
}

export function ConversationsPage() {
  const app = useApp();
  const [user, filter] = useFilter('user');
  // A user id that is being written may be `..` for a moment.
  const name = userName(user, wireNameOf(app));
  const path = user ? pathTo`/users/${name}/conversations?sort_by=last_message` : '/conversations';
  const parts = useParts(restList<Conversation>(app, path));
  const columns = useMemo(() => columnsOf(app.appUuid, user !== ''), [app.appUuid, user]);
  const { total } = parts;
  return (
    <Page
      title="Conversations"
      about={
        user
          ? `Those that ${user} sees, the last active ones first.`
          : `All of the application${total === undefined ? '' : `, ${total.toLocaleString('en')} in all`}, the newest first.`
      }
    >
      <div className="bar">
        <SearchField label="User id of a participant" value={user} change={filter} />
        <OpenById appUuid={app.appUuid} />
      </div>
      <PartedTable
        label="Conversations"
        what="the conversations"
        parts={parts}
        columns={columns}
        idOf={({ id }) => id}
        empty={
          <Empty
            icon="conversations"
            title={user ? `${user} sees no conversation` : 'There is no conversation yet'}
          >
            {user
              ? 'Remove the filter to see all.'
              : 'Create one in the playground, or from your application.'}
          </Empty>
        }
      />
    </Page>
  );
}

function OpenById({ appUuid }: { appUuid: string }) {
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const conversation = uuidOf(id.trim());
    void navigate({ to: '/apps/$app/conversations/$conversation', params: { app: appUuid, conversation } });
  };
  return (
    <form onSubmit={submit} className="bar">
      <TextInput
        aria-label="Id of a conversation"
        placeholder="Id of a conversation"
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
        required
      />
      <Button type="submit" variant="default">
        Open
      </Button>
    </form>
  );
}
