import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ExportKey } from '@parley/contract/gen/records';
import { rest, type AppIds } from '../../api/rest.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { KeyForm } from '../../ui/key-form.tsx';
import { Section } from '../../ui/page.tsx';
import { makeExportKey } from './pem.ts';

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
  const register = async (given: string | undefined) => {
    const pair = given === undefined ? await makeExportKey() : { publicKey: given, privateKey: undefined };
    const body = { public_key: pair.publicKey, padding: 'oaep-sha256' };
    await rest(app, '/export_security', { method: 'PUT', body });
    return pair.privateKey;
  };
  return (
    <KeyForm
      title="Key of exports"
      submitLabel="Register"
      aboutPair="This browser makes a pair of RSA keys of 4,096 bits. The private key never leaves it: save it, and keep it safe. Archives that exist already stay encrypted with the key before."
      accepted="RSA of 2,048 to 16,384 bits, in PEM."
      fileName="export-private-key.pem"
      register={register}
      done="The key was registered."
      changes={[['rest', app.appUuid, '/export_security']]}
      isOpen={isOpen}
      close={close}
    />
  );
}
