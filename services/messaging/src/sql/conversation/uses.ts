/** A bit of `conversation.uses`: the table `restriction` may have rows of the conversation. It is never taken away. */
export const USES_RESTRICTIONS = 1;

/** SQL of whether the table of a bit may hold something of conversation `alias`. */
export function mayUse(alias: string, bit: number): string {
  return `${alias}.uses & ${bit} <> 0`;
}
