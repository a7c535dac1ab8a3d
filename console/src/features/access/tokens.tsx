import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AccessToken } from '@parley/proto/parley/identity/v1/app_pb';
import { useState } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { SecretModal } from '../../ui/secret-modal.tsx';
import { Time } from '../../ui/time.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { tokensQuery } from './queries.ts';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '0', label: 'Without an end' },
];

const COLUMNS: readonly Column<AccessToken>[] = [
  { id: 'name', header: 'Name', width: '2fr', cell: ({ name }) => name },
  {
    id: 'expires',
    header: 'Ends',
    width: '1fr',
    isWide: true,
    cell: ({ expiresAt }) => (expiresAt === undefined ? 'never' : <Time at={expiresAt} />),
  },
  {
    id: 'created',
    header: 'Created',
    width: '1fr',
    isWide: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
const ACTIONS: Column<AccessToken> = {
  id: 'actions',
  header: 'Actions',
  width: '100px',
  cell: ({ id, name, appUuid }) => (
    <ConfirmButton
      label="Revoke"
      title={`Revoke ${name}?`}
      effect="Servers that use this token are refused at once. It cannot be brought back."
      run={() => ADMIN.deleteAccessToken({ accessTokenId: id })}
      done="The access token was revoked."
      changes={[tokensQuery(appUuid).queryKey]}
    />
  ),
};
const WITH_ACTIONS = [...COLUMNS, ACTIONS];

export function TokensPage() {
  const { appUuid } = useApp();
  const query = useQuery(tokensQuery(appUuid));
  const mayWrite = useMay('owner', appUuid);
  return (
    <Page
      title="Access tokens"
      about="With one of these the servers of the application call the server API. The platform keeps only their hashes."
      actions={mayWrite && <CreateToken appUuid={appUuid} />}
    >
      <Loaded query={query} what="the access tokens">
        {(tokens) => (
          <FilteredTable
            label="Access tokens"
            rows={tokens}
            columns={mayWrite ? WITH_ACTIONS : COLUMNS}
            idOf={({ id }) => id}
            filter={{ hint: 'Filter by name', textsOf: ({ name }) => [name] }}
            icon="tokens"
            empty={<NoToken />}
          />
        )}
      </Loaded>
    </Page>
  );
}

function NoToken() {
  return (
    <Empty icon="tokens" title="There is no access token yet">
      Create one for each server that calls, so that each can be revoked alone.
    </Empty>
  );
}

/** `days`: how long the token holds; none without an end. */
type NewToken = { name: string; days: string | null };

function tokenOf({ name, days }: NewToken) {
  const lifetime = Number(days) * DAY_MS;
  return { name, ...(lifetime > 0 && { expiresAt: Date.now() + lifetime }) };
}

function CreateToken({ appUuid }: { appUuid: string }) {
  const { values, change, text, choice } = useValues<NewToken>({ name: '', days: '365' });
  const [secret, setSecret] = useState<string>();
  const settle = (token: string) => {
    change({ name: '' });
    setSecret(token);
  };
  return (
    <>
      <FormDialog
        opener={{ label: 'New access token', icon: 'plus' }}
        title="New access token"
        submitLabel="Create"
        run={() => ADMIN.createAccessToken({ appUuid, ...tokenOf(values) })}
        changes={[tokensQuery(appUuid).queryKey]}
        after={({ token }) => settle(token)}
      >
        <TextInput
          {...text('name')}
          label="Name"
          description="Which server has it, such as “Billing”."
          required
          maxLength={128}
          data-autofocus
        />
        <Select {...choice('days')} label="Ends after" data={LIFETIMES} allowDeselect={false} />
      </FormDialog>
      <SecretModal title="The access token" secret={secret} close={() => setSecret(undefined)} />
    </>
  );
}
