/** Why statements may run without naming an application, and which they are: `<service> <fingerprint>`, and what it does. */
export type AcrossApps = { reason: string; statements: [key: string, does: string][] };

/**
 * The statements on tables of applications that rightly name none. A fingerprint is that of `libpg-query`, the same for statements that differ in
 * constants and layout alone; a failed run prints those of new statements.
 */
export const ACROSS_APPS: AcrossApps[] = [
  {
    reason: 'Deletes what has expired, in the order of time, whichever application it belongs to.',
    statements: [
      ['content a492da936d83f638', 'deletes records of removed blobs'],
      ['content 3d2371fb2daadbd1', 'deletes usages of nothing'],
      ['content 2dd6c2ce51a94b27', 'deletes records of deleted messages'],
      ['export e20da2c805d1c9b6', 'deletes records of expired exports'],
      ['export 7dd160b8d1483ed4', 'deletes entries of journals that all exports have written'],
      ['identity 1a95bf3c22a1a20a', 'deletes idempotency keys'],
      ['identity 610392635f2dcd48', 'deletes changes of identities'],
      ['identity d9cdd250666146a8', 'deletes who had to hear that identities are gone'],
      ['messaging a3a9df27e1f9ab06', 'deletes changes that have no partition'],
      ['messaging 15e62f92603215b7', 'moves changes to a new partition'],
      ['messaging afce0c9749a78295', 'deletes positions for exports that ended without using them'],
      ['messaging eebc9ffb7a1583c4', 'deletes where scheduled messages stood'],
      ['messaging 2d48af1928108735', 'deletes where pages ended'],
      ['push b900ea3101b66591', 'deletes settled deliveries'],
      ['push eebc9ffb7a1583c4', 'deletes where pushes stood'],
      ['push e26d73f6b4548af1', 'deletes records of erased users'],
      ['webhook 5ea980c5c678e0f6', 'deletes settled deliveries'],
      ['webhook eebc9ffb7a1583c4', 'deletes where deliveries stood'],
      ['webhook 3e9619d3837c6b00', 'deletes deliveries of removed webhooks'],
      ['webhook fe7d91cb9e43b837', 'deletes pending deliveries of inactive webhooks'],
      ['webhook 32aaa8f472d597f4', 'deletes records of removed webhooks'],
    ],
  },
  {
    reason: 'Looks for due work of all applications, and takes it in turn.',
    statements: [
      ['content ac154bb398d65e29', 'ends uploads or contents that were left'],
      ['content 3530c8484d47908c', 'ends uploads or contents that were left'],
      ['content 40b4a1c2fc759019', 'leases contents whose blobs are to be removed'],
      ['content e702c5cfff75b1c7', 'lists claims to confirm'],
      ['content ac59019975b1ef73', 'lists applications with contents whose count is out of date'],
      ['export 9b465afc0db5cacb', 'lists schedules that are due'],
      ['export 0912f90b6be2ced4', 'lists exports that are due'],
      ['export 959c090c6385174a', 'lists open journals to compare with the change log'],
      ['identity 6b696c92ef223825', 'finds identities whose words are still to be written'],
      ['messaging cf20f8fd54af29e4', 'lists the next scheduled messages and typing indicators'],
      ['push ad6c89cea00fa961', 'claims deliveries that are due'],
      ['webhook 346f6b5e5287f6b6', 'claims deliveries that are due'],
      ['webhook 03f779f3b93ef29c', 'claims webhooks to verify'],
      ['push 10b7a484bebd7acf', 'releases the deliveries of silent processes'],
      ['webhook 10b7a484bebd7acf', 'releases the deliveries of silent processes'],
      ['push a32dfe2c15d91359', 'releases the deliveries of claims whose answers were lost'],
      ['webhook a32dfe2c15d91359', 'releases the deliveries of claims whose answers were lost'],
    ],
  },
  {
    reason: 'Adds up deltas of counts, of those applications first that have the most.',
    statements: [
      ['messaging a59a46d13361bb66', 'adds up the counts of conversations'],
      ['webhook 168229c9c270861c', 'adds up the counts of deliveries'],
    ],
  },
  {
    reason: 'Is asked for a secret or a key alone: the application is part of the answer.',
    statements: [
      ['identity 3fc8bdc67f9a62e5', 'resolves a session or access token'],
      ['content 9a70aefccc5fae7f', 'finds an upload by its token'],
      ['export c1594a6fdfe52717', 'lists blobs in the store that no export has'],
    ],
  },
  {
    reason: 'Goes through the rows of all applications in pages, for another service or after a restore.',
    statements: [
      ['export 6c1f92d51b43714f', 'tells messaging which applications have open journals'],
      ['webhook c83e60eb76b71784', 'tells messaging which applications have webhooks'],
      ['messaging 1e41dc32c86b5376', 'publishes the change log into a new stream'],
      ['push df5d1ca9d803353b', 'lists keys that are sealed with an old key'],
      ['webhook 79c58221705b5725', 'lists secrets that are sealed with an old key'],
    ],
  },
  {
    reason: 'Counts for operators, in all applications unless they ask for one.',
    statements: [['identity 40ddc228e6593d22', 'counts applications, users and sessions']],
  },
];
