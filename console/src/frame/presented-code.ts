// The code of the link with which the console was opened, behind the `#`. It leaves the address before anything else happens, so
// that it is neither in the history nor in what a person copies.
const SIGN_IN = '/console/sign-in';

let code =
  location.pathname === SIGN_IN ? (new URLSearchParams(location.hash.slice(1)).get('code') ?? '') : '';
if (code !== '') history.replaceState(null, '', '/console/');

/** Whether the page was opened with a code that is not used yet. */
export function hasPresentedCode(): boolean {
  return code !== '';
}

/** Hands the code out once. */
export function takePresentedCode(): string | undefined {
  const taken = code;
  code = '';
  return taken || undefined;
}
