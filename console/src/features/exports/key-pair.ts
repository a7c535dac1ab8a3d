const LINE_LENGTH = 64;
const KEY_BITS = 4_096;
const ALGORITHM = {
  name: 'RSA-OAEP',
  modulusLength: KEY_BITS,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};

/** A pair of RSA keys for exports, in PEM (SPKI and PKCS #8), made in this browser. */
export async function makeKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(ALGORITHM, true, ['encrypt', 'decrypt']);
  return {
    publicKey: toPem('PUBLIC KEY', await crypto.subtle.exportKey('spki', publicKey)),
    privateKey: toPem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', privateKey)),
  };
}

function toPem(label: string, bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  const lines = Array.from({ length: Math.ceil(text.length / LINE_LENGTH) }, (_, line) =>
    text.slice(line * LINE_LENGTH, (line + 1) * LINE_LENGTH),
  );
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
