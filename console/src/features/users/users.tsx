import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { useMemo, useState } from 'react';
import { pathTo, userName } from '../../api/path.ts';
import { usersList } from '../../api/pages.ts';
import { rest, wireNameOf, type AppIds } from '../../api/rest.ts';
import { useMay } from '../../api/session.ts';
import { useParts } from '../../api/use-pages.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { PartedTable, type Column } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { useAction } from '../../ui/use-action.ts';
import { AppState } from '../../ui/app-state.tsx';
import { Tag } from '../../ui/tag.tsx';

function columnsOf(app: AppIds): Column<Identity>[] {
  return [
    {
      id: 'user',
      header: 'User id',
      width: '2fr',
      cell: ({ userId }) => (
        <Link
          to="/apps/$app/users/$user"
          params={{ app: app.appUuid, user: userName(userId, wireNameOf(app)) }}
          className="cell-link"
          title={userId}
        >
          {userId}
        </Link>
      ),
    },
    { id: 'name', header: 'Name', width: '2fr', cell: ({ displayName }) => displayName ?? '–' },
    {
      id: 'type',
      header: 'Type',
      width: '100px',
      isWide: true,
      cell: ({ type }) => (type === IdentityType.BOT ? <Tag tone="info">bot</Tag> : 'user'),
    },
    {
      id: 'email',
      header: 'E-mail address',
      width: '2fr',
      isWide: true,
      cell: ({ emailAddress }) => emailAddress ?? '–',
    },
    {
      id: 'state',
      header: 'State',
      width: '110px',
      isWide: true,
      cell: ({ suspended }) => <AppState isSuspended={suspended} />,
    },
  ];
}

export function UsersPage() {
  const app = useApp();
  const [q, filter] = useFilter();
  const parts = useParts(usersList(app.appUuid, q));
  const mayWrite = useMay('operator', app.appUuid);
  const columns = useMemo(() => columnsOf(app), [app]);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Page
      title="Users"
      about="Everyone who logged in, or was created by a server, and the application's bots."
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            New user or bot
          </Button>
        )
      }
    >
      <div className="bar">
        <SearchField label="Beginning of a user id or name" value={q} change={filter} />
      </div>
      <PartedTable
        label="Users"
        what="the users"
        parts={parts}
        columns={columns}
        idOf={({ userId }) => userId}
        empty={
          <Empty icon="users" title={q ? `No user id or name begins with “${q}”` : 'There is no user yet'}>
            {q
              ? 'Search for the beginning of another one.'
              : 'A user comes into being with the first login. Try one in the playground.'}
          </Empty>
        }
      />
      <CreateUser app={app} isOpen={isOpen} close={close} />
    </Page>
  );
}

function CreateUser({ app, isOpen, close }: { app: AppIds; isOpen: boolean; close: () => void }) {
  const navigate = useNavigate();
  const [kind, setKind] = useState('bot');
  const [userId, setUserId] = useState('');
  const [name, setName] = useState('');
  const action = useAction({
    run: () =>
      rest(app, pathTo`/users/${userId}/identity`, {
        method: 'POST',
        body: { display_name: name, identity_type: kind },
      }),
    done: `The ${kind} was created.`,
    changes: [['users', app.appUuid], ['statistics']],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: () => {
        void navigate({
          to: '/apps/$app/users/$user',
          params: { app: app.appUuid, user: userName(userId, wireNameOf(app)) },
        });
      },
    });
  return (
    <FormModal
      title="New user or bot"
      isOpen={isOpen}
      close={close}
      submit={submit}
      submitLabel="Create"
      action={action}
    >
      <KindChoice kind={kind} setKind={setKind} />
      <TextInput
        label="User id"
        description={
          kind === 'bot'
            ? 'Servers send with it as the sender, also into conversations in which it takes no part.'
            : 'The application’s own name of the user, as in its identity tokens.'
        }
        value={userId}
        onChange={(event) => setUserId(event.currentTarget.value)}
        required
        maxLength={256}
        data-autofocus
      />
      <TextInput
        label="Display name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={128}
      />
    </FormModal>
  );
}

function KindChoice({ kind, setKind }: { kind: string; setKind: (kind: string) => void }) {
  return (
    <SegmentedControl
      value={kind}
      onChange={setKind}
      aria-label="Kind"
      data={[
        { value: 'bot', label: 'Bot' },
        { value: 'user', label: 'User' },
      ]}
    />
  );
}
