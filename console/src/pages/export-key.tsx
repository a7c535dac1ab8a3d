import { Button, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ExportKey } from '@parley/contract/gen/records';
import { useState } from 'react';
import { rest, type AppIds } from '../api/rest.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { FormModal } from '../ui/form-modal.tsx';
import { Section } from '../ui/page.tsx';
import { makeExportKey } from '../ui/pem.ts';
import { SecretModal } from '../ui/secret-modal.tsx';
import { useAction } from '../ui/use-action.ts';

type Props = { app: AppIds; known: ExportKey | null; mayWrite: boolean };

export function ExportKeySection({ app, known, mayWrite }: Props) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <Section
      title="Public key"
      about="Archives are encrypted with it; only the holder of the private key can open them."
      actions={
        mayWrite && (
          <Button size="xs" variant={known ? 'default' : 'filled'} onClick={open}>
            {known ? 'Replace the key' : 'Register a key'}
          </Button>
        )
      }
    >
      {known ? (
        <CodeBlock text={known.public_key} label="Public key" />
      ) : (
        <Text size="sm">No key is registered yet. Exports need one.</Text>
      )}
      <RegisterKey app={app} isOpen={isOpen} close={close} />
    </Section>
  );
}

function RegisterKey({ app, isOpen, close }: { app: AppIds; isOpen: boolean; close: () => void }) {
  const [source, setSource] = useState('made');
  const [publicKey, setPublicKey] = useState('');
  const [secret, setSecret] = useState<string>();
  const action = useAction({
    run: async () => {
      const pair = source === 'made' ? await makeExportKey() : { publicKey, privateKey: undefined };
      const body = { public_key: pair.publicKey, padding: 'oaep-sha256' };
      await rest(app, '/export_security', { method: 'PUT', body });
      return pair;
    },
    done: 'The key was registered.',
    changes: [['rest', app.appUuid, '/export_security']],
  });
  const submit = () =>
    action.mutate(undefined, {
      onSuccess: ({ privateKey }) => {
        setSecret(privateKey);
        close();
      },
    });
  return (
    <>
      <FormModal
        title="Key of exports"
        isOpen={isOpen}
        close={close}
        submit={submit}
        submitLabel="Register"
        action={action}
      >
        <KeySource {...{ source, setSource, publicKey, setPublicKey }} />
      </FormModal>
      <SecretModal
        title="The private key"
        secret={secret}
        fileName="export-private-key.pem"
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
    <Stack>
      <Group>
        <SegmentedControl
          value={source}
          onChange={setSource}
          aria-label="Where the key comes from"
          data={[
            { value: 'made', label: 'Make a pair' },
            { value: 'given', label: 'I have a public key' },
          ]}
        />
      </Group>
      {source === 'made' ? (
        <Text size="sm">
          This browser makes a pair of RSA keys of 4,096 bits. The private key never leaves it: save it, and
          keep it safe. Archives that exist already stay encrypted with the key before.
        </Text>
      ) : (
        <Textarea
          label="Public key"
          description="RSA of 2,048 to 16,384 bits, in PEM."
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
    </Stack>
  );
}
