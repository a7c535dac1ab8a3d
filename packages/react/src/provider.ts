import type { Client } from '@parley/client';
import { createContext, createElement, useContext, type ReactElement, type ReactNode } from 'react';

const ClientContext = createContext<Client | null | undefined>(undefined);

/** What the provider takes. */
export type ParleyProviderProps = {
  /**
   * The client of the user. Create it once, outside of components, and only in the browser; null on a server and until the user has
   * logged in: hooks then show what is known of nothing, in the state `loading`.
   */
  readonly client: Client | null;
  readonly children?: ReactNode;
};

/**
 * Gives a client to the hooks below it.
 *
 * @param props The client, and the components that use it.
 * @returns The element.
 * @example
 * const client = typeof window === 'undefined' ? null : createClient({ url, appId, identityToken });
 * <ParleyProvider client={client}><Chat /></ParleyProvider>
 */
export function ParleyProvider({ client, children }: ParleyProviderProps): ReactElement {
  return createElement(ClientContext.Provider, { value: client }, children);
}

/**
 * The client, for what has no hook of its own; call it in event handlers.
 *
 * @returns The provider's client; null on a server and until the user has logged in.
 * @throws Error if there is no `ParleyProvider` above.
 * @example
 * const client = useClient();
 * <button onClick={() => client?.logout()}>Log out</button>
 */
export function useClient(): Client | null {
  const client = useContext(ClientContext);
  if (client === undefined) throw new Error('There is no ParleyProvider above this component.');
  return client;
}
