import type { Run } from '../sql/export-run.ts';

/** Each run has a blob of its own: nobody finishes what another one began. */
export function blobKey({ app_id, id, run_id }: Run): string {
  return `exports/${app_id}/${id}/${run_id}`;
}
