import { isOutage, type Database } from '@parley/kit/postgres';

/** The database of the first of several cells that can be reached, for questions that any server answers: whether it is there, and its time. */
export function firstReachable(databases: readonly Database[]): Database {
  const [first, ...others] = databases;
  if (!first) throw new Error('there is no cell');
  async function ask<T>(question: (db: Database) => Promise<T>): Promise<T> {
    try {
      return await question(first!);
    } catch (error) {
      if (!isOutage(error)) throw error;
      for (const db of others) {
        const answer = await question(db).catch(() => undefined);
        if (answer !== undefined) return answer;
      }
      throw error;
    }
  }
  return {
    ...first,
    query: <Row>(query: Parameters<Database['query']>[0]) => ask((db) => db.query<Row>(query)),
    execute: (query) => ask((db) => db.execute(query)),
  };
}
