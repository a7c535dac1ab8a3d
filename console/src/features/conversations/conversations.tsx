import { Button, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Conversation } from '@parley/contract/gen/records';
import { useMemo, useState } from 'react';
import { uuidOf } from '../../api/app-ids.ts';
import { usePages } from '../../api/use-pages.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { PagedTable, type Column } from '../../ui/data-table.tsx';
import { PlainForm } from '../../ui/form/form.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { namesOf } from './names.ts';
import { conversationsList } from './queries.ts';

function participantsColumn(app: string): Column<Conversation> {
  return {
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
  };
}

const METADATA: Column<Conversation> = {
  id: 'metadata',
  header: 'Metadata',
  width: '2fr',
  isWide: true,
  cell: ({ metadata }) => {
    const text = JSON.stringify(metadata);
    return <code title={text}>{text === '{}' ? '–' : text}</code>;
  },
};
const LAST_ACTIVITY: Column<Conversation> = {
  id: 'activity',
  header: 'Last message',
  width: '130px',
  isWide: true,
  cell: ({ last_message }) => <Time at={last_message?.sent_at} />,
};
const LAST_COLUMNS: readonly Column<Conversation>[] = [
  { id: 'created', header: 'Created', width: '120px', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'distinct',
    header: 'Distinct',
    width: '80px',
    isWide: true,
    cell: ({ distinct }) => (distinct ? 'yes' : 'no'),
  },
];

function columnsOf(app: string, isOfUser: boolean): Column<Conversation>[] {
  return [participantsColumn(app), METADATA, ...(isOfUser ? [LAST_ACTIVITY] : []), ...LAST_COLUMNS];
}

export function ConversationsPage() {
  const app = useApp();
  const [user, filter] = useFilter('user');
  const pages = usePages(conversationsList(app, user));
  const columns = useMemo(() => columnsOf(app.appUuid, user !== ''), [app.appUuid, user]);
  return (
    <Page title="Conversations" about={describeList(user, pages.total)}>
      <div className="bar">
        <SearchField label="User id of a participant" value={user} change={filter} />
        <OpenById appUuid={app.appUuid} />
      </div>
      <PagedTable
        label="Conversations"
        what="the conversations"
        pages={pages}
        columns={columns}
        idOf={({ id }) => id}
        empty={<NoConversation user={user} />}
      />
    </Page>
  );
}

function describeList(user: string, total: number | undefined): string {
  if (user) return `Those that ${user} sees, the last active ones first.`;
  const count = total === undefined ? '' : `, ${total.toLocaleString('en')} in all`;
  return `All of the application${count}, the newest first.`;
}

function NoConversation({ user }: { user: string }) {
  return user ? (
    <Empty icon="conversations" title={`${user} sees no conversation`}>
      Remove the filter to see all.
    </Empty>
  ) : (
    <Empty icon="conversations" title="There is no conversation yet">
      Create one in the playground, or from your application.
    </Empty>
  );
}

function OpenById({ appUuid }: { appUuid: string }) {
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const open = () => {
    const params = { app: appUuid, conversation: uuidOf(id.trim()) };
    void navigate({ to: '/apps/$app/conversations/$conversation', params });
  };
  return (
    <PlainForm submit={open} className="bar">
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
    </PlainForm>
  );
}
