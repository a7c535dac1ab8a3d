import { appRemovalTablesSql } from '@parley/kit/app-removal';
import { consumedEventTableSql } from '@parley/kit/consume';
import { outboxTableSql } from '@parley/kit/outbox';
import { performedOperationTableSql } from '@parley/kit/once';
import { filledStreamTableSql } from '@parley/kit/bus/refill';
import { testSchema } from '@parley/kit/testing/schema';

testSchema({
  service: new URL('..', import.meta.url),
  kitSql: [
    appRemovalTablesSql,
    outboxTableSql,
    consumedEventTableSql,
    performedOperationTableSql,
    filledStreamTableSql,
  ],
});
