import { APP_REMOVAL_TABLES_SQL } from '@parley/kit/app-removal';
import { CONSUMED_EVENT_TABLE_SQL } from '@parley/kit/consume';
import { OUTBOX_TABLE_SQL } from '@parley/kit/outbox';
import { EVENT_LOG_TABLE_SQL } from '@parley/kit/event-log';
import { FILLED_STREAM_TABLE_SQL } from '@parley/kit/bus/refill';
import { DATABASE_EPOCH_TABLE_SQL } from '@parley/kit/postgres/epoch';
import { testSchema } from '@parley/kit/testing/schema';

testSchema({
  service: new URL('..', import.meta.url),
  kitSql: [
    APP_REMOVAL_TABLES_SQL,
    OUTBOX_TABLE_SQL,
    CONSUMED_EVENT_TABLE_SQL,
    EVENT_LOG_TABLE_SQL,
    FILLED_STREAM_TABLE_SQL,
    DATABASE_EPOCH_TABLE_SQL,
  ],
});
