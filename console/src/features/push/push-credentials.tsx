import { TextInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { PUSH_ADMIN } from '../../api/push-admin.ts';
import { FormModal } from '../../ui/form-modal.tsx';
import { announce } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { credentialsQuery, type PushProvider } from './push.tsx';

const NOTHING = { serviceAccount: '', privateKey: '', keyId: '', teamId: '', topic: '' };
type Credentials = typeof NOTHING;

type Props = { provider: PushProvider; appUuid: string; isOpen: boolean; close: () => void };

export function SetCredentials({ provider, appUuid, isOpen, close }: Props) {
  const [given, setGiven] = useState(NOTHING);
  const action = useAction({
    run: () => PUSH_ADMIN.setPushCredentials({ appUuid, provider, ...given }),
    changes: [credentialsQuery(appUuid).queryKey],
  });
  const set = (change: Partial<Credentials>) => setGiven({ ...given, ...change });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ isVerified }) => {
        announce(
          isVerified
            ? 'The provider takes the credentials.'
            : 'The credentials were stored; the provider could not be asked.',
        );
        setGiven(NOTHING);
        close();
      },
    });
  return (
    <FormModal
      title={provider === 'fcm' ? 'Credentials of Google' : 'Credentials of Apple'}
      isOpen={isOpen}
      close={close}
      submit={submit}
      submitLabel="Set"
      action={action}
    >
      {provider === 'fcm' ? (
        <Textarea
          label="Service account"
          description="The JSON file of a Google service account."
          placeholder='{ "type": "service_account", … }'
          value={given.serviceAccount}
          onChange={(event) => set({ serviceAccount: event.currentTarget.value })}
          required
          autosize
          minRows={6}
          maxRows={14}
          classNames={{ input: 'code-input' }}
        />
      ) : (
        <AppleFields given={given} set={set} />
      )}
    </FormModal>
  );
}

function AppleFields({ given, set }: { given: Credentials; set: (change: Partial<Credentials>) => void }) {
  return (
    <>
      <Textarea
        label="Private key"
        description="The .p8 file of a key for authentication tokens."
        placeholder="-----BEGIN PRIVATE KEY-----"
        value={given.privateKey}
        onChange={(event) => set({ privateKey: event.currentTarget.value })}
        required
        autosize
        minRows={4}
        maxRows={10}
        classNames={{ input: 'code-input' }}
      />
      <TextInput
        label="Key id"
        value={given.keyId}
        onChange={(event) => set({ keyId: event.currentTarget.value })}
        required
      />
      <TextInput
        label="Team id"
        value={given.teamId}
        onChange={(event) => set({ teamId: event.currentTarget.value })}
        required
      />
      <TextInput
        label="Bundle id"
        placeholder="com.example.app"
        value={given.topic}
        onChange={(event) => set({ topic: event.currentTarget.value })}
        required
      />
    </>
  );
}
