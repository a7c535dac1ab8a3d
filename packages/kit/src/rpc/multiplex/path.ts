import { MultiplexService } from '@parley/proto/parley/rpc/v1/multiplex_service_pb';

export const MULTIPLEX_PATH = `/${MultiplexService.typeName}/${MultiplexService.method.multiplex.name}`;
