import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Provider } from '@parley/proto/parley/identity/v1/app_pb';
import { useState } from 'react';
import { apiAddress } from '../../api/api-url.ts';
import { ADMIN } from '../../api/admin.ts';
import { hasText } from '../../api/pages.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Loaded, Page, Section } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useFilter } from '../../ui/use-filter.ts';
import { CreateKey } from './create-key.tsx';
import { KeysTable } from './keys-table.tsx';

export function providersQuery(appUuid: string) {
  return queryOptions({
    queryKey: ['providers', appUuid],
    queryFn: async () => (await ADMIN.listProviders({ appUuid })).providers,
  });
}

export function KeysPage() {
  const { appUuid } = useApp();
  const query = useQuery(providersQuery(appUuid));
  const mayWrite = useMay('owner', appUuid);
  const [text, filter] = useFilter();
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Page
      title="Providers and keys"
      about="A provider is a backend that vouches for users. It signs their identity tokens with a private key, of which the platform has the public half."
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
            New provider
          </Button>
        )
      }
    >
      <Loaded query={query} what="the providers">
        {(providers) =>
          providers.length === 0 ? (
            <Empty icon="keys" title="There is no provider yet">
              Create one, and a key for it; then your backend can log users in. The guide about{' '}
              <a href={apiAddress('/docs/guides/identity-tokens/')} target="_blank" rel="noreferrer">
                login
              </a>{' '}
              has the code.
            </Empty>
          ) : (
            <>
              <div className="bar">
                <SearchField label="Filter by provider, key or state" value={text} change={filter} />
              </div>
              {providers.map((provider) => (
                <ProviderSection key={provider.id} {...{ provider, mayWrite, text }} />
              ))}
            </>
          )
        }
      </Loaded>
      <CreateProvider appUuid={appUuid} isOpen={isOpen} close={close} />
    </Page>
  );
}

type SectionProps = { provider: Provider; mayWrite: boolean; text: string };

/** A provider that has the text itself is shown with all of its keys. */
function ProviderSection({ provider, mayWrite, text }: SectionProps) {
  const { id, name, appUuid } = provider;
  const textOfKeys = hasText([id, name], text) ? '' : text;
  return (
    <Section
      title={name}
      actions={
        mayWrite && (
          <Group gap="xs">
            <CreateKey providerId={id} />
            <ConfirmButton
              label="Delete provider"
              title={`Delete the provider ${name}?`}
              effect="Identity tokens of this provider are refused from then on, and its keys are deleted. Sessions that are open stay."
              run={() => ADMIN.deleteProvider({ providerId: id })}
              done="The provider was deleted."
              changes={[providersQuery(appUuid).queryKey]}
            />
          </Group>
        )
      }
    >
      <Stack>
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" c="dimmed">
            iss
          </Text>
          <CopyText text={id} label={`Copy the id of ${name}`} />
        </Group>
        <KeysTable {...{ provider, mayWrite }} text={textOfKeys} />
      </Stack>
    </Section>
  );
}

function CreateProvider({ appUuid, isOpen, close }: { appUuid: string; isOpen: boolean; close: () => void }) {
  const [name, setName] = useState('');
  const action = useAction({
    run: () => ADMIN.createProvider({ appUuid, name }),
    done: 'The provider was created.',
    changes: [providersQuery(appUuid).queryKey],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: () => {
        setName('');
        close();
      },
    });
  return (
    <FormModal
      title="New provider"
      isOpen={isOpen}
      close={close}
      submit={submit}
      submitLabel="Create"
      action={action}
    >
      <TextInput
        label="Name"
        description="Which backend it is, such as “Login service”."
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={128}
        data-autofocus
      />
    </FormModal>
  );
}
