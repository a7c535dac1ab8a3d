import { Text } from '@mantine/core';
import type { ExportKey } from '@parley/contract/gen/records';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { KeyDialog } from '../../ui/form/key-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { makeKeyPair } from './key-pair.ts';
import { exportKeyQuery } from './queries.ts';

type Props = { app: AppIds; known: ExportKey | null };

export function ExportKeySection({ app, known, mayWrite }: Props & { mayWrite: boolean }) {
  return (
    <Section
      title="Public key"
      about="Archives are encrypted with it; only the holder of the private key can open them."
      actions={mayWrite && <RegisterKey app={app} known={known} />}
    >
      {known ? (
        <CodeBlock text={known.public_key} label="Public key" />
      ) : (
        <Text size="sm">No key is registered yet. Exports need one.</Text>
      )}
    </Section>
  );
}

function RegisterKey({ app, known }: Props) {
  const register = async (given: string | undefined) => {
    const pair = given === undefined ? await makeKeyPair() : { publicKey: given, privateKey: undefined };
    const body = { public_key: pair.publicKey, padding: 'oaep-sha256' as const };
    await writeServer(app, (server) => server.registerExportKey(body));
    return pair.privateKey;
  };
  return (
    <KeyDialog
      opener={known ? { label: 'Replace the key' } : { label: 'Register a key', variant: 'filled' }}
      title="Key of exports"
      submitLabel="Register"
      aboutPair="This browser makes a pair of RSA keys of 4,096 bits. The private key never leaves it: save it, and keep it safe. Archives that exist already stay encrypted with the key before."
      accepted="RSA of 2,048 to 16,384 bits, in PEM."
      fileName="export-private-key.pem"
      register={register}
      done="The key was registered."
      changes={[exportKeyQuery(app).queryKey]}
    />
  );
}
