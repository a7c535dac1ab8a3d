import { EXAMPLE } from '../schema/ids.ts';

/** The gateway's public address in examples. */
export const BASE = 'https://chat.example.com';

/** Root of the addresses that servers of the app see. */
export const APP_BASE = `${BASE}/apps/${EXAMPLE.app}`;
