import type { Export } from '@parley/contract/gen/records';

type Sealed = Pick<Export, 'encrypted_aes_key' | 'aes_iv' | 'key_padding'>;

/** Commands of a shell that open the file `archive` with the private key in `private.pem`. */
export function openCommands({ encrypted_aes_key, aes_iv, key_padding }: Sealed): string {
  const padding =
    key_padding === 'oaep-sha256' ? ' -pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha256' : '';
  const iv = Array.from(atob(aes_iv ?? ''), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));
  return [
    `echo '${encrypted_aes_key}' | openssl base64 -d -A | openssl pkeyutl -decrypt -inkey private.pem${padding} > key`,
    `openssl enc -d -aes-256-cbc -K "$(od -An -v -tx1 key | tr -d ' \\n')" -iv ${iv.join('')} -in archive | tar xz`,
  ].join('\n');
}
