/** A person who acts, as an identity provider names them. */
export type ActingPerson = { issuer: string; subject: string };

/** A person in the form in which processes pass it on: printable ASCII. */
export function encodeActor({ issuer, subject }: ActingPerson): string {
  return encodeURIComponent(JSON.stringify([issuer, subject]));
}

/** Undefined for what `encodeActor` does not write. */
export function decodeActor(text: string | undefined): ActingPerson | undefined {
  if (text === undefined) return undefined;
  try {
    const [issuer, subject] = JSON.parse(decodeURIComponent(text)) as unknown[];
    return typeof issuer === 'string' && typeof subject === 'string' ? { issuer, subject } : undefined;
  } catch {
    return undefined;
  }
}
