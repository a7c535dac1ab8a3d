import { APP_REMOVAL_TABLES_SQL } from '@parley/kit/durable/app-removal';
import { CONSUMED_EVENT_TABLE_SQL } from '@parley/kit/durable/consume';
import { OUTBOX_TABLE_SQL } from '@parley/kit/durable/outbox';
import { PERFORMED_OPERATION_TABLE_SQL } from '@parley/kit/durable/once';
import { FILLED_STREAM_TABLE_SQL } from '@parley/kit/durable/lost-events/republish';
import { DATABASE_EPOCH_TABLE_SQL } from '@parley/kit/postgres/epoch';
import { testSchema } from '@parley/kit/testing/schema';

testSchema({
  service: new URL('..', import.meta.url),
  kitSql: [
    APP_REMOVAL_TABLES_SQL,
    OUTBOX_TABLE_SQL,
    CONSUMED_EVENT_TABLE_SQL,
    PERFORMED_OPERATION_TABLE_SQL,
    FILLED_STREAM_TABLE_SQL,
    DATABASE_EPOCH_TABLE_SQL,
  ],
});
