import type {
  RecordFiguresRequest,
  RecordFiguresResponse,
} from '@parley/proto/parley/identity/v1/figure_service_pb';
import type { Context } from '../context.ts';

/** Passes figures of the webhook service on to identity, which that service cannot reach. */
export function recordFigures(
  { recording }: Context,
  request: RecordFiguresRequest,
): Promise<RecordFiguresResponse> {
  return recording.recordFigures(request);
}
