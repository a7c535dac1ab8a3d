import { Button, SegmentedControl, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ADMIN } from '../api/admin.ts';
import { FormModal } from '../ui/form-modal.tsx';
import { SecretModal } from '../ui/secret-modal.tsx';
import { useAction } from '../ui/use-action.ts';
import { keysQuery } from './keys-table.tsx';

/** A key for a provider: a pair that the platform makes, or the public half of a pair that exists. */
export function CreateKey({ providerId }: { providerId: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [source, setSource] = useState('made');
  const [publicKey, setPublicKey] = useState('');
  const [secret, setSecret] = useState<string>();
  const action = useAction({
    run: () => ADMIN.createKey({ providerId, ...(source === 'given' && { publicKey }) }),
    done: 'The key was created.',
    changes: [keysQuery(providerId).queryKey],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ privateKey }) => {
        setPublicKey('');
        setSecret(privateKey);
        close();
      },
    });
  return (
    <>
      <Button size="xs" onClick={open}>
        New key
      </Button>
      <FormModal
        title="New key"
        isOpen={isOpen}
        close={close}
        submit={submit}
        submitLabel="Create"
        action={action}
      >
        <KeySource {...{ source, setSource, publicKey, setPublicKey }} />
      </FormModal>
      <SecretModal
        title="The private key"
        secret={secret}
        fileName="private-key.pem"
        close={() => setSecret(undefined)}
      />
    </>
  );
}

function KeySource({
  source,
  setSource,
  publicKey,
  setPublicKey,
}: {
  source: string;
  setSource: (source: string) => void;
  publicKey: string;
  setPublicKey: (pem: string) => void;
}) {
  return (
    <>
      <SegmentedControl
        value={source}
        onChange={setSource}
        aria-label="Where the key comes from"
        data={[
          { value: 'made', label: 'Make a pair' },
          { value: 'given', label: 'I have a public key' },
        ]}
      />
      {source === 'made' ? (
        <Text size="sm">
          The platform makes a pair of RSA keys, and shows the private one this once, for your backend.
        </Text>
      ) : (
        <Textarea
          label="Public key"
          description="RSA of 2,048 to 8,192 bits, in PEM."
          placeholder="-----BEGIN PUBLIC KEY-----"
          value={publicKey}
          onChange={(event) => setPublicKey(event.currentTarget.value)}
          required
          autosize
          minRows={5}
          maxRows={12}
          ff="monospace"
        />
      )}
    </>
  );
}
