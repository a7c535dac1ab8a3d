/**
 * An integer that spreads uuids evenly, based on their random end. Gateways and services assign conversations to lanes by the same number,
 * so that a gateway's batch stays one batch in the service.
 */
export function laneOf(uuid: string): number {
  return Number.parseInt(uuid.slice(-7), 16) || 0;
}
