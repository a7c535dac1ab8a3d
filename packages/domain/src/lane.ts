/**
 * A whole number that spreads uuids evenly, by their random end. Gateways and services spread conversations over lanes by
 * the same number, so that a batch of one end stays one batch at the other.
 */
export function laneOf(uuid: string): number {
  return Number.parseInt(uuid.slice(-7), 16) || 0;
}
