import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AppIds } from '../../api/app-ids.ts';
import { writeServer } from '../../api/server.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { SecretModal } from '../../ui/secret-modal.tsx';

export function RotateSecret({ app, id }: { app: AppIds; id: string }) {
  const [given, setGiven] = useState('');
  const [made, setMade] = useState<string>();
  const body = given ? { secret: given } : undefined;
  const show = (secret: string) => {
    setGiven('');
    setMade(secret);
  };
  return (
    <>
      <FormDialog
        opener={{ label: 'Rotate the secret' }}
        title="Rotate the secret"
        submitLabel="Rotate"
        run={() => writeServer(app, (server) => server.rotateWebhookSecret(id, body))}
        changes={[]}
        after={({ secret }) => show(secret)}
      >
        <TextInput
          label="New secret"
          description="Empty: the platform makes one. The old secret signs as well for 24 hours."
          value={given}
          onChange={(event) => setGiven(event.currentTarget.value)}
          maxLength={512}
          spellCheck={false}
        />
      </FormDialog>
      <SecretModal title="The new secret" secret={made} close={() => setMade(undefined)} />
    </>
  );
}
