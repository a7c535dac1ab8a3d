import { Group, SegmentedControl, Text, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { FormModal } from './form-modal.tsx';
import { SecretModal } from './secret-modal.tsx';
import { useAction } from './use-action.ts';

const SOURCES = [
  { value: 'made', label: 'Make a pair' },
  { value: 'given', label: 'I have a public key' },
];

type Props = {
  title: string;
  submitLabel: string;
  /** Who makes a pair, and what its private key is for. */
  aboutPair: ReactNode;
  /** Which public keys are accepted. */
  accepted: string;
  fileName: string;
  isOpen: boolean;
  close: () => void;
  /** Registers a public key, or makes a pair when there is none, and gives the private key of that pair. */
  register: (publicKey: string | undefined) => Promise<string | undefined>;
  done: string;
  changes: readonly (readonly unknown[])[];
};

/** Registers a public key that a person has, or that of a new pair, whose private key is shown once. */
export function KeyForm({ register, done, changes, ...props }: Props) {
  const [source, setSource] = useState('made');
  const [publicKey, setPublicKey] = useState('');
  const [secret, setSecret] = useState<string>();
  const action = useAction({
    run: () => register(source === 'given' ? publicKey : undefined),
    done,
    changes,
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: (privateKey) => {
        setPublicKey('');
        setSecret(privateKey || undefined);
        props.close();
      },
    });
  return (
    <>
      <FormModal {...props} submit={submit} action={action}>
        <Group>
          <SegmentedControl
            value={source}
            onChange={setSource}
            aria-label="Where the key comes from"
            data={SOURCES}
          />
        </Group>
        {source === 'made' ? (
          <Text size="sm">{props.aboutPair}</Text>
        ) : (
          <Textarea
            label="Public key"
            description={props.accepted}
            placeholder="-----BEGIN PUBLIC KEY-----"
            value={publicKey}
            onChange={(event) => setPublicKey(event.currentTarget.value)}
            required
            autosize
            minRows={5}
            maxRows={12}
            classNames={{ input: 'code-input' }}
          />
        )}
      </FormModal>
      <SecretModal
        title="The private key"
        secret={secret}
        fileName={props.fileName}
        close={() => setSecret(undefined)}
      />
    </>
  );
}
