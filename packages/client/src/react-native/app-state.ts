import type { Client } from '../api/client.ts';

/** `AppState` of React Native, as far as it is needed. */
export type AppStateLike = {
  /**
   * Calls back whenever the state of the application changes.
   *
   * @param type The only event.
   * @param listener Gets the new state, such as `active` or `background`.
   * @returns What ends the calls.
   * @example
   * AppState.addEventListener('change', (state) => console.log(state));
   */
  addEventListener(type: 'change', listener: (state: string) => void): { remove(): void };
};

/**
 * Disconnects the client while the application is in the background, where pushes say what comes, and connects it when it is looked at
 * again. Messages that are written meanwhile are kept.
 *
 * @param client The client of the user.
 * @param appState `AppState` of `react-native`.
 * @returns A function that ends it.
 * @example const stop = followAppState(client, AppState);
 */
export function followAppState(
  client: Pick<Client, 'connect' | 'disconnect'>,
  appState: AppStateLike,
): () => void {
  const subscription = appState.addEventListener('change', (state) => {
    if (state === 'active') client.connect();
    // An iPhone is `inactive` for a moment, such as while a call is announced.
    else if (state === 'background') client.disconnect();
  });
  return () => subscription.remove();
}
