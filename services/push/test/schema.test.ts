import { APP_REMOVAL_TABLES_SQL } from '@parley/kit/durable/app-removal';
import { CONSUMED_EVENT_TABLE_SQL } from '@parley/kit/durable/consume';
import { OUTBOX_TABLE_SQL } from '@parley/kit/durable/outbox';
import { FILLED_STREAM_TABLE_SQL } from '@parley/kit/durable/lost-events/republish';
import { testSchema } from '@parley/kit/testing/schema';

testSchema({
  service: new URL('..', import.meta.url),
  kitSql: [APP_REMOVAL_TABLES_SQL, CONSUMED_EVENT_TABLE_SQL, OUTBOX_TABLE_SQL, FILLED_STREAM_TABLE_SQL],
});
