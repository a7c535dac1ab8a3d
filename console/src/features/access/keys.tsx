import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Provider } from '@parley/proto/parley/identity/v1/app_pb';
import { apiAddress } from '../../api/api-url.ts';
import { ADMIN } from '../../api/admin.ts';
import { useMay } from '../../api/session.ts';
import { useApp } from '../../frame/app-frame.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues } from '../../ui/form/use-values.ts';
import { Empty, Loaded, Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useFilter } from '../../ui/use-filter.ts';
import { ProviderSection } from './provider-section.tsx';
import { providersQuery } from './queries.ts';

export function KeysPage() {
  const { appUuid } = useApp();
  const query = useQuery(providersQuery(appUuid));
  const mayWrite = useMay('owner', appUuid);
  return (
    <Page
      title="Providers and keys"
      about="A provider is a backend that vouches for users. It signs their identity tokens with a private key, of which the platform has the public half."
      actions={mayWrite && <CreateProvider appUuid={appUuid} />}
    >
      <Loaded query={query} what="the providers">
        {(providers) =>
          providers.length === 0 ? <NoProvider /> : <Providers {...{ providers, mayWrite }} />
        }
      </Loaded>
    </Page>
  );
}

function Providers({ providers, mayWrite }: { providers: readonly Provider[]; mayWrite: boolean }) {
  const [text, filter] = useFilter();
  return (
    <>
      <div className="bar">
        <SearchField label="Filter by provider, key or state" value={text} change={filter} />
      </div>
      {providers.map((provider) => (
        <ProviderSection key={provider.id} {...{ provider, mayWrite, text }} />
      ))}
    </>
  );
}

function NoProvider() {
  return (
    <Empty icon="keys" title="There is no provider yet">
      Create one, and a key for it; then your backend can log users in. The guide about{' '}
      <a href={apiAddress('/docs/guides/identity-tokens/')} target="_blank" rel="noreferrer">
        login
      </a>{' '}
      has the code.
    </Empty>
  );
}

function CreateProvider({ appUuid }: { appUuid: string }) {
  const { values, change, text } = useValues({ name: '' });
  return (
    <FormDialog
      opener={{ label: 'New provider', icon: 'plus' }}
      title="New provider"
      submitLabel="Create"
      run={() => ADMIN.createProvider({ appUuid, ...values })}
      done="The provider was created."
      changes={[providersQuery(appUuid).queryKey]}
      after={() => change({ name: '' })}
    >
      <TextInput
        {...text('name')}
        label="Name"
        description="Which backend it is, such as “Login service”."
        required
        maxLength={128}
        data-autofocus
      />
    </FormDialog>
  );
}
