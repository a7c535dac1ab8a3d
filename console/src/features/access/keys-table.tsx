import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Key, Provider } from '@parley/proto/parley/identity/v1/app_pb';
import { useMemo } from 'react';
import { ADMIN } from '../../api/admin.ts';
import { hasText } from '../../api/has-text.ts';
import { ConfirmButton } from '../../ui/form/confirm-button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Empty, Loaded } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Tag } from '../../ui/tag.tsx';
import { keysQuery } from './queries.ts';

function stateOf(disabled: boolean): string {
  return disabled ? 'disabled' : 'enabled';
}

const COLUMNS: readonly Column<Key>[] = [
  { id: 'id', header: 'kid', width: '3fr', cell: ({ id }) => <KeyId id={id} /> },
  {
    id: 'state',
    header: 'State',
    width: '100px',
    isWide: true,
    cell: ({ disabled }) => <Tag tone={disabled ? 'neutral' : 'good'}>{stateOf(disabled)}</Tag>,
  },
  {
    id: 'created',
    header: 'Created',
    width: '130px',
    isWide: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
const ACTIONS: Column<Key> = {
  id: 'actions',
  header: 'Actions',
  width: '180px',
  cell: (key) => <KeyActions keyOfProvider={key} />,
};

/** On a phone its end, by which keys are told apart. */
function KeyId({ id }: { id: string }) {
  const shown = (
    <>
      <span className="only-wide">{id}</span>
      <span className="only-narrow">…{id.slice(-8)}</span>
    </>
  );
  return <CopyText text={id} shown={shown} label="Copy the key id" />;
}

type Props = {
  provider: Provider;
  mayWrite: boolean;
  /** Keys without it in their id or state are left out. */
  text: string;
};

export function KeysTable({ provider, mayWrite, text }: Props) {
  const query = useQuery(keysQuery(provider.id));
  const columns = useMemo(() => (mayWrite ? [...COLUMNS, ACTIONS] : COLUMNS), [mayWrite]);
  return (
    <Loaded query={query} what="the keys">
      {(keys) => (
        <DataTable
          label={`Keys of ${provider.name}`}
          rows={keys.filter(({ id, disabled }) => hasText([id, stateOf(disabled)], text))}
          columns={columns}
          idOf={({ id }) => id}
          empty={
            <Empty icon="keys" title={keys.length > 0 ? 'No key matches the filter' : 'There is no key yet'}>
              {keys.length > 0
                ? 'Change the filter.'
                : 'Create one with “New key”. Without a key, no token of this provider is accepted.'}
            </Empty>
          }
        />
      )}
    </Loaded>
  );
}

function KeyActions({ keyOfProvider }: { keyOfProvider: Key }) {
  const { id, disabled, providerId } = keyOfProvider;
  return (
    <Group gap="xs" wrap="nowrap">
      {disabled ? <Enable {...keyOfProvider} /> : <Disable {...keyOfProvider} />}
      <ConfirmButton
        label="Delete"
        title="Delete the key?"
        effect="Logins with identity tokens that are signed with it are refused for good. Sessions that are open stay."
        run={() => ADMIN.deleteKey({ keyId: id })}
        done="The key was deleted."
        changes={[keysQuery(providerId).queryKey]}
      />
    </Group>
  );
}

function Enable({ id, providerId }: Pick<Key, 'id' | 'providerId'>) {
  return (
    <ConfirmButton
      label="Enable"
      color="teal"
      title="Enable the key?"
      effect="Identity tokens that are signed with it are accepted again."
      run={() => ADMIN.enableKey({ keyId: id })}
      done="The key was enabled."
      changes={[keysQuery(providerId).queryKey]}
    />
  );
}

function Disable({ id, providerId }: Pick<Key, 'id' | 'providerId'>) {
  return (
    <ConfirmButton
      label="Disable"
      title="Disable the key?"
      effect="Logins with identity tokens that are signed with it are refused until it is enabled. Sessions that are open stay."
      run={() => ADMIN.disableKey({ keyId: id })}
      done="The key was disabled."
      changes={[keysQuery(providerId).queryKey]}
    />
  );
}
