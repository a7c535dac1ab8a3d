import { appRemovalTablesSql } from '@parley/kit/app-removal';
import { consumedEventTableSql } from '@parley/kit/consume';
import { testSchema } from '@parley/kit/testing/schema';

testSchema({ service: new URL('..', import.meta.url), kitSql: [appRemovalTablesSql, consumedEventTableSql] });
