import { createTestDatabaseFor } from '@parley/testing';

type Environment = Record<string, Record<string, string>>;

/** Has messaging of a platform take a new database of the Citus cluster, where `PARLEY_CELLS` says that its cells are there. */
export async function cellEnvironment(): Promise<Environment> {
  const cells = process.env['PARLEY_CELLS'] ?? '';
  if (!cells.startsWith('citus')) return {};
  return { messaging: { PARLEY_DATABASE_URL: await createTestDatabaseFor(cells) } };
}
