import type { LimitsConfig } from '../admission/limits/index.ts';
import type { ApiContext } from '../api/operations.ts';
import type { Hub } from './connection/hub.ts';
import type { RealtimeConfig } from './settings.ts';

/** Everything that sockets and live delivery use; sockets also run operations of the REST API. */
export type RealtimeContext = ApiContext & {
  config: RealtimeConfig & { limits: LimitsConfig };
  hub: Hub;
};

/** Some members of the context. */
export type Uses<Name extends keyof RealtimeContext> = Pick<RealtimeContext, Name>;
