import { ADMIN } from '../../api/admin.ts';
import { KeyDialog } from '../../ui/form/key-dialog.tsx';
import { keysQuery } from './queries.ts';

/** A key for a provider: a pair that the platform makes, or the public half of a pair that exists. */
export function CreateKey({ providerId }: { providerId: string }) {
  const register = async (publicKey: string | undefined) =>
    (await ADMIN.createKey({ providerId, ...(publicKey !== undefined && { publicKey }) })).privateKey;
  return (
    <KeyDialog
      opener={{ label: 'New key', variant: 'filled' }}
      title="New key"
      submitLabel="Create"
      aboutPair="The platform makes a pair of RSA keys, and shows the private one this once, for your backend."
      accepted="RSA of 2,048 to 8,192 bits, in PEM."
      fileName="private-key.pem"
      register={register}
      done="The key was created."
      changes={[keysQuery(providerId).queryKey]}
    />
  );
}
