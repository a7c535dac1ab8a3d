import { Button, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AccessToken } from '@parley/proto/parley/identity/v1/app_pb';
import { useMemo, useState } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilteredTable } from '../../ui/filtered-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { SecretModal } from '../../ui/secret-modal.tsx';
import { Time } from '../../ui/time.tsx';
import { useAction } from '../../ui/use-action.ts';

function tokensQuery(appUuid: string) {
  return queryOptions({
    queryKey: ['access-tokens', appUuid],
    queryFn: async () => (await ADMIN.listAccessTokens({ appUuid })).accessTokens,
  });
}

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

export function TokensPage() {
  const { appUuid } = useApp();
  const query = useQuery(tokensQuery(appUuid));
  const mayWrite = useMay('owner', appUuid);
  const columns = useMemo(() => (mayWrite ? [...COLUMNS, ACTIONS] : COLUMNS), [mayWrite]);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Page
      title="Access tokens"
      about="With one of these the servers of the application call the server API. The platform keeps only their hashes."
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            New access token
          </Button>
        )
      }
    >
      <Loaded query={query} what="the access tokens">
        {(tokens) => (
          <FilteredTable
            label="Access tokens"
            rows={tokens}
            columns={columns}
            idOf={({ id }) => id}
            filter={{ hint: 'Filter by name', textsOf: ({ name }) => [name] }}
            icon="tokens"
            empty={
              <Empty icon="tokens" title="There is no access token yet">
                Create one for each server that calls, so that each can be revoked alone.
              </Empty>
            }
          />
        )}
      </Loaded>
      <CreateToken appUuid={appUuid} isOpen={isOpen} close={close} />
    </Page>
  );
}

function CreateToken({ appUuid, isOpen, close }: { appUuid: string; isOpen: boolean; close: () => void }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState<string | null>('365');
  const [secret, setSecret] = useState<string>();
  const action = useAction({
    run: () => {
      const lifetime = Number(days) * DAY_MS;
      return ADMIN.createAccessToken({
        appUuid,
        name,
        ...(lifetime > 0 && { expiresAt: Date.now() + lifetime }),
      });
    },
    changes: [tokensQuery(appUuid).queryKey],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ token }) => {
        setName('');
        setSecret(token);
        close();
      },
    });
  return (
    <>
      <FormModal
        title="New access token"
        isOpen={isOpen}
        close={close}
        submit={submit}
        submitLabel="Create"
        action={action}
      >
        <TextInput
          label="Name"
          description="Which server has it, such as “Billing”."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={128}
          data-autofocus
        />
        <Select label="Ends after" data={LIFETIMES} value={days} onChange={setDays} allowDeselect={false} />
      </FormModal>
      <SecretModal title="The access token" secret={secret} close={() => setSecret(undefined)} />
    </>
  );
}
