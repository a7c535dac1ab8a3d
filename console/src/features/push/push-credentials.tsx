import { TextInput, Textarea } from '@mantine/core';
import { PUSH_ADMIN } from '../../api/push-admin.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { useValues, type FormValues } from '../../ui/form/use-values.ts';
import { announce } from '../../ui/toasts.tsx';
import { credentialsQuery, type PushProvider } from './queries.ts';

const NOTHING = { serviceAccount: '', privateKey: '', keyId: '', teamId: '', topic: '' };
type Credentials = typeof NOTHING;

/** `isReplaced`: whether there are some already. */
type Props = { appUuid: string; provider: PushProvider; isReplaced: boolean };

export function SetCredentials({ appUuid, provider, isReplaced }: Props) {
  const { values, change, text } = useValues(NOTHING);
  const settle = (isVerified: boolean) => {
    change(NOTHING);
    announce(
      isVerified
        ? 'The provider takes the credentials.'
        : 'The credentials were stored; the provider could not be asked.',
    );
  };
  return (
    <FormDialog
      opener={isReplaced ? { label: 'Replace' } : { label: 'Set credentials', variant: 'filled' }}
      title={provider === 'fcm' ? 'Credentials of Google' : 'Credentials of Apple'}
      submitLabel="Set"
      run={() => PUSH_ADMIN.setPushCredentials({ appUuid, provider, ...values })}
      changes={[credentialsQuery(appUuid).queryKey]}
      after={({ isVerified }) => settle(isVerified)}
    >
      {provider === 'fcm' ? <GoogleFields text={text} /> : <AppleFields text={text} />}
    </FormDialog>
  );
}

type FieldsProps = Pick<FormValues<Credentials>, 'text'>;

function GoogleFields({ text }: FieldsProps) {
  return (
    <Textarea
      {...text('serviceAccount')}
      label="Service account"
      description="The JSON file of a Google service account."
      placeholder='{ "type": "service_account", … }'
      required
      autosize
      minRows={6}
      maxRows={14}
      classNames={{ input: 'code-input' }}
    />
  );
}

function AppleFields({ text }: FieldsProps) {
  return (
    <>
      <Textarea
        {...text('privateKey')}
        label="Private key"
        description="The .p8 file of a key for authentication tokens."
        placeholder="-----BEGIN PRIVATE KEY-----"
        required
        autosize
        minRows={4}
        maxRows={10}
        classNames={{ input: 'code-input' }}
      />
      <TextInput {...text('keyId')} label="Key id" required />
      <TextInput {...text('teamId')} label="Team id" required />
      <TextInput {...text('topic')} label="Bundle id" placeholder="com.example.app" required />
    </>
  );
}
