/** A person who acts, as named by an identity provider. */
export type ActingPerson = { issuer: string; subject: string };

/** The user or server for whom a request is made. */
export type Actor = {
  /** Undefined: the holder of the administration token, or a server. */
  person: ActingPerson | undefined;
  /** Id of the audit log entry that was written before the request. */
  entryId?: string | undefined;
};

/** An actor encoded for other processes: printable ASCII. Processes of earlier releases read only the person. */
export function encodeActor({ person, entryId }: Actor): string {
  const { issuer = null, subject = null } = person ?? {};
  return encodeURIComponent(
    JSON.stringify(entryId === undefined ? [issuer, subject] : [issuer, subject, entryId]),
  );
}

/** Returns no actor for input that `encodeActor` cannot have produced. */
export function decodeActor(text: string | undefined): Actor {
  const [issuer, subject, entryId] = partsOf(text);
  const person = typeof issuer === 'string' && typeof subject === 'string' ? { issuer, subject } : undefined;
  return { person, entryId: typeof entryId === 'string' ? entryId : undefined };
}

function partsOf(text: string | undefined): unknown[] {
  if (text === undefined) return [];
  try {
    const parts: unknown = JSON.parse(decodeURIComponent(text));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
