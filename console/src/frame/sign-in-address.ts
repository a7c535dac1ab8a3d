// The address of the page as the sign-in reads it. docs/console.md#sign-in-with-openid-connect
const SIGN_IN = '/console/sign-in';
const REASONS: Readonly<Record<string, string>> = {
  sign_in_expired: 'The sign-in took too long. Begin again.',
  sign_in_refused: 'The identity provider refused the sign-in.',
  no_role: 'You have no role in this console.',
  identity_provider_unavailable: 'The identity provider cannot be reached.',
  sign_out_unavailable: 'The identity provider has no address for signing out. Sign out on its own pages.',
};

type Address = Pick<Location, 'pathname' | 'search'>;

/** Whether the person signed out of the console alone. */
export function isAfterSignOut({ pathname, search }: Address): boolean {
  return pathname === SIGN_IN && new URLSearchParams(search).has('signed_out');
}

/** Address where a sign-in at the identity provider begins; it comes back to the page. */
export function oidcAddress({ pathname, search }: Address): string {
  const returnTo = pathname === SIGN_IN ? '/console/' : pathname + search;
  return `/console/sign-in/oidc?return_to=${encodeURIComponent(returnTo)}`;
}

/** Why the last sign-in at the identity provider did not end well. */
export function reasonOf({ pathname, search }: Address): string | undefined {
  const error = pathname === SIGN_IN ? new URLSearchParams(search).get('error') : null;
  if (error === null) return undefined;
  return Object.hasOwn(REASONS, error) ? REASONS[error] : 'The sign-in failed. Begin again.';
}
